//! The modes that are run on each row: those of the paper's table, the engines, and spin.

/// A mode: one way to analyse a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Assumption generation: the canonical requirement.
    Assume,
    /// The minimised requirement.
    Minimise,
    /// The command that a user types.
    Check,
    /// The paper's compositional model checking.
    Requirement,
    /// The paper's R10%: a front-end to spin, unless the property is decided before spin runs.
    Threshold,
    /// The program with the requirement in the module's place, always verified by spin.
    Reduced,
    /// The monolithic search.
    Monolithic,
    /// Without a module: every component is abstracted.
    Network,
    /// Spin alone.
    Spin,
    /// The module minimised by branching bisimulation, for comparison with the requirement.
    Bisimulation,
    /// Checking the certificate of a requirement.
    Recheck,
}

impl Mode {
    /// All modes, in the order in which they are run.
    pub const ALL: [Mode; 11] = [
        Mode::Assume,
        Mode::Minimise,
        Mode::Check,
        Mode::Requirement,
        Mode::Threshold,
        Mode::Monolithic,
        Mode::Network,
        Mode::Spin,
        Mode::Reduced,
        Mode::Bisimulation,
        Mode::Recheck,
    ];

    /// The name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Assume => "assume",
            Mode::Minimise => "assume --minimize",
            Mode::Check => "check",
            Mode::Requirement => "requirement",
            Mode::Threshold => "spin at 10 %",
            Mode::Reduced => "spin --always",
            Mode::Monolithic => "monolithic",
            Mode::Network => "network",
            Mode::Spin => "spin alone",
            Mode::Bisimulation => "bisimulation",
            Mode::Recheck => "recheck",
        }
    }

    /// The mode with this name.
    pub fn named(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The arguments of `resy`; none for spin, and for modes that take two commands.
    pub fn command(self) -> &'static [&'static str] {
        match self {
            Mode::Assume => &["assume", "--method", "refine"],
            Mode::Minimise => &["assume", "--method", "refine", "--minimize"],
            Mode::Check => &["check"],
            Mode::Requirement => &["check", "--engine", "requirement"],
            Mode::Threshold => &["spin", "--threshold", "10%"],
            Mode::Reduced => &["spin", "--always"],
            Mode::Monolithic => &["check", "--engine", "monolithic"],
            Mode::Network => &["check", "--engine", "network"],
            Mode::Bisimulation => &["lts", "--reduce", "branching"],
            Mode::Spin | Mode::Recheck => &[],
        }
    }

    /// Whether it is run for both splits.
    pub fn is_split(self) -> bool {
        !matches!(self, Mode::Check | Mode::Monolithic | Mode::Network | Mode::Spin)
    }

    /// Whether the command names the module.
    pub fn names_a_module(self) -> bool {
        self.is_split() && self != Mode::Bisimulation
    }

    /// Whether it runs spin and a compiler, and so gets spin's time limit.
    pub fn calls_spin(self) -> bool {
        matches!(self, Mode::Threshold | Mode::Reduced | Mode::Spin)
    }

    /// Whether its verdict is compared with the truth.
    pub fn decides(self) -> bool {
        self != Mode::Bisimulation
    }

    /// Whether it is run on the broken models too. The other modes would add nothing about the verdict,
    /// or do not apply.
    pub fn is_for_broken(self) -> bool {
        use Mode::{Bisimulation, Minimise, Recheck, Reduced};
        !matches!(self, Minimise | Reduced | Bisimulation | Recheck)
    }

    /// Whether one run is enough, because sizes are measured, or for `Reduced` states; two compilations
    /// per run would take half of the time of the benchmark.
    pub fn is_run_once(self) -> bool {
        matches!(self, Mode::Reduced | Mode::Bisimulation)
    }

    /// The expected seconds, for the estimate.
    pub fn weight(self) -> f64 {
        match self {
            Mode::Reduced => 4.0,
            Mode::Spin => 2.0,
            Mode::Threshold => 0.5,
            _ => 0.15,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_mode_is_listed_once_under_a_name_of_its_own() {
        let modes: BTreeSet<Mode> = Mode::ALL.into();
        let names: BTreeSet<&str> = Mode::ALL.iter().map(|mode| mode.name()).collect();
        assert_eq!((modes.len(), names.len()), (Mode::ALL.len(), Mode::ALL.len()));
        assert!(Mode::ALL.iter().all(|&mode| Mode::named(mode.name()) == Some(mode)));
    }
}
