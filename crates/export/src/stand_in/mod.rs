//! A requirement as a process: the program with the requirement in the module's place.
//!
//! The body of the module's process becomes an automaton, a label for each state and an option for
//! each transition. Everything else of the text stays as it is, and so do the number of
//! processes and their pids. Each action is one statement that cannot block half-way; where
//! that cannot be written, the requirement is [refused](Refusal).
//!
//! That a statement says less than the action does no harm where all actions with that statement
//! lead to the same state of the module: which receiver accepts an offer, and what it does then, is not the
//! sender's business.

mod body;
mod foresight;
mod refusal;
mod statement;
mod watched;
mod words;

pub use refusal::{Refusal, Why};
pub use watched::{Watched, with_one_property};

use body::{Body, Source};
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::ComponentId;
use resy_index::Id;
use resy_network::{Components, Cut, Doubt, Home, Item, PartId, Request};
use resy_system::{Cell, Expr, ProctypeId, Scope, SourcePlace};
use rustc_hash::{FxHashMap, FxHashSet};
use statement::{Statement, statement};
use std::collections::BTreeSet;
use std::fmt::Write;
use words::Words;

/// What is to be replaced: some components of a network, in the program that it was made of.
#[derive(Copy, Clone)]
pub struct Module<'a> {
    /// The cut.
    pub cut: &'a Cut<'a>,
    /// The network.
    pub components: &'a Components,
    /// The components of the module.
    pub members: &'a [ComponentId],
}

/// The program with the requirement in the place of the module. `text` is the program after
/// preprocessing, and the requirement speaks of the network's actions.
pub fn stand_in(text: &str, module: Module<'_>, requirement: &Lts) -> Result<String, Refusal> {
    module.can_be_replaced()?;
    let source = Source::read(text)?;
    let pids = module.pids();
    let &host = pids.first().ok_or(Why::Text)?;
    let name = |proctype: ProctypeId| &module.cut.system().proctypes[proctype].name;
    let host_body = source.body(name(module.cut.proctypes[host]))?;
    let words = module.words(&source, host, &host_body);
    let automaton = automaton(&words, module, requirement, &source.fresh_prefix())?;

    let replaced: BTreeSet<ProctypeId> =
        pids.iter().map(|&pid| module.cut.proctypes[pid]).collect();
    let mut changes = Vec::new();
    for proctype in replaced {
        let body = source.body(name(proctype))?;
        let instances = module.instances(proctype);
        if instances.iter().any(|pid| !pids.contains(pid)) {
            module.can_wait(proctype)?;
        }
        // The requirement need not be deterministic where the module is.
        changes.extend(body.deterministic.clone().map(|word| (word, "proctype".to_owned())));
        changes.push((body.span.clone(), new_body(&body, &instances, &pids, host, &automaton)));
    }
    changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = source.text().to_owned();
    for (span, new) in changes {
        text.replace_range(span, &new);
    }
    Ok(text)
}

/// The requirement as text: what it declares, and its states.
struct Automaton {
    declarations: Vec<String>,
    states: String,
}

/// The new body of a proctype. Of several instances, each finds by its pid what it is.
fn new_body(
    body: &Body<'_>,
    instances: &[usize],
    module: &[usize],
    host: usize,
    automaton: &Automaton,
) -> String {
    let all_inside = instances.iter().all(|pid| module.contains(pid));
    let mut text = String::from("{\n");
    if all_inside {
        body.channels.iter().for_each(|declaration| write_to(&mut text, declaration, ";\n"));
    } else if !body.declarations.trim().is_empty() {
        write_to(&mut text, body.declarations.trim(), "\n;\n");
    }
    if instances.contains(&host) {
        automaton.declarations.iter().for_each(|d| write_to(&mut text, d, ";\n"));
    }
    match instances {
        [only] if only == &host => text.push_str(&automaton.states),
        _ if !instances.contains(&host) && all_inside => text.push_str("false\n"),
        _ => {
            text.push_str("if\n");
            for pid in instances.iter().filter(|pid| module.contains(pid)) {
                let does = if *pid == host { &automaton.states } else { "false\n" };
                write_to(&mut text, &format!(":: _pid == {pid} ->\n"), does);
            }
            if !all_inside {
                let rest = body.rest.trim().trim_start_matches(';');
                write_to(&mut text, ":: else ->\n", rest);
                text.push('\n');
            }
            text.push_str("fi\n");
        }
    }
    text.push('}');
    text
}

/// The states of the requirement, the initial one first.
fn automaton(
    words: &Words<'_>,
    module: Module<'_>,
    requirement: &Lts,
    prefix: &str,
) -> Result<Automaton, Refusal> {
    let mut statements = FxHashMap::default();
    let initial = requirement.initial();
    let others = requirement.states().filter(|&state| state != initial);
    let mut states = String::new();
    for state in std::iter::once(initial).chain(others) {
        let mut options = Vec::new();
        for &(label, target) in requirement.transitions_from(state) {
            let statement = match label {
                Label::Tau => &Statement::Silent,
                Label::Visible(action) => known(&mut statements, words, module, action)?,
            };
            // What does nothing and leads nowhere need not be done.
            let option = match statement {
                Statement::Silent if target != state => ("true".to_owned(), target),
                Statement::Waits(guard) if target != state => (guard.clone(), target),
                Statement::Does(text) => (text.clone(), target),
                _ => continue,
            };
            if !options.contains(&option) {
                options.push(option);
            }
        }
        write_state(&mut states, prefix, state, &options);
    }
    Ok(Automaton { declarations: words.declarations(), states })
}

fn write_state(text: &mut String, prefix: &str, state: StateId, options: &[(String, StateId)]) {
    write_to(text, &format!("{prefix}{}:", state.index()), "");
    if options.is_empty() {
        text.push_str(" false;\n");
        return;
    }
    text.push_str(" if\n");
    for (statement, target) in options {
        write_to(text, &format!(":: {statement}; goto {prefix}{}\n", target.index()), "");
    }
    text.push_str("fi;\n");
}

/// The statement of an action, which is found once.
fn known<'s>(
    statements: &'s mut FxHashMap<ActionId, Statement>,
    words: &Words<'_>,
    module: Module<'_>,
    action: ActionId,
) -> Result<&'s Statement, Refusal> {
    if !statements.contains_key(&action) {
        let meaning = &module.components.meanings[action];
        let (inside, dies) = (|part| module.contains(part), |part| module.dies(part));
        let found = statement(words, meaning, &inside, &dies).map_err(|why| Refusal {
            why,
            action: Some(module.components.network.actions[action].name.clone()),
            source: meaning.sources.first().copied(),
        })?;
        statements.insert(action, found);
    }
    Ok(&statements[&action])
}

impl<'a> Module<'a> {
    /// The processes of the module.
    fn pids(&self) -> Vec<usize> {
        let parts = self.members.iter().map(|&member| self.components.parts[member]);
        let mut pids: Vec<usize> = parts.filter_map(|part| self.cut.parts[part].process).collect();
        pids.sort_unstable();
        pids
    }

    /// All processes of a proctype.
    fn instances(&self, proctype: ProctypeId) -> Vec<usize> {
        let processes = self.cut.proctypes.iter().enumerate();
        processes.filter(|(_, runs)| **runs == proctype).map(|(pid, _)| pid).collect()
    }

    fn contains(&self, part: PartId) -> bool {
        self.members.iter().any(|&member| self.components.parts[member] == part)
    }

    /// Whether a process can be found dead.
    fn dies(&self, part: PartId) -> bool {
        let component = self.components.parts.iter().position(|&other| other == part);
        self.cut.deaths
            && component.is_none_or(|component| {
                let locals = &self.components.locals[ComponentId::from_index(component)];
                locals.iter().any(|local| local.first() == Some(&0))
            })
    }

    /// The words that the process has for things.
    fn words(&self, source: &Source<'_>, host: usize, body: &Body<'_>) -> Words<'a> {
        let proctype = self.cut.proctypes[host];
        let frame = &self.cut.system().proctypes[proctype].frame;
        let whole = self.instances(proctype).iter().all(|pid| self.pids().contains(pid));
        let mut own: FxHashSet<String> = body.kept.clone();
        for variable in &frame.variables {
            if !whole || variable.offset < frame.n_params {
                let base = variable.name.split(['.', '[']).next().unwrap_or_default();
                own.insert(base.to_owned());
            }
        }
        Words::new(self.cut, host, own, source.fresh_prefix())
    }

    /// Whether it could be replaced at all, whatever it does.
    fn can_be_replaced(&self) -> Result<(), Refusal> {
        let system = self.cut.system();
        if let Some(doubt) = self.components.doubts.first() {
            let why = match doubt {
                Doubt::Timeout(_) => Why::Timeout,
                Doubt::ClaimAtEnd(_) => Why::ClaimAtEnd,
            };
            return Err(Refusal { why, action: None, source: doubt.source() });
        }
        if system.uses_last || self.cut.claims.iter().any(|c| c.monitor.counts_steps()) {
            return Err(Why::Counted.into());
        }
        for pid in self.pids() {
            let process = &self.cut.initial.processes()[pid];
            let proctype = &system.proctypes[process.proctype];
            if process.location != proctype.start {
                return Err(Why::Started.into());
            }
            // The clause stays, and the module need not write for it what nobody else reads.
            if proctype.provided.as_ref().is_some_and(|condition| !self.is_outside(condition)) {
                return Err(Why::Provided.into());
            }
        }
        if let Some(source) = self.remote_reference() {
            return Err(Refusal { why: Why::Asked, action: None, source: Some(source) });
        }
        let shares = self.cut.sums.iter().flat_map(|sum| &sum.shares);
        if shares.into_iter().any(|&share| self.owns(Item::Cell(share))) {
            return Err(Why::Shares.into());
        }
        let supports = self.cut.claims.iter().flat_map(|claim| &claim.supports);
        for support in supports {
            if support.all || support.items.iter().any(|&item| self.owns(item)) {
                return Err(Why::Watched.into());
            }
        }
        Ok(())
    }

    /// Whether something belongs to the module, so that its steps do not tell what they do to it.
    fn owns(&self, item: Item) -> bool {
        match item {
            Item::Cell(cell) => match self.cut.home(cell) {
                Home::At(part, _) => self.contains(part),
                Home::Constant(_) => false,
                Home::Sum(sum) => {
                    let shares = &self.cut.sums[sum as usize].shares;
                    shares.iter().any(|&share| self.owns(Item::Cell(share)))
                }
            },
            Item::Channel(chan) => self.contains(self.cut.channels[chan].part),
            Item::Process(pid) => self.contains(self.cut.processes[pid]),
            Item::Last => true,
        }
    }

    /// Whether a condition is about global variables that do not belong to the module.
    fn is_outside(&self, condition: &Expr) -> bool {
        let mut outside = true;
        condition.walk(&mut |part| {
            outside &= match part {
                Expr::Load(place) => {
                    let cell = Cell::Global(place.offset);
                    place.scope == Scope::Global
                        && place.indices.is_empty()
                        && !self.owns(Item::Cell(cell))
                }
                Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Pid => true,
                _ => false,
            }
        });
        outside
    }

    /// Where somebody else, or a claim, names a label or a variable of the module. It need not
    /// come to that in any run: the text would be wrong.
    fn remote_reference(&self) -> Option<SourcePlace> {
        let system = self.cut.system();
        let pids = self.pids();
        let replaced: Vec<ProctypeId> = pids.iter().map(|&pid| self.cut.proctypes[pid]).collect();
        let names = |e: &Expr| match e {
            Expr::RemoteLocation { proctype, .. } | Expr::RemoteLoad { proctype, .. } => {
                replaced.contains(proctype)
            }
            _ => false,
        };
        let claims = self.cut.claims.iter().flat_map(|claim| &claim.monitor.propositions);
        if claims.into_iter().any(|condition| condition.any(names)) {
            return Some(SourcePlace::default());
        }
        for (id, proctype) in system.proctypes.iter_enumerated() {
            if self.instances(id).iter().all(|pid| pids.contains(pid)) && replaced.contains(&id) {
                continue;
            }
            if proctype.provided.as_ref().is_some_and(|condition| condition.any(names)) {
                return Some(proctype.source);
            }
            for edge in proctype.edges.iter().flatten() {
                let mut found = false;
                edge.command.walk(&mut |e| found |= names(e));
                if found {
                    return Some(edge.source);
                }
            }
        }
        None
    }

    /// Whether nobody minds that the processes of a proctype must first find out what they are.
    fn can_wait(&self, proctype: ProctypeId) -> Result<(), Refusal> {
        let parts: Vec<PartId> =
            self.instances(proctype).iter().map(|&pid| self.cut.processes[pid]).collect();
        let turns = self.components.meanings.iter().flat_map(|meaning| &meaning.turns);
        let mut exchanges = turns.flat_map(|turn| &turn.exchanges);
        let asked = exchanges.any(|e| parts.contains(&e.part) && e.request != Request::Alive);
        let watched = self.cut.claims.iter().flat_map(|claim| &claim.supports).any(|support| {
            let about = |item: &Item| match item {
                Item::Process(pid) => parts.contains(&self.cut.processes[*pid]),
                _ => false,
            };
            support.items.iter().any(about)
        });
        if asked || watched { Err(Why::Asked.into()) } else { Ok(()) }
    }
}

/// Writes two pieces of text.
fn write_to(out: &mut String, a: &str, b: &str) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{a}{b}");
}
