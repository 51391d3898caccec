//! Components outside the cone of influence may be left out: the verdict stays the same, both ways.

use crate::common;
use crate::common::{Random, is_safe, network, with_spectators};
use proptest::prelude::*;
use resy_compose::cone::{bystander, cone};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(common::cases(1000)))]

    #[test]
    fn what_does_not_matter_may_be_left_out(seed in any::<u64>(), size in 1..=6usize) {
        let network = network(seed, size);
        let wider = with_spectators(&network, &mut Random::new(seed));
        let matters = cone(&wider);
        let n = network.components.len();
        prop_assert!(wider.components.ids().skip(n).all(|id| !matters[id]), "spectators never do");
        prop_assert_eq!(&matters.iter().copied().collect::<Vec<_>>()[..n], &cone(&network).iter().copied().collect::<Vec<_>>()[..]);
        let mut without = wider.clone();
        for id in wider.components.ids().filter(|&id| !matters[id]) {
            without.components[id].lts = bystander(&wider.components[id].lts);
        }
        prop_assert_eq!(is_safe(&wider), is_safe(&network));
        prop_assert_eq!(is_safe(&without), is_safe(&network));
    }
}
