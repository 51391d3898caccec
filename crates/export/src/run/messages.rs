//! Links every receive to the send of the same message.
//!
//! Messages are tracked by comparing a channel's contents before and after a step. An added or removed
//! message is found at any position, so that sorted sends and random receives are not special cases. For
//! a `d_step`, the listener provides one comparison per statement.

use super::listener::{Change, changes};
use super::{Event, values};
use resy_system::{Command, Interpreter, Move, State, Step};
use serde_json::Value;

/// A message that is sent or received in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passing {
    /// The name of the channel.
    pub channel: String,
    /// The fields.
    pub values: Vec<Value>,
    /// What happens to it.
    pub passage: Passage,
}

/// What a step does with a message.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// The actor hands the message over to the partner.
    Rendezvous,
    /// The message enters the channel; the step that receives it, if any.
    Sent(Option<usize>),
    /// The message leaves the channel; the step that sent it, possibly the same step.
    Received(usize),
    /// The channel is full and the message is lost.
    Lost,
}

/// For each channel the origins of its messages: the sending step, and the index among the messages of
/// that step.
#[derive(Default)]
pub(super) struct Queues(Vec<Vec<(usize, usize)>>);

impl Queues {
    /// The messages of a step. Sends of earlier `events` are updated when this step receives their
    /// message.
    pub fn follow(
        &mut self,
        interpreter: &Interpreter<'_>,
        events: &mut [Event],
        before: &State,
        step: &Step,
    ) -> Vec<Passing> {
        if step.partner.is_some() {
            let sent = outgoing(interpreter, before, step.actor);
            return sent.map(|(_, passing)| passing).into_iter().collect();
        }
        self.0.resize(before.channels().len(), Vec::new());
        let mut passings = Vec::new();
        for change in changes(interpreter, before, step) {
            self.follow_channel(interpreter, events, before, &change, &mut passings);
        }
        if passings.is_empty() && step.next.is_some() {
            // A send that changes no channel lost its message, because the channel is full.
            let sent = outgoing(interpreter, before, step.actor);
            passings.extend(sent.filter(|(is_full, _)| *is_full).map(|(_, passing)| passing));
        }
        passings
    }

    fn follow_channel(
        &mut self,
        interpreter: &Interpreter<'_>,
        events: &mut [Event],
        state: &State,
        change: &Change,
        passings: &mut Vec<Passing>,
    ) {
        let (channel, system) = (change.channel, interpreter.system());
        let name = values::channel_name(system, state, channel);
        let passing = |fields: &[i32], passage| {
            let values = values::message(system, state, channel, fields);
            Passing { channel: name.clone(), values, passage }
        };
        let now = events.len();
        let (removed, inserted) = difference(&change.old, &change.new);
        let origins: Vec<_> = removed.iter().map(|&slot| self.0[channel][slot]).collect();
        for (&slot, &(sent, nth)) in removed.iter().zip(&origins) {
            let earlier = events.get_mut(sent).map(|event| &mut event.passings[nth]);
            let origin = earlier.unwrap_or_else(|| &mut passings[nth]);
            origin.passage = Passage::Sent(Some(now));
            passings.push(passing(&change.old[slot], Passage::Received(sent)));
        }
        for slot in removed.into_iter().rev() {
            self.0[channel].remove(slot);
        }
        for slot in inserted {
            self.0[channel].insert(slot, (now, passings.len()));
            passings.push(passing(&change.new[slot], Passage::Sent(None)));
        }
    }
}

/// The slots of the removed messages, and the slots of the inserted messages.
fn difference(old: &[Vec<i32>], new: &[Vec<i32>]) -> (Vec<usize>, Vec<usize>) {
    let common = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    if old.len() + 1 == new.len() && old[common..] == new[common + 1..] {
        return (vec![], vec![common]);
    }
    if new.len() + 1 == old.len() && old[common + 1..] == new[common..] {
        // Of equal messages the oldest counts as removed.
        let equal = old[..common].iter().rev().take_while(|m| **m == old[common]).count();
        return (vec![common - equal], vec![]);
    }
    let gone = (0..=old.len()).find(|&n| new.starts_with(&old[n..])).unwrap_or(old.len());
    ((0..gone).collect(), (old.len() - gone..new.len()).collect())
}

/// The message that an edge sends, and whether the channel is full.
fn outgoing(interpreter: &Interpreter<'_>, state: &State, actor: Move) -> Option<(bool, Passing)> {
    let Command::Send { chan, args, .. } = &interpreter.edge(state, actor).command else {
        return None;
    };
    let value = |expr| interpreter.evaluate(state, actor.pid, expr).ok();
    let channel = usize::try_from(value(chan)?).ok()?.checked_sub(1)?;
    let system = interpreter.system();
    let ty = &system.channel_types[state.channels().get(channel)?.ty];
    let cut = |(i, ty): (usize, &resy_system::CellType)| {
        args.get(i).and_then(value).map_or(0, |v| ty.truncate(v))
    };
    let fields: Vec<i32> = ty.fields.iter().enumerate().map(cut).collect();
    let is_full = state.messages(system, channel).len() >= ty.capacity as usize;
    let passage = if ty.capacity == 0 { Passage::Rendezvous } else { Passage::Lost };
    let name = values::channel_name(system, state, channel);
    let values = values::message(system, state, channel, &fields);
    Some((is_full, Passing { channel: name, values, passage }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn messages(list: &[i32]) -> Vec<Vec<i32>> {
        list.iter().map(|&field| vec![field]).collect()
    }

    #[test]
    fn one_more_or_one_less_is_found_where_it_is() {
        let gone = |old: &[i32], new: &[i32]| difference(&messages(old), &messages(new)).0;
        let come = |old: &[i32], new: &[i32]| difference(&messages(old), &messages(new)).1;
        assert_eq!(come(&[1, 2], &[1, 2, 3]), [2]);
        assert_eq!(come(&[1, 3], &[1, 2, 3]), [1]);
        assert_eq!(gone(&[1, 2, 3], &[1, 3]), [1]);
        assert_eq!(gone(&[2, 1, 1], &[2, 1]), [1], "of equal messages the oldest");
        assert_eq!((gone(&[1, 2], &[2, 5, 6]), come(&[1, 2], &[2, 5, 6])), (vec![0], vec![1, 2]));
        assert_eq!(gone(&[1, 1], &[]), [0, 1]);
    }

    proptest! {
        #[test]
        fn the_difference_leads_from_one_to_the_other(
            old in prop::collection::vec(0..3, 0..6),
            new in prop::collection::vec(0..3, 0..6),
        ) {
            let (removed, inserted) = difference(&messages(&old), &messages(&new));
            let mut list = old.clone();
            removed.iter().rev().for_each(|&slot| {
                list.remove(slot);
            });
            inserted.iter().for_each(|&slot| list.insert(slot, new[slot]));
            prop_assert_eq!(list, new);
        }
    }
}
