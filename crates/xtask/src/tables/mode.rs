//! What is run on each row: the modes of the paper's table, the engines, and spin.

/// One way to look at a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Assumption generation: the canonical requirement.
    Assume,
    /// The requirement as small as it gets.
    Minimise,
    /// What a user types.
    Check,
    /// The paper's compositional model checking.
    Requirement,
    /// The paper's R10%: a front-end to spin, unless the property is decided on the way.
    Threshold,
    /// The requirement in the module's place, always handed to spin.
    Reduced,
    /// The search of all states.
    Monolithic,
    /// No module: every component is abstracted.
    Network,
    /// Spin alone.
    Spin,
    /// The module up to branching bisimulation, for comparison with the requirement.
    Bisimulation,
    /// Checking the certificate of a requirement.
    Recheck,
}

impl Mode {
    /// All of them, in the order in which they are run.
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

    /// As in the tables.
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

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The words after `resy`; none for spin, and for what takes two commands.
    pub fn command(self) -> &'static [&'static str] {
        match self {
            Mode::Assume => &["assume"],
            Mode::Minimise => &["assume", "--minimize"],
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

    /// Whether it is run for either split.
    pub fn is_split(self) -> bool {
        !matches!(self, Mode::Check | Mode::Monolithic | Mode::Network | Mode::Spin)
    }

    /// Whether the command is told which process is the module.
    pub fn names_a_module(self) -> bool {
        self.is_split() && self != Mode::Bisimulation
    }

    /// Whether spin, and so a compiler, is at work: it gets spin's time.
    pub fn calls_spin(self) -> bool {
        matches!(self, Mode::Threshold | Mode::Reduced | Mode::Spin)
    }

    /// Whether what it says about a property is to be compared with the truth.
    pub fn decides(self) -> bool {
        self != Mode::Bisimulation
    }

    /// Whether it is run on the broken models too. What is left out says nothing new about the verdict,
    /// or has nothing to say there.
    pub fn is_for_broken(self) -> bool {
        use Mode::{Bisimulation, Minimise, Recheck, Reduced};
        !matches!(self, Minimise | Reduced | Bisimulation | Recheck)
    }

    /// Whether one run is enough: what is asked for are sizes, or, of `Reduced`, states; two compilations
    /// a run would take half of the time of the benchmark.
    pub fn is_run_once(self) -> bool {
        matches!(self, Mode::Reduced | Mode::Bisimulation)
    }

    /// Seconds to be expected, for the estimate.
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
