//! What a certificate is about: the network, its source, and how it is derived.

use crate::proof::ProofEvidence;

/// Evidence that a network satisfies its property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The source of the network.
    pub origin: Origin,
    /// The names of what the evidence numbers.
    pub interface: Interface,
    /// Why the property holds.
    pub evidence: ProofEvidence,
}

/// The source of the network: everything that is needed to derive it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The kind of the text.
    pub kind: OriginKind,
    /// The property that holds.
    pub property: String,
    /// The components of the module, by name, in the order of the network.
    pub module: Vec<String>,
    /// How the network is derived from the text: keys and values.
    pub settings: Vec<(String, String)>,
    /// The program after preprocessing, or the network file with all automata inside.
    pub text: String,
    /// The [`hash`] of the text.
    pub hash: u64,
}

/// The settings that say how a text is read, whatever is proved of it.
const SOURCE: [&str; 5] = ["file", "define", "include", "composite", "loss"];

/// The kind of a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OriginKind {
    /// A network of automata.
    Network,
    /// A Promela program.
    Promela,
    /// Processes in FSP.
    Fsp,
}

/// The names of what the evidence numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The actions.
    pub actions: Vec<String>,
    /// For each action, its signature, which also identifies it in a changed program; empty for
    /// networks, where the name does.
    pub signatures: Vec<String>,
    /// The components.
    pub components: Vec<Listed>,
    /// For each state of a Promela program's monitor except the first (the error state), the local
    /// states of the watching components; empty for networks of automata.
    pub watched: Vec<Vec<i32>>,
}

/// A component as a certificate lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// The number of its states.
    pub n_states: usize,
    /// The number of values of a local state; 0 for networks of automata.
    pub width: usize,
    /// All local states of a Promela component, one after the other.
    pub locals: Vec<i32>,
}

impl Origin {
    /// The origin with the hash of its text.
    pub fn new(
        kind: OriginKind,
        property: String,
        module: Vec<String>,
        settings: Vec<(String, String)>,
        text: String,
    ) -> Self {
        let hash = hash(&text);
        Self { kind, property, module, settings, text, hash }
    }

    /// Whether two certificates are about one program or network, read in the same way.
    pub fn is_same_source(&self, other: &Self) -> bool {
        let of_source = |origin: &Self| {
            let of_source = |(key, _): &&(String, String)| SOURCE.contains(&key.as_str());
            origin.settings.iter().filter(of_source).cloned().collect::<Vec<_>>()
        };
        self.kind == other.kind && self.text == other.text && of_source(self) == of_source(other)
    }

    /// The value of a setting.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(word, _)| word == key).map(|(_, value)| value.as_str())
    }
}

impl Listed {
    /// The local states.
    pub fn rows(&self) -> impl Iterator<Item = &[i32]> {
        self.locals.chunks(self.width.max(1))
    }

    /// A component whose states are plain numbers.
    pub fn plain(name: String, n_states: usize) -> Self {
        Self { name, n_states, width: 0, locals: Vec::new() }
    }
}

/// The hash of a text (FNV-1a, 64 bits). It protects against accidents, not against forgery, which
/// could change the hash as well. The claims of a forged text are checked all the same.
pub fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn hashes_are_those_of_the_standard() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
