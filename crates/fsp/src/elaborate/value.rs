//! Values and the variables that hold them.

use std::fmt;
use std::rc::Rc;

/// A value: a number, or an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// A number.
    Int(i32),
    /// An action, dotted.
    Label(Rc<str>),
}

impl Value {
    /// The value that a member of a set stands for: `[1]` in a set is the number 1.
    pub fn of_label(label: &Rc<str>) -> Self {
        match label.parse() {
            Ok(number) if !label.starts_with('+') => Self::Int(number),
            _ => Self::Label(label.clone()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => write!(f, "{number}"),
            Self::Label(label) => f.write_str(label),
        }
    }
}

/// Parameters and variables with their values, the innermost last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Env(Vec<(Rc<str>, Value)>);

impl Env {
    /// The value of a parameter or variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }

    /// One more variable.
    pub fn push(&mut self, name: Rc<str>, value: Value) {
        self.0.push((name, value));
    }

    /// The same with more variables.
    #[must_use]
    pub fn with(&self, bindings: &[(Rc<str>, Value)]) -> Self {
        Self(self.0.iter().chain(bindings).cloned().collect())
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }
}
