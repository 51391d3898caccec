//! From certificates to text.

use super::{ALL, NOTHING, TAU, VERSION};
use crate::origin::{Certificate, Interface, Listed, Origin, OriginKind};
use crate::proof::{About, Map, Node, Of, Proof, ProofEvidence, RunLengths, TupleList};
use resy_automata::lts::{Label, Lts, StateId};
use resy_index::Id;
use std::fmt::Write;

/// The caller is asked once in this many rows, which take some microseconds.
const ASK_EVERY: u32 = 64;

/// The certificate as text.
pub fn write(certificate: &Certificate) -> String {
    write_while(certificate, &mut || true).unwrap_or_default()
}

/// Like [`write()`]; nothing if `go_on` cancels.
pub fn write_while(certificate: &Certificate, go_on: &mut dyn FnMut() -> bool) -> Option<String> {
    let (mut text, mut n_rows) = (String::new(), 0_u32);
    let mut next_row = || {
        n_rows = n_rows.wrapping_add(1);
        !n_rows.is_multiple_of(ASK_EVERY) || go_on()
    };
    let Certificate { origin, interface, evidence } = certificate;
    line(&mut text, VERSION);
    write_origin(&mut text, origin);
    write_interface(&mut text, interface, &mut next_row)?;
    write_evidence(&mut text, evidence, &mut next_row)?;
    line(&mut text, "end");
    Some(text)
}

pub(crate) fn write_origin(text: &mut String, origin: &Origin) {
    let Origin { kind, property, module, settings, text: embedded, hash } = origin;
    let kind = match kind {
        OriginKind::Network => "network",
        OriginKind::Promela => "promela",
        OriginKind::Fsp => "fsp",
    };
    line(text, &format!("from {kind}"));
    line(text, &format!("property {}", escaped(property)));
    names(text, "module", module);
    line(text, &format!("settings {}", settings.len()));
    for (key, value) in settings {
        line(text, &format!("{key} {}", escaped(value)));
    }
    let lines = embedded.split('\n');
    line(text, &format!("text {} {hash:016x}", lines.clone().count()));
    lines.for_each(|embedded| line(text, &format!("|{embedded}")));
}

fn write_interface(
    text: &mut String,
    interface: &Interface,
    next_row: &mut dyn FnMut() -> bool,
) -> Option<()> {
    names(text, "actions", &interface.actions);
    names(text, "signatures", &interface.signatures);
    line(text, &format!("components {}", interface.components.len()));
    for Listed { name, n_states, width, locals } in &interface.components {
        line(text, &format!("{n_states} {width} {}", escaped(name)));
        if *width > 0 {
            for local in locals.chunks(*width) {
                next_row().then(|| numbers(text, local))?;
            }
        }
    }
    line(text, &format!("monitor {}", interface.watched.len()));
    interface.watched.iter().try_for_each(|seen| next_row().then(|| numbers(text, seen)))
}

fn write_evidence(
    text: &mut String,
    evidence: &ProofEvidence,
    next_row: &mut dyn FnMut() -> bool,
) -> Option<()> {
    line(text, &format!("nodes {}", evidence.nodes.len()));
    for Node { of, map } in &evidence.nodes {
        match of {
            Of::Component(component) => line(text, &format!("component {}", component.index())),
            Of::Product(children, states) => {
                text.push_str("product ");
                numbers(text, children.iter().map(|child| child.index()));
                tuples(text, "tuples", states, next_row)?;
            }
        }
        match map {
            Map::Identity => line(text, "identity"),
            Map::Image(map, lts) => image(text, map, lts, next_row)?,
        }
    }
    line(text, &format!("proofs {}", evidence.proofs.len()));
    for Proof { roots, about, invariant } in &evidence.proofs {
        text.push_str("roots ");
        numbers(text, roots.iter().map(|root| root.index()));
        text.push_str("about ");
        match about {
            About::All => line(text, ALL),
            About::Only(actions) => numbers(text, actions.iter().map(|action| action.index())),
        }
        tuples(text, "invariant", invariant, next_row)?;
    }
    Some(())
}

fn image(
    text: &mut String,
    map: &RunLengths,
    lts: &Lts,
    next_row: &mut dyn FnMut() -> bool,
) -> Option<()> {
    line(text, &format!("image {} {}", lts.n_states(), lts.initial().index()));
    let run = |&(state, times): &(StateId, usize)| match times {
        1 => state.index().to_string(),
        _ => format!("{}*{times}", state.index()),
    };
    text.push_str("map ");
    numbers(text, map.runs().iter().map(run));
    text.push_str("alphabet ");
    numbers(text, lts.alphabet().iter().map(|action| action.index()));
    for state in lts.states() {
        let row = lts.transitions_from(state).iter().map(|&(label, target)| match label {
            Label::Tau => format!("{TAU} {}", target.index()),
            Label::Visible(action) => format!("{} {}", action.index(), target.index()),
        });
        next_row().then(|| numbers(text, row))?;
    }
    Some(())
}

fn tuples(
    text: &mut String,
    what: &str,
    tuples: &TupleList,
    next_row: &mut dyn FnMut() -> bool,
) -> Option<()> {
    line(text, &format!("{what} {}", tuples.len()));
    tuples.iter().try_for_each(|tuple| {
        next_row().then(|| numbers(text, tuple.iter().map(|state| state.index())))
    })
}

fn names(text: &mut String, what: &str, names: &[String]) {
    line(text, &format!("{what} {}", names.len()));
    names.iter().for_each(|name| line(text, &escaped(name)));
}

/// Items separated by spaces.
pub(crate) fn numbers<T: std::fmt::Display>(text: &mut String, items: impl IntoIterator<Item = T>) {
    let start = text.len();
    for item in items {
        let space = if text.len() == start { "" } else { " " };
        let _ = write!(text, "{space}{item}");
    }
    if text.len() == start {
        text.push_str(NOTHING);
    }
    text.push('\n');
}

pub(crate) fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The name in one line.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n")
}
