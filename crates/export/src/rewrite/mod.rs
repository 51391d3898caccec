//! A requirement as a process: the program in which it replaces its module.
//!
//! The body of the module's process becomes an automaton with a jump label per state and an option per
//! transition. The rest of the text, the number of processes and their pids stay the same. Each action is
//! one statement that cannot block midway; if there is no such statement, the requirement is
//! [refused](RewriteRefusal).
//!
//! Several actions may have the same statement. This is sound if all of them lead to the same state of
//! the module: the sender does not observe which receiver accepts an offer, nor what it does next.

mod admission;
mod automaton;
mod body;
mod foresight;
mod module;
mod refusal;
mod statement;
mod vocabulary;
mod watched;

pub use module::Module;
pub use refusal::{RewriteObstacle, RewriteRefusal};
pub use watched::{Watched, with_one_property};

use automaton::{AutomatonText, automaton, readable};
use body::{ProctypeBody, ProgramText};
use resy_automata::lts::{Lts, StateId};
use resy_system::ProctypeId;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The program in which the requirement replaces the module, with the one property that the requirement
/// is for. `text` is the program after preprocessing; the requirement is over the network's actions.
pub fn stand_in(
    text: &str,
    watched: Watched<'_>,
    module: Module<'_>,
    requirement: &Lts,
) -> Result<String, RewriteRefusal> {
    module.can_be_replaced()?;
    if watched == Watched::Trace {
        module.attempts_no_event()?;
    }
    let source = ProgramText::read(text)?;
    let pids = module.pids();
    let &host = pids.first().ok_or(RewriteObstacle::Text)?;
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
        // The requirement may be nondeterministic where the module is not.
        changes.extend(body.deterministic.clone().map(|word| (word, "proctype".to_owned())));
        changes.push((body.span.clone(), new_body(&body, &instances, &pids, host, &automaton)));
    }
    changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = source.text().to_owned();
    for (span, new) in changes {
        text.replace_range(span, &new);
    }
    Ok(with_one_property(&text, watched)?)
}

/// A requirement as a proctype for people to read. `text` is the program after preprocessing, and
/// `members` names the states of the module that a state stands for. Actions that cannot be written
/// become comments.
pub fn requirement_proctype(
    text: &str,
    module: Module<'_>,
    requirement: &Lts,
    members: &dyn Fn(StateId) -> Vec<String>,
) -> Result<String, RewriteObstacle> {
    let source = ProgramText::read(text)?;
    let pids = module.pids();
    let &host = pids.first().ok_or(RewriteObstacle::Text)?;
    let name = &module.cut.system().proctypes[module.cut.proctypes[host]].name;
    let body = source.body(name)?;
    let words = module.words(&source, host, &body);
    let AutomatonText { declarations, states } = readable(&words, module, requirement, members);
    let names: Vec<String> = pids.iter().map(|&pid| module.cut.process_name(pid)).collect();
    let mut out = format!(
        "/* The requirement of {}: what the others need to know of it.\n   \
         {} states, {} transitions. */\nproctype {}_requirement()\n{{\n",
        names.join(", "),
        requirement.n_states(),
        requirement.n_transitions(),
        name.trim_matches(':'),
    );
    let kept = body.channels.iter().map(|declaration| declaration.to_string());
    kept.chain(declarations).for_each(|line| write_to(&mut out, &line, ";\n"));
    write_to(&mut out, &states, "}\n");
    Ok(resy_promela::format::format(&out))
}

/// The new body of a proctype. If several instances exist, each selects its behaviour by its pid.
fn new_body(
    body: &ProctypeBody<'_>,
    instances: &[usize],
    module: &[usize],
    host: usize,
    automaton: &AutomatonText,
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

/// Appends two pieces of text.
fn write_to(out: &mut String, a: &str, b: &str) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{a}{b}");
}
