//! What can be named at a point of the program under construction.

use super::rng::Rng;
use super::tree::{Decl, Index, Part, Place, Type, Typedef};

/// A way to a variable: names with the lengths of arrays on the way.
pub type Path = Vec<(String, Option<u32>)>;

/// A variable of a basic type, or a whole record.
#[derive(Debug, Clone)]
pub struct Slot {
    /// How to write it.
    pub path: Path,
    /// Its type.
    pub ty: Type,
    /// Loop variables are not assigned inside the loop, or it may never end.
    pub frozen: bool,
    /// Whether every process sees it.
    pub global: bool,
}

/// What the messages of a channel carry.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// A basic value.
    Basic(Type),
    /// A record.
    Record(String),
    /// A channel whose messages are one byte.
    ByteChannel,
}

/// A channel that is surely initialised.
#[derive(Debug, Clone)]
pub struct Channel {
    /// How to write it.
    pub path: Path,
    /// What it carries.
    pub fields: Vec<Field>,
    /// Zero for rendezvous.
    pub capacity: u32,
    /// Whether every process sees it.
    pub global: bool,
}

/// The names in scope; inner scopes are at the end and are cut off again.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Variables and record fields of basic types.
    pub slots: Vec<Slot>,
    /// Whole records.
    pub records: Vec<Slot>,
    /// Channels.
    pub channels: Vec<Channel>,
}

/// A point to come back to at the end of a block.
#[derive(Debug, Clone, Copy)]
pub struct Mark(usize, usize, usize);

impl Scope {
    /// The present end of the scope.
    pub fn mark(&self) -> Mark {
        Mark(self.slots.len(), self.records.len(), self.channels.len())
    }

    /// Forgets what came after the mark.
    pub fn reset(&mut self, mark: Mark) {
        self.slots.truncate(mark.0);
        self.records.truncate(mark.1);
        self.channels.truncate(mark.2);
    }

    /// Adds a declared variable with all its fields. Channels are added apart.
    pub fn add(&mut self, decl: &Decl, typedefs: &[Typedef], global: bool) {
        self.add_path(vec![(decl.name.clone(), decl.length)], &decl.ty, typedefs, global);
    }

    fn add_path(&mut self, path: Path, ty: &Type, typedefs: &[Typedef], global: bool) {
        let slot = Slot { path: path.clone(), ty: ty.clone(), frozen: false, global };
        let Type::Record(name) = ty else {
            return self.slots.push(slot);
        };
        self.records.push(slot);
        let fields = typedefs.iter().filter(|t| t.name == *name).flat_map(|t| &t.fields);
        for field in fields {
            let mut inner = path.clone();
            inner.push((field.name.clone(), field.length));
            self.add_path(inner, &field.ty, typedefs, global);
        }
    }

    /// Marks a variable, given by its first name, as not assignable or assignable.
    pub fn freeze(&mut self, name: &str, frozen: bool) {
        for slot in self.slots.iter_mut().filter(|s| s.path[0].0 == name) {
            slot.frozen = frozen;
        }
    }
}

impl Slot {
    /// Whether it is a variable by itself, no element and no field.
    pub fn is_plain(&self) -> bool {
        self.path.len() == 1 && self.is_scalar()
    }

    /// Whether the variable is no array and no part of one.
    pub fn is_scalar(&self) -> bool {
        self.path.iter().all(|(_, length)| length.is_none())
    }
}

/// A place on the path with constant indices.
pub fn constant_place(path: &Path, rng: &mut Rng) -> Place {
    let part = |(name, length): &(String, Option<u32>)| {
        let index = match length {
            None => Index::None,
            Some(n) => Index::Constant(rng.below(*n as usize) as u32),
        };
        Part { name: name.clone(), index }
    };
    Place(path.iter().map(part).collect())
}
