//! Writes an action of the module as one statement that cannot block midway.

use super::foresight::{Effect, Foresight};
use super::refusal::RewriteObstacle;
use super::vocabulary::Vocabulary;
use resy_network::{Exchange, Meaning, PartId, Reply, Request, StepTurn};
use resy_system::{CellType, Offer};
use std::rc::Rc;

/// A set of components.
pub type Is<'a> = &'a dyn Fn(PartId) -> bool;

/// The statement of an action.
#[derive(Debug)]
pub enum Statement {
    /// No effect that other processes can observe.
    Silent,
    /// The action can never occur.
    Impossible,
    /// A condition without effect.
    Waits(String),
    /// A statement with an effect.
    Does(String),
}

/// The statement of an action. `inside` are the module's components, `dies` the processes whose end can
/// be observed.
pub fn statement(
    words: &Vocabulary<'_>,
    meaning: &Meaning,
    inside: Is<'_>,
    dies: Is<'_>,
) -> Result<Statement, RewriteObstacle> {
    let turns = &meaning.turns;
    let is_inside: Vec<bool> = turns.iter().map(|turn| inside(turn.part)).collect();
    answers_nothing(turns, inside, dies)?;
    let borders = is_inside.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let foresight = foresee(words, turns, inside, dies)?;
    if foresight.impossible {
        return Ok(Statement::Impossible);
    }
    let fails = turns.iter().any(|turn| inside(turn.part) && !turn.faults.is_empty());
    let step = ForeseenStep { foresight, fails, ends: meaning.fails };
    let offer = |at: usize| turns[at].offer.as_ref().ok_or(RewriteObstacle::Chain);
    match (borders, is_inside.first(), is_inside.iter().position(|&inside| inside)) {
        (0, Some(true), _) => Ok(step.alone()),
        (0, ..) => Ok(Statement::Silent),
        (1, Some(true), _) => {
            let last = is_inside.iter().take_while(|&&inside| inside).count() - 1;
            step.sends(words, offer(last)?)
        }
        (1, _, Some(first)) => {
            knows_nothing(words, &turns[..first], inside)?;
            step.receives(words, offer(first - 1)?)
        }
        _ => Err(RewriteObstacle::Chain),
    }
}

/// Components outside must not read the module's state. That a process exists reveals nothing if it
/// cannot end.
fn answers_nothing(
    turns: &[StepTurn],
    inside: Is<'_>,
    dies: Is<'_>,
) -> Result<(), RewriteObstacle> {
    for turn in turns.iter().filter(|turn| !inside(turn.part)) {
        for exchange in turn.exchanges.iter().filter(|e| inside(e.part)) {
            if exchange.request != Request::Alive {
                return Err(RewriteObstacle::Asked);
            }
            if dies(exchange.part) {
                return Err(RewriteObstacle::Death);
            }
        }
    }
    Ok(())
}

/// Refuses conditions that the sender has tested and the module uses: the module then does not test them
/// again, so that they are missing from its own exchanges.
fn knows_nothing(
    words: &Vocabulary<'_>,
    before: &[StepTurn],
    inside: Is<'_>,
) -> Result<(), RewriteObstacle> {
    let cut = words.cut();
    let asked = before.iter().flat_map(|turn| &turn.exchanges).filter(|e| !e.request.writes());
    for part in asked.map(|exchange| &cut.parts[exchange.part]) {
        let items = part.cells.iter().map(|&cell| resy_network::Item::Cell(cell));
        let items = items.chain(part.channels.iter().map(|&c| resy_network::Item::Channel(c)));
        let uses = |pid: &usize| inside(cut.processes[*pid]);
        if items.filter_map(|item| cut.users.get(&item)).any(|users| users.users.iter().any(uses)) {
            return Err(RewriteObstacle::GuardedRendezvous);
        }
    }
    Ok(())
}

/// The module's exchanges with components outside.
fn foresee(
    words: &Vocabulary<'_>,
    turns: &[StepTurn],
    inside: Is<'_>,
    dies: Is<'_>,
) -> Result<Foresight, RewriteObstacle> {
    let mut foresight = Foresight::default();
    let own = turns.iter().filter(|turn| inside(turn.part)).flat_map(|turn| &turn.exchanges);
    for exchange in own.filter(|exchange: &&Rc<Exchange>| !inside(exchange.part)) {
        // A process that cannot end always exists.
        let lives = exchange.request == Request::Alive && !dies(exchange.part);
        if lives && exchange.reply == Reply::Bool(true) {
            continue;
        }
        if let Request::Event(_, chan, _) = exchange.request
            && inside(words.cut().channels[chan].part)
        {
            return Err(RewriteObstacle::Watched);
        }
        foresight.see(words, exchange)?;
    }
    if foresight.n_events > 1 {
        return Err(RewriteObstacle::Events);
    }
    Ok(foresight)
}

/// A step of the module, expressed in terms of the state before it.
struct ForeseenStep {
    foresight: Foresight,
    /// Whether the step violates a property.
    fails: bool,
    /// Whether the run ends with the violation.
    ends: bool,
}

impl ForeseenStep {
    /// A step without a rendezvous.
    fn alone(self) -> Statement {
        let Foresight { guards, .. } = &self.foresight;
        let effects = self.effects();
        let texts: Vec<&str> = effects.iter().map(|effect| &effect.text[..]).collect();
        let guard = guards.join(" && ");
        Statement::Does(match (&guards[..], &effects[..]) {
            ([], []) => return Statement::Silent,
            (_, []) => return Statement::Waits(guard),
            ([], [only]) if only.waits_for.is_none() => only.text.clone(),
            ([only_guard], [only]) if only.waits_for.as_ref() == Some(only_guard) => {
                only.text.clone()
            }
            ([], _) => format!("d_step {{ {} }}", texts.join("; ")),
            _ => format!("d_step {{ {guard} -> {} }}", texts.join("; ")),
        })
    }

    /// A step that ends with an offer. It may have no condition and no other effect, because the offer
    /// may not be accepted.
    fn sends(self, words: &Vocabulary<'_>, offer: &Offer) -> Result<Statement, RewriteObstacle> {
        if !self.foresight.guards.is_empty() {
            return Err(RewriteObstacle::GuardedRendezvous);
        }
        if !self.effects().is_empty() {
            return Err(RewriteObstacle::EffectBeforeOffer);
        }
        let message = words.message(offer.chan, &offer.message)?;
        Ok(Statement::Does(format!("{}!{message}", words.channel(offer.chan)?)))
    }

    /// A step that begins by accepting an offer. A condition becomes part of the receive: if it does not
    /// hold, a field is compared with a value that it can never have.
    fn receives(self, words: &Vocabulary<'_>, offer: &Offer) -> Result<Statement, RewriteObstacle> {
        let Foresight { guards, .. } = &self.foresight;
        let types = words.fields(offer.chan);
        let mut fields = Vec::new();
        for (&ty, &value) in types.iter().zip(&offer.message) {
            fields.push(words.field(ty, value)?);
        }
        if !guards.is_empty() {
            let never = types.iter().enumerate().find_map(|(i, &ty)| Some((i, impossible(ty)?)));
            let (at, never) = never.ok_or(RewriteObstacle::GuardedRendezvous)?;
            fields[at] = format!("eval(({} -> {} : {never}))", guards.join(" && "), fields[at]);
        }
        let receive = format!("{}?{}", words.channel(offer.chan)?, fields.join(","));
        let effects: Vec<String> = self.effects().into_iter().map(|effect| effect.text).collect();
        Ok(Statement::Does(match effects.is_empty() {
            true => receive,
            false => format!("atomic {{ {receive} -> {} }}", effects.join("; ")),
        }))
    }

    /// The effects of the step, preceded by a failing assertion if it violates a property.
    fn effects(&self) -> Vec<Effect> {
        let own = self.foresight.effects.iter().filter(|_| !self.ends);
        let own = own.map(|e| Effect { text: e.text.clone(), waits_for: e.waits_for.clone() });
        let error = Effect { text: "assert(false)".to_owned(), waits_for: None };
        self.fails.then_some(error).into_iter().chain(own).collect()
    }
}

/// A value outside the range of a field's type.
fn impossible(ty: CellType) -> Option<i64> {
    match ty {
        CellType::Unsigned(bits) if bits < 31 => Some(1 << bits),
        CellType::Byte | CellType::Mtype => Some(256),
        CellType::Short => Some(32_768),
        _ => None,
    }
}
