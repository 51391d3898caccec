//! Published figures: states of the largest assumption and seconds, from table 1 of Gheorghiu et al. (TACAS
//! 2007) and table 1 of Gheorghiu Bobaru et al. (CAV 2008). No seconds: the limit was reached.

/// The figures of a row: L* without alphabet refinement, backward, forward, all differences, AGAR, and
/// AGAR with alphabet refinement.
pub(super) struct Published {
    pub file: &'static str,
    pub size: &'static str,
    pub property: &'static str,
    pub figures: [(u32, Option<f64>); 6],
}

const fn row(
    file: &'static str,
    size: &'static str,
    property: &'static str,
    figures: [(u32, Option<f64>); 6],
) -> Published {
    Published { file, size, property, figures }
}

const GAS: &str = "gas_station.lts";
const CHIRON: &str = "chiron.lts";
const MER: &str = "mer.lts";

/// All rows that have a case study of ours.
#[rustfmt::skip]
pub(super) const PUBLISHED: &[Published] = &[
    row(GAS, "3", "CHANGE(1)", [(177, None), (8, Some(2.70)), (37, Some(36.52)), (18, Some(7.76)), (16, Some(3.33)), (5, Some(2.09))]),
    row(GAS, "4", "CHANGE(1)", [(195, None), (8, Some(19.58)), (37, Some(256.82)), (18, Some(52.72)), (19, Some(23.12)), (5, Some(12.80))]),
    row(GAS, "5", "CHANGE(1)", [(53, None), (8, Some(183.70)), (20, None), (18, Some(530.71)), (22, Some(278.63)), (5, Some(83.34))]),
    row(CHIRON, "2", "BEFORE", [(9, Some(1.23)), (8, Some(3.53)), (8, Some(1.86)), (8, Some(1.90)), (10, Some(0.92)), (10, Some(1.56))]),
    row(CHIRON, "3", "BEFORE", [(21, Some(5.71)), (20, Some(23.82)), (20, Some(7.40)), (20, Some(7.77)), (36, Some(5.94)), (36, Some(10.23))]),
    row(CHIRON, "4", "BEFORE", [(39, Some(28.00)), (38, Some(154.00)), (38, Some(33.13)), (38, Some(35.32)), (160, Some(152.34)), (160, Some(252.06))]),
    row(CHIRON, "5", "BEFORE", [(111, Some(607.72)), (110, Some(300.0)), (110, Some(300.0)), (110, Some(300.0)), (4, None), (3, None)]),
    row(CHIRON, "2", "AFTER", [(9, Some(1.10)), (3, Some(0.73)), (3, Some(0.73)), (3, Some(0.74)), (4, Some(0.50)), (4, Some(0.62))]),
    row(CHIRON, "3", "AFTER", [(25, Some(6.39)), (3, Some(0.93)), (3, Some(0.92)), (3, Some(0.92)), (8, Some(1.60)), (8, Some(3.65))]),
    row(CHIRON, "4", "AFTER", [(45, Some(32.18)), (3, Some(1.69)), (3, Some(1.67)), (3, Some(1.67)), (16, Some(18.75)), (16, Some(107.50))]),
    row(CHIRON, "5", "AFTER", [(122, Some(246.84)), (3, Some(18.08)), (3, Some(18.05)), (3, Some(17.99)), (4, None), (1, None)]),
    row(MER, "2", "EXCLUSIVE", [(40, Some(7.84)), (6, Some(1.01)), (6, Some(1.02)), (6, Some(1.01)), (34, Some(11.38)), (5, Some(5.02))]),
    row(MER, "3", "EXCLUSIVE", [(377, None), (8, Some(11.86)), (8, Some(11.86)), (8, Some(11.85)), (67, Some(247.73)), (9, Some(180.13))]),
    row(MER, "4", "EXCLUSIVE", [(38, None), (10, Some(1193.53)), (10, Some(1225.95)), (10, Some(1226.80)), (58, None), (9, None)]),
    row("rover.lts", "-", "CLEARED", [(11, Some(1.82)), (4, Some(2.53)), (11, Some(4.17)), (11, Some(2.88)), (10, Some(1.80)), (3, Some(2.07))]),
];
