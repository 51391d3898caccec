//! The properties of a composition, by name.
//!
//! As in LTSA, a check is about deadlocks, errors of processes and the `property` processes;
//! progress properties and assertions are checked where they are asked for, because some of them
//! are witnesses that are meant to fail.

use crate::composition::Composition;
use crate::networks::AssertionNetwork;
use crate::source::Span;
use resy_automata::ltl::{SafetyClass, classify};

/// A property of a composition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FspProperty {
    /// No run stops before its end.
    Deadlock,
    /// No process comes to `ERROR`.
    Errors,
    /// The `property` with this number.
    Safety(usize),
    /// The progress property with this number.
    Progress(usize),
    /// The assertion with this number.
    Assertion(usize),
}

/// Which properties are asked for.
#[derive(Copy, Clone, Debug, Default)]
pub struct FspSelection<'a> {
    /// One property only.
    pub only: Option<&'a str>,
    /// Without these.
    pub without: &'a [String],
    /// Progress properties and assertions too.
    pub all: bool,
}

/// A name that no property of a composition has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFspProperty {
    /// The name.
    pub name: String,
    /// The names that properties have.
    pub known: Vec<String>,
}

impl Composition {
    /// The properties that are asked for, in the order of [`Self::all_properties`].
    pub fn select(&self, asked: &FspSelection<'_>) -> Result<Vec<FspProperty>, UnknownFspProperty> {
        let all = self.all_properties();
        let names = || all.iter().map(|&property| self.property_name(property));
        let mut wanted = asked.only.into_iter().chain(asked.without.iter().map(String::as_str));
        if let Some(name) = wanted.find(|wanted| !names().any(|name| name == *wanted)) {
            let (name, known) = (name.to_owned(), names().map(str::to_owned).collect());
            return Err(UnknownFspProperty { name, known });
        }
        let is_asked = |property: &FspProperty| {
            let name = self.property_name(*property);
            match asked.only {
                Some(only) => name == only,
                None => {
                    (asked.all || property.is_of_ltsas_check())
                        && asked.without.iter().all(|other| other != name)
                }
            }
        };
        Ok(all.iter().copied().filter(is_asked).collect())
    }

    /// All properties: deadlock, errors, `property`, progress, assertions.
    pub fn all_properties(&self) -> Vec<FspProperty> {
        let safety = (0..self.properties.len()).map(FspProperty::Safety);
        let progress = (0..self.progress.len()).map(FspProperty::Progress);
        let assertions = (0..self.assertions.len()).map(FspProperty::Assertion);
        let first = [FspProperty::Deadlock, FspProperty::Errors];
        first.into_iter().chain(safety).chain(progress).chain(assertions).collect()
    }

    /// The name of a property.
    pub fn property_name(&self, property: FspProperty) -> &str {
        match property {
            FspProperty::Deadlock => "deadlock",
            FspProperty::Errors => "errors",
            FspProperty::Safety(i) => &self.properties[i].name,
            FspProperty::Progress(i) => &self.progress[i].name,
            FspProperty::Assertion(i) => &self.assertions[i].name,
        }
    }

    /// The property with this name.
    pub fn property_by_name(&self, name: &str) -> Option<FspProperty> {
        self.all_properties().into_iter().find(|&property| self.property_name(property) == name)
    }

    /// Whether finite runs show the violations of a property, so that it has a monitor.
    pub fn has_monitor(&self, property: FspProperty) -> bool {
        match property {
            FspProperty::Errors | FspProperty::Safety(_) => true,
            FspProperty::Deadlock | FspProperty::Progress(_) => false,
            FspProperty::Assertion(i) => {
                // To classify is cheap; the automaton may still be too large.
                matches!(classify(&self.assertions[i].formula), Ok(SafetyClass::Safety(_)))
                    && matches!(
                        self.network_of_assertion(&self.assertions[i]),
                        AssertionNetwork::Safety(_)
                    )
            }
        }
    }
}

impl FspProperty {
    /// Whether LTSA's safety check is about it.
    pub fn is_of_ltsas_check(self) -> bool {
        matches!(self, Self::Deadlock | Self::Errors | Self::Safety(_))
    }
}

/// Where the definition of a name stands: of a `property`, `progress`, `assert` or composite. The
/// name may be that of an instance, `red:CAR(1)` or `LIVE.2`.
pub fn definition_span(text: &str, name: &str) -> Option<Span> {
    use crate::ast::Definition;
    let base = name.rsplit(':').next().unwrap_or(name);
    let base = base.split(['(', '.', '#']).next().unwrap_or(base);
    let (file, _) = crate::parse(text);
    let spans = file.definitions.iter().filter_map(|definition| {
        let name = match definition {
            Definition::Process(def) => &def.name,
            Definition::Composite(def) => &def.name,
            Definition::Progress(def) => &def.name,
            Definition::Assert(def) => &def.name,
            _ => return None,
        };
        (*name.text == *base).then_some(name.span)
    });
    let mut spans = spans;
    spans.next()
}
