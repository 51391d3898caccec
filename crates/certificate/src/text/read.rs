//! From text to certificates.

use super::lines::CertificateLines;
use super::{ALL, Malformed, TAU, VERSION};
use crate::origin::{Certificate, Interface, Listed, Origin, OriginKind};
use crate::proof::{About, Map, Node, NodeId, Of, Proof, ProofEvidence, RunLengths, TupleList};
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_index::{Id, IndexVec, Interest};

/// The certificate that a text describes.
pub fn read(text: &str) -> Result<Certificate, Malformed> {
    read_within(text, &Interest::default())
}

/// Like [`read`]; an error also if the interest is lost.
pub fn read_within(text: &str, interest: &Interest) -> Result<Certificate, Malformed> {
    let mut lines = CertificateLines::new(text, interest);
    let certificate = read_one(&mut lines)?;
    lines.end()?;
    Ok(certificate)
}

/// The certificates that a text describes, one after the other; there is one at least. An error also if the interest
/// is lost.
pub fn read_all_within(text: &str, interest: &Interest) -> Result<Vec<Certificate>, Malformed> {
    let mut lines = CertificateLines::new(text, interest);
    let mut certificates = vec![read_one(&mut lines)?];
    while lines.has_more() {
        certificates.push(read_one(&mut lines)?);
    }
    lines.end()?;
    Ok(certificates)
}

fn read_one(lines: &mut CertificateLines<'_>) -> Result<Certificate, Malformed> {
    lines.exactly(VERSION)?;
    let origin = read_origin(lines)?;
    let interface = read_interface(lines)?;
    let evidence = read_evidence(lines, interface.actions.len())?;
    lines.exactly("end")?;
    Ok(Certificate { origin, interface, evidence })
}

pub(crate) fn read_origin(lines: &mut CertificateLines<'_>) -> Result<Origin, Malformed> {
    let kind = match lines.after("from")? {
        "network" => OriginKind::Network,
        "promela" => OriginKind::Promela,
        "fsp" => OriginKind::Fsp,
        _ => return lines.fails("expected `from network` or `from promela`"),
    };
    let property = lines.after("property")?;
    let property = lines.unescaped(property)?;
    let module = lines.names("module")?;
    let n_settings = lines.count("settings")?;
    let settings = lines.many(n_settings, |lines| match lines.next()?.split_once(' ') {
        Some((key, value)) => Ok((key.to_owned(), lines.unescaped(value)?)),
        None => lines.fails("expected a word and what it is set to"),
    })?;
    let Some((n_lines, hash)) = lines.after("text")?.split_once(' ') else {
        return lines.fails("expected the number of lines and the hash of the text");
    };
    let n_lines = lines.number(n_lines)?;
    let hash = match u64::from_str_radix(hash, 16) {
        Ok(number) if format!("{number:016x}") == hash => number,
        _ => return lines.fails("a hash has 16 hexadecimal digits"),
    };
    let embedded = lines.many(n_lines, |lines| match lines.next()?.strip_prefix('|') {
        Some(line) => Ok(line),
        None => lines.fails("a line of the embedded text begins with `|`"),
    })?;
    if embedded.is_empty() {
        return lines.fails("a text has one line at least, though it may be empty");
    }
    Ok(Origin { kind, property, module, settings, text: embedded.join("\n"), hash })
}

fn read_interface(lines: &mut CertificateLines<'_>) -> Result<Interface, Malformed> {
    let actions = lines.names("actions")?;
    let signatures = lines.names("signatures")?;
    if !signatures.is_empty() && signatures.len() != actions.len() {
        return lines.fails("there are signatures, but not one for each action");
    }
    let n_components = lines.count("components")?;
    let components = lines.many(n_components, read_component)?;
    let n_watched = lines.count("monitor")?;
    let watched = lines.many(n_watched, |lines| {
        let line = lines.next()?;
        lines.words(line)?.into_iter().map(|word| lines.number(word)).collect()
    })?;
    Ok(Interface { actions, signatures, components, watched })
}

fn read_component(lines: &mut CertificateLines<'_>) -> Result<Listed, Malformed> {
    let line = lines.next()?;
    let [n_states, width, name] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
        return lines.fails("expected the number of states, their width, and a name");
    };
    let (n_states, width) = (lines.number(n_states)?, lines.number(width)?);
    let name = lines.unescaped(name)?;
    let mut locals = Vec::new();
    if width > 0 {
        for _ in 0..n_states {
            let line = lines.next()?;
            let words = lines.words(line)?;
            if words.len() != width {
                return lines.fails(format!("expected {width} numbers"));
            }
            for word in words {
                locals.push(lines.number(word)?);
            }
        }
    }
    Ok(Listed { name, n_states, width, locals })
}

fn read_evidence(
    lines: &mut CertificateLines<'_>,
    n_actions: usize,
) -> Result<ProofEvidence, Malformed> {
    let n_nodes = lines.count("nodes")?;
    let nodes = lines.many(n_nodes, |lines| {
        Ok(Node { of: read_of(lines)?, map: read_map(lines, n_actions)? })
    })?;
    let n_proofs = lines.count("proofs")?;
    let proofs = lines.many(n_proofs, |lines| read_proof(lines, n_actions))?;
    Ok(ProofEvidence { nodes: IndexVec::from_vec(nodes), proofs })
}

fn read_proof(lines: &mut CertificateLines<'_>, n_actions: usize) -> Result<Proof, Malformed> {
    let roots = lines.after("roots")?;
    let roots = read_nodes(lines, roots)?;
    let about = match lines.after("about")? {
        ALL => About::All,
        actions => About::Only(read_alphabet(lines, actions, n_actions)?),
    };
    let invariant = read_tuples(lines, "invariant", roots.len() + 1)?;
    Ok(Proof { roots, about, invariant })
}

fn read_of(lines: &mut CertificateLines<'_>) -> Result<Of, Malformed> {
    let line = lines.next()?;
    if let Some(component) = line.strip_prefix("component ") {
        return Ok(Of::Component(Id::from_index(lines.number::<u32>(component)? as usize)));
    }
    let Some(children) = line.strip_prefix("product ") else {
        return lines.fails("expected `component ...` or `product ...`");
    };
    let children = read_nodes(lines, children)?;
    if children.is_empty() {
        return lines.fails("a product has children");
    }
    let tuples = read_tuples(lines, "tuples", children.len())?;
    Ok(Of::Product(children, tuples))
}

fn read_nodes(lines: &CertificateLines<'_>, line: &str) -> Result<Vec<NodeId>, Malformed> {
    let number = |word: &str| Ok(Id::from_index(lines.number::<u32>(word)? as usize));
    lines.words(line)?.into_iter().map(number).collect()
}

fn read_map(lines: &mut CertificateLines<'_>, n_actions: usize) -> Result<Map, Malformed> {
    let line = lines.next()?;
    if line == "identity" {
        return Ok(Map::Identity);
    }
    let Some((n_states, initial)) =
        line.strip_prefix("image ").and_then(|rest| rest.split_once(' '))
    else {
        return lines.fails("expected `identity` or `image ...`");
    };
    let n_states = lines.number::<u32>(n_states)? as usize;
    let initial = lines.below(initial, n_states, "state")?;
    let map = lines.after("map")?;
    let map = read_runs(lines, map)?;
    let alphabet = lines.after("alphabet")?;
    let alphabet = read_alphabet(lines, alphabet, n_actions)?;
    let lts = read_rows(lines, n_states, initial, alphabet)?;
    Ok(Map::Image(map, lts))
}

/// `3 4*7`: a 3, and seven times a 4.
fn read_runs(lines: &CertificateLines<'_>, line: &str) -> Result<RunLengths, Malformed> {
    let mut runs = RunLengths::default();
    for word in lines.words(line)? {
        let (state, times) = match word.split_once('*') {
            Some((state, times)) => (state, lines.number(times)?),
            None => (word, 1),
        };
        let state: StateId = Id::from_index(lines.number::<u32>(state)? as usize);
        let again = runs.runs().last().is_some_and(|run| run.0 == state);
        if again || times == 0 || word.contains('*') && times == 1 {
            return lines.fails(format!("`{word}` could be written shorter"));
        }
        runs.push(state, times);
    }
    Ok(runs)
}

/// Actions in order. (Ranges would be shorter, but a short text could then demand much memory.)
fn read_alphabet(
    lines: &CertificateLines<'_>,
    line: &str,
    n_actions: usize,
) -> Result<Alphabet, Malformed> {
    let mut actions: Vec<ActionId> = Vec::new();
    for word in lines.words(line)? {
        let action = Id::from_index(lines.below(word, n_actions, "action")?);
        if actions.last().is_some_and(|&last| last >= action) {
            return lines.fails("actions are in order, each once");
        }
        actions.push(action);
    }
    Ok(actions.into_iter().collect())
}

/// A line per state, with alternating labels and targets.
fn read_rows(
    lines: &mut CertificateLines<'_>,
    n_states: usize,
    initial: usize,
    alphabet: Alphabet,
) -> Result<Lts, Malformed> {
    let mut builder = LtsBuilder::new();
    let mut transitions = Vec::new();
    for source in 0..n_states {
        builder.add_state();
        let line = lines.next()?;
        let words = lines.words(line)?;
        let mut last = None;
        for pair in words.chunks(2) {
            let [label, target] = pair else { return lines.fails("a label without a target") };
            let label = match *label {
                TAU => Label::Tau,
                action => Label::Visible(Id::from_index(lines.number::<u32>(action)? as usize)),
            };
            let target: StateId = Id::from_index(lines.below(target, n_states, "state")?);
            if label.action().is_some_and(|action| !alphabet.contains(action)) {
                return lines.fails("a transition by an action outside the alphabet");
            }
            if last.replace((label, target)).is_some_and(|last| last >= (label, target)) {
                return lines.fails("transitions are in order, each once");
            }
            transitions.push((Id::from_index(source), label, target));
        }
    }
    transitions.into_iter().for_each(|(s, label, t)| builder.add_transition(s, label, t));
    Ok(builder.finish(Id::from_index(initial), alphabet))
}

fn read_tuples(
    lines: &mut CertificateLines<'_>,
    what: &str,
    width: usize,
) -> Result<TupleList, Malformed> {
    let count = lines.count(what)?;
    let mut tuples = TupleList::new(width);
    for _ in 0..count {
        let line = lines.next()?;
        let words = lines.words(line)?;
        if words.len() != width {
            return lines.fails(format!("expected {width} states"));
        }
        for word in words {
            tuples.states.push(Id::from_index(lines.number::<u32>(word)? as usize));
        }
    }
    Ok(tuples)
}
