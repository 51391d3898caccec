//! Generated networks (`resy_testkit::networks`), and how many of them to try.

pub mod changes;

use resy_automata::lts::ActionId;
use resy_automata::network::Monitor;
use resy_certificate::About;
pub use resy_testkit::networks::{
    NetworkRandom as Random, detour, flat_network, is_safe, is_safe_with, network, repaired,
    replays, state, visible, with_copies, with_spectators,
};

/// How many networks to try: `RESY_CASES`, if it is set.
pub fn cases(usual: u32) -> u32 {
    let cases = std::env::var("RESY_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}

/// The actions by which a monitor can err, in groups; some are in two.
pub fn groups(monitor: &Monitor, random: &mut Random) -> Vec<About> {
    let errors = monitor.lts.transitions().filter(|t| t.2 == monitor.error);
    let mut groups: Vec<Vec<ActionId>> = vec![Vec::new(); random.between(1, 3)];
    for action in errors.filter_map(|(_, label, _)| label.action()) {
        for _ in 0..=random.below(4) / 3 {
            let i = random.below(groups.len());
            groups[i].push(action);
        }
    }
    groups.into_iter().map(|group| About::Only(group.into_iter().collect())).collect()
}
