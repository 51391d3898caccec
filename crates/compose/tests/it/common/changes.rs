//! Changed systems, and whether they are accepted, from the definition.

use super::{Random, state, visible};
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Network};
use resy_certificate::changed::Surroundings;
use resy_index::Id;
use std::collections::BTreeSet;

/// The greatest relation of the definition: all pairs, minus those that break a rule, repeatedly.
pub fn related(requirement: &Lts, rest: &Surroundings, module: &Lts, idling: bool) -> bool {
    let has = |alphabet: &Alphabet, a: ActionId| alphabet.contains(a);
    let pairs = module.states().flat_map(|m| requirement.states().map(move |a| (m, a)));
    let mut relation: BTreeSet<(StateId, StateId)> = pairs.collect();
    let moves = |a: StateId, label: Label| requirement.transitions_by(a, label).iter();
    loop {
        let keeps = |&(m, a): &(StateId, StateId)| {
            let follows = module.transitions_from(m).iter().all(|&(label, to)| {
                let joint = moves(a, label).any(|t| relation.contains(&(to, t.1)));
                let stays = relation.contains(&(to, a));
                match label {
                    Label::Tau => joint || stays,
                    Label::Visible(l) if has(&rest.environment, l) || has(&rest.monitor, l) => {
                        joint
                    }
                    Label::Visible(l) if has(requirement.alphabet(), l) => joint || stays,
                    Label::Visible(l) => l.index() >= rest.n_actions && stays,
                }
            });
            let mut dropped = requirement
                .alphabet()
                .iter()
                .filter(|&l| has(&rest.environment, l) && !has(module.alphabet(), l));
            let idles =
                dropped.all(|l| moves(a, Label::Visible(l)).any(|t| relation.contains(&(m, t.1))));
            follows && (idles || !idling)
        };
        let kept: BTreeSet<_> = relation.iter().copied().filter(keeps).collect();
        if kept == relation {
            return relation.contains(&(module.initial(), requirement.initial()));
        }
        relation = kept;
    }
}

/// Another module: some transitions added, removed or redirected, actions added or dropped.
pub fn changed(module: &Lts, n_actions: usize, random: &mut Random) -> Lts {
    let mut transitions: Vec<_> = module.transitions().collect();
    let mut alphabet: Vec<ActionId> = module.alphabet().iter().collect();
    let mut n_states = module.n_states();
    for _ in 0..=random.below(3) {
        let any = |random: &mut Random, n: usize| state(random.below(n));
        let label = |random: &mut Random, alphabet: &[ActionId]| match random.below(8) {
            0 => Label::Tau,
            // One action is new.
            1 => visible(random.below(n_actions + 1)),
            _ if alphabet.is_empty() => Label::Tau,
            _ => Label::Visible(alphabet[random.below(alphabet.len())]),
        };
        match random.below(6) {
            0 if !transitions.is_empty() => {
                transitions.swap_remove(random.below(transitions.len()));
            }
            1 if !alphabet.is_empty() => {
                let gone = alphabet.swap_remove(random.below(alphabet.len()));
                transitions.retain(|t| t.1 != Label::Visible(gone));
            }
            2 => {
                n_states += 1;
                let label = label(random, &alphabet);
                transitions.push((any(random, n_states), label, state(n_states - 1)));
            }
            3 if !transitions.is_empty() => {
                let at = random.below(transitions.len());
                transitions[at].2 = any(random, n_states);
            }
            _ => {
                let label = label(random, &alphabet);
                transitions.push((any(random, n_states), label, any(random, n_states)));
            }
        }
    }
    let mut builder = LtsBuilder::with_states(n_states);
    transitions.into_iter().for_each(|(s, label, t)| builder.add_transition(s, label, t));
    builder.finish(module.initial(), alphabet.into_iter().collect())
}

/// The network with one more action, which no component has.
pub fn with_new_action(network: &Network) -> Network {
    let mut network = network.clone();
    network.actions.push(Action { name: "new".to_owned() });
    network
}
