//! Which parts of the language one program uses.

use super::rng::Rng;

macro_rules! features {
    ($($name:ident $percent:literal),* $(,)?) => {
        /// A part of the language that a program may use.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Feature { $($name),* }

        /// With the probability, in percent, that a program uses it.
        const FEATURES: &[(Feature, usize)] = &[$((Feature::$name, $percent)),*];
    };
}

features! {
    Buffered 65, Rendezvous 40, ChannelArray 15, Passing 15, LocalChannel 15,
    Record 25, RecordMessage 25, Array 35, Mtype 40, Subtype 30, Wide 35,
    Run 35, Parameters 50, Provided 10, Priority 3, Deterministic 4,
    Atomic 50, DStep 35, Unless 28, For 32, Select 28, Goto 30, Label 35,
    Timeout 15, Inline 30, Macro 20, Remote 30, Enabled 25, Last 10,
    Claim 12, Trace 6, Assert 70, Printf 35, Else 65, InnerDecl 30, Initialiser 50,
    Choice 40, Arithmetic 60, Chain 30, Bits 30, Blocking 25,
}

/// A set of features.
#[derive(Debug, Clone, Copy)]
pub struct Features(u64);

impl Features {
    /// Draws a set and removes what spin does not accept together.
    pub fn random(rng: &mut Rng) -> Features {
        let mut set = Features(0);
        for &(feature, percent) in FEATURES {
            if rng.chance(percent) {
                set.0 |= 1 << feature as u64;
            }
        }
        if !set.has(Feature::Buffered) && !set.has(Feature::Rendezvous) {
            for needs_channel in [Feature::Passing, Feature::Trace, Feature::LocalChannel] {
                set.remove(needs_channel);
            }
        }
        // spin: "cannot use enabled() in models with synchronous channels".
        if set.has(Feature::Rendezvous) {
            set.remove(Feature::Enabled);
            // pan.c: "use of priorities cannot be combined with rendezvous".
            set.remove(Feature::Priority);
        }
        // A pid may be used again after a run: a remote reference would then
        // read the memory of another proctype.
        if set.has(Feature::Run) {
            set.remove(Feature::Remote);
            set.remove(Feature::Enabled);
        }
        set
    }

    /// Whether the program uses the feature.
    pub fn has(self, feature: Feature) -> bool {
        self.0 & (1 << feature as u64) != 0
    }

    fn remove(&mut self, feature: Feature) {
        self.0 &= !(1 << feature as u64);
    }
}
