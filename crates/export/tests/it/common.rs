//! Builds the program in which a requirement replaces a module.

use resy_automata::lts::{Lts, StateId};
use resy_automata::network::{ComponentId, Network};
use resy_compose::{Split, exact};
use resy_export::rewrite::{
    Module, RewriteRefusal, Watched, requirement_proctype, stand_in, with_one_property,
};
use resy_network::{Budget, Cut, Manner, NetworkSpec, WatchedProperty, components};
use resy_passes::{Visible, merge, reset_dead};
use resy_promela::preprocess::{Define, preprocess};
use resy_promela::{Diagnostics, SourceMap, lower, parse, unparse};
use resy_system::{ClaimMonitor, Interpreter, Options, System};
use resy_testkit::fixtures::Fixture;
use resy_testkit::generate::{generate, print};
use resy_testkit::systems::Beside;
use std::ops::Range;
use std::path::Path;

/// The maximal size of products.
const MOST: usize = 100_000;

/// A program: its text after preprocessing, and its system.
pub struct Program {
    pub name: String,
    pub text: String,
    pub system: System,
}

/// A question about a program.
#[derive(Clone)]
pub struct Question {
    pub name: String,
    pub watched: fn(&str) -> Watched<'_>,
    pub properties: Vec<WatchedProperty>,
    pub monitors: Vec<ClaimMonitor>,
}

impl Question {
    /// The program reduced to this property.
    pub fn text(&self, program: &Program) -> String {
        with_one_property(&program.text, (self.watched)(&self.name)).expect("it was read before")
    }
}

/// The result of replacing a module.
pub enum Outcome {
    /// There is no network, or no requirement.
    Beyond(String),
    /// The requirement cannot be written.
    Refused(RewriteRefusal),
    /// The new program, and the states of the module and of its requirement.
    Replaced(String, usize, usize),
}

/// The question about violations of single steps, which spin reports as failed assertions.
pub fn assertions() -> Question {
    let properties = vec![WatchedProperty::Assertions, WatchedProperty::Runtime];
    Question {
        name: "assertions".to_owned(),
        watched: |_| Watched::Steps,
        properties,
        monitors: Vec::new(),
    }
}

/// The question about the event trace, if there is one.
pub fn trace(system: &System) -> Option<Question> {
    system.trace.as_ref().map(|_| Question {
        name: "trace".to_owned(),
        watched: |_| Watched::Trace,
        properties: vec![WatchedProperty::Trace],
        monitors: Vec::new(),
    })
}

/// The questions about claims that can be monitored.
pub fn claims(system: &System) -> Vec<Question> {
    let monitors = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
    let question = |monitor: ClaimMonitor| Question {
        name: monitor.name.clone(),
        watched: |name| Watched::Claim(name),
        properties: vec![WatchedProperty::Claim(0)],
        monitors: vec![monitor],
    };
    monitors.map(question).collect()
}

pub fn program(name: &str, text: String, defines: &[String], folder: &Path) -> Option<Program> {
    let defines: Vec<Define> = defines.iter().map(|d| Define::parse(d)).collect();
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let mut loader = Beside(folder.to_path_buf());
    let tokens = preprocess(name, text, &defines, &mut loader, &mut map, &mut diags);
    let text = unparse(&tokens);
    let tree = parse::parse(tokens, &mut map, &mut diags);
    let system = lower(&tree, &map, &mut diags)?;
    Some(Program { name: name.to_owned(), text, system })
}

/// The program of a model, which is accepted.
pub fn program_of(fixture: &Fixture) -> Program {
    let bytes = std::fs::read(&fixture.path).expect("a file");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let folder = fixture.path.parent().expect("a folder");
    program(&fixture.name, text, &fixture.defines, folder).expect("a model of the repository")
}

/// The random programs of these seeds that are accepted.
pub fn random_programs(seeds: Range<u64>) -> impl Iterator<Item = (String, Program)> {
    seeds.filter_map(|seed| {
        let name = format!("seed {seed}");
        let program = program(&name, print(&generate(seed)), &[], Path::new("."))?;
        Some((name, program))
    })
}

/// The value of an environment variable, or the usual number.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// Replaces a module by its exact requirement.
pub fn replace(program: &Program, module: &[usize], question: &Question) -> Outcome {
    let exact = |split: &Split| Some(exact::synthesize(split, MOST).ok()?.lts().clone());
    replace_by(program, module, question, exact)
}

/// Replaces a module by an automaton.
pub fn replace_by(
    program: &Program,
    module: &[usize],
    question: &Question,
    choose: impl Fn(&Split) -> Option<Lts>,
) -> Outcome {
    let replaced = with_split(program, module, question, |module, split| {
        let Some(lts) = choose(split) else {
            return Outcome::Beyond("too many contexts".to_owned());
        };
        match stand_in(&program.text, (question.watched)(&question.name), module, &lts) {
            Ok(text) => Outcome::Replaced(text, split.module.lts.n_states(), lts.n_states()),
            Err(refusal) => Outcome::Refused(refusal),
        }
    });
    replaced.unwrap_or_else(Outcome::Beyond)
}

/// A module written as a proctype for people.
pub fn readable(program: &Program, module: &[usize]) -> String {
    let written = with_split(program, module, &assertions(), |module, split| {
        let members = |state: StateId| vec![format!("{state:?}")];
        requirement_proctype(&program.text, module, &split.module.lts, &members)
    });
    written.expect("a network").expect("it can be written")
}

/// Calls a function with a module and its split.
fn with_split<T>(
    program: &Program,
    module: &[usize],
    question: &Question,
    use_it: impl FnOnce(Module<'_>, &Split) -> T,
) -> Result<T, String> {
    let conditions = question.monitors.iter().flat_map(|m| m.propositions.clone()).collect();
    let visible = Visible::new(conditions);
    let counts = question.monitors.iter().any(ClaimMonitor::counts_steps);
    let merged = if counts { program.system.clone() } else { merge(&program.system, &visible) };
    let reduced = reset_dead(&merged, &visible);
    let interpreter = Interpreter::new(&reduced, Options::default());
    let cut = Cut::of(interpreter.clone(), question.monitors.clone(), &Manner::default());
    let apart = cut.map_err(|refusal| refusal.to_string())?.told_by(module);
    let asked = NetworkSpec {
        manner: Manner { apart, ..Manner::default() },
        monitors: question.monitors.clone(),
        properties: question.properties.clone(),
        budget: Budget { states: 5_000, labels: 20_000, attempts: 500_000 },
    };
    let (cut, components) =
        components(&interpreter, &asked, &mut |_| true).map_err(|failure| failure.to_string())?;
    let is_member = |id: &ComponentId| {
        cut.parts[components.parts[*id]].process.is_some_and(|pid| module.contains(&pid))
    };
    let members: Vec<ComponentId> = components.network.components.ids().filter(is_member).collect();
    let network = Network { module: members.clone(), ..components.network.clone() };
    let split = Split::of(&network, MOST).map_err(|error| error.to_string())?;
    Ok(use_it(Module { cut: &cut, components: &components, members: &members }, &split))
}
