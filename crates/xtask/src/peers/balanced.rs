//! Balanced splits: of all ways to cut a network in two, the one with the smallest difference between the environment with
//! the property and the module (Gheorghiu Bobaru et al., CAV 2008, table 2).

use super::case::{PeerCase, PeerRow};
use resy_automata::lts::Lts;
use resy_automata::network::{ComponentId, Network};
use resy_automata::product::product_while;

/// Larger sides are not considered, nor networks with more components.
const MAX_SIDE: usize = 20_000;
const MAX_COMPONENTS: usize = 10;

/// The row of the balanced split of a case, with the sizes of the two sides; none if all sides are too large.
pub(super) fn balanced(row: &PeerRow, case: &PeerCase) -> Option<(PeerRow, usize, usize)> {
    let network = &case.network;
    let components: Vec<ComponentId> = network.components.ids().collect();
    let n = components.len();
    if !(2..=MAX_COMPONENTS).contains(&n) {
        return None;
    }
    let mut best: Option<(usize, Vec<ComponentId>, usize, usize)> = None;
    for bits in 1..(1_usize << n) - 1 {
        let is_module = |i: &usize| bits >> i & 1 == 1;
        let of = |wanted: bool| -> Vec<ComponentId> {
            (0..n).filter(|i| is_module(i) == wanted).map(|i| components[i]).collect()
        };
        let (module, environment) = (of(true), of(false));
        let limit = best.as_ref().map_or(MAX_SIDE, |(difference, ..)| MAX_SIDE.max(*difference));
        let Some(m) = size(network, &module, false, limit) else { continue };
        let Some(e) = size(network, &environment, true, limit) else { continue };
        let difference = m.abs_diff(e);
        if best.as_ref().is_none_or(|(least, ..)| difference < *least) {
            best = Some((difference, module, e, m));
        }
    }
    let (_, module, e, m) = best?;
    let names: Vec<&str> = module.iter().map(|&id| &*network.components[id].name).collect();
    Some((PeerRow { module: names.join(" "), ..row.clone() }, e, m))
}

/// The states of a side, with the property or without it.
fn size(network: &Network, side: &[ComponentId], watched: bool, limit: usize) -> Option<usize> {
    let monitor = network.monitor.as_ref().filter(|_| watched).map(|monitor| &monitor.lts);
    let systems = side.iter().map(|&id| &network.components[id].lts).chain(monitor);
    let systems: Vec<&Lts> = systems.collect();
    product_while(&systems, |n_states| n_states <= limit).map(|product| product.lts.n_states())
}
