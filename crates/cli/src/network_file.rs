//! Network files: automata that are analysed without Promela.

use crate::Exit;
use crate::args::{Check, Engine, Format};
use crate::check::no_certificate;
use crate::compositional::write_certificate;
use crate::decide::{Method, decide, network_methods, requirement_methods};
use crate::limits::Limits;
use crate::problem::{Problem, Trouble};
use crate::progress::Meter;
use crate::properties::Verdict;
use crate::requirement::synthesize;
use crate::{load, memory, network_page, team};
use resy_automata::network::Network;
use resy_automata::product::{ProductStep, Safety, oldest_first, reaches_error_while};
use resy_automata::text::network_file;
use resy_compose::Conclusion;
use resy_export::requirement::Described;
use serde_json::{Value, json};
use std::path::Path;

/// Larger products are left to the compositional engines.
const MAX_STATES: usize = 50_000_000;

/// Smaller ones are searched at once, if nobody says what to do.
const SMALL: usize = 100_000;

/// After so many states one looks at the limits.
const PATIENCE: usize = 1024;

/// Whether a file is a network of automata and no Promela.
pub fn is_one(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "net")
}

/// Reads a network; `tau` is another name of the internal action.
pub fn load(file: &Path, tau: Option<&str>) -> Result<Network, Exit> {
    load_with_texts(file, tau).map(|(network, _)| network)
}

/// The same, with the names and texts of the files that it is made of.
fn load_with_texts(
    file: &Path,
    tau: Option<&str>,
) -> Result<(Network, Vec<(String, String)>), Exit> {
    let text = load::read(file).map_err(|error| {
        eprintln!("resy: cannot read {}: {error}", file.display());
        Exit::BadInput
    })?;
    let name = file.display().to_string();
    let mut texts = vec![(name.clone(), text.clone())];
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut beside = |path: &str| {
        let text = load::read(&folder.join(path)).map_err(|e| e.to_string())?;
        texts.push((path.to_owned(), text.clone()));
        Ok(text)
    };
    let internal: Vec<&str> = tau.into_iter().collect();
    match network_file::read(&name, &text, &internal, &mut beside) {
        Ok((network, notes)) => {
            notes.iter().for_each(|note| eprintln!("resy: note: {note}"));
            Ok((network, texts))
        }
        Err(error) => {
            eprintln!("resy: {error}");
            Err(Exit::BadInput)
        }
    }
}

/// Reads a network that has a monitor.
pub fn load_with_monitor(file: &Path) -> Result<Network, Exit> {
    let network = load(file, None)?;
    require_monitor(&network, file)?;
    Ok(network)
}

fn require_monitor(network: &Network, file: &Path) -> Result<(), Exit> {
    if network.monitor.is_some() {
        return Ok(());
    }
    let file = file.display();
    Err(bad_input(format!("{file}: the network has no monitor, so nothing to check")))
}

/// What was found.
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Who says so.
    pub engine: &'static str,
    /// Why it is not known.
    pub reason: Option<String>,
    /// The steps into the error state.
    pub steps: Option<Vec<ProductStep>>,
    /// Of the product, or abstract contexts.
    pub states: usize,
    /// Whether the product of the components was explored.
    pub by_product: bool,
    /// Of the product.
    pub transitions: usize,
    /// The requirement of the module, if a report is to show it.
    pub requirement: Option<Described>,
}

/// `resy check` on a network: can the monitor err?
pub fn check(check: &Check) -> Exit {
    verdict(check).map_or_else(|exit| exit, Exit::from)
}

fn verdict(check: &Check) -> Result<Verdict, Exit> {
    if check.chart.is_some() || !matches!(check.format, Format::Text | Format::Json) {
        let message = "the steps of a network have no statements; only text and JSON show them";
        return Err(bad_input(message.to_owned()));
    }
    let limits = Limits::of(&check.resources).map_err(bad_input)?;
    let limits = limits.told_to(Meter::of(&check.common));
    let (network, texts) = load_with_texts(&check.file, None)?;
    require_monitor(&network, &check.file)?;
    no_certificate(check)?;
    let answer = match check.engine {
        Engine::Monolithic => monolithic(&network, MAX_STATES, &limits),
        Engine::Auto => whoever_can(check, &network, &limits)?,
        Engine::Requirement => {
            let problem = Problem::of_network(network.clone(), &check.module);
            by_abstraction(check, problem, requirement_methods(check), &limits)?
        }
        Engine::Network => {
            let problem = Problem::of_whole_network(network.clone());
            by_abstraction(check, problem, network_methods(check), &limits)?
        }
    };
    limits.meter().inspect(|meter| meter.done());
    if let Some(file) = &check.report {
        let page = network_page::of_check(check, &network, &texts, &answer, limits.elapsed());
        std::fs::write(file, page)
            .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display())))?;
    }
    if check.json || check.format == Format::Json {
        println!("{}", to_json(check, &network, &answer, limits.elapsed().as_secs_f64()));
    } else {
        print(&network, &answer);
    }
    Ok(answer.verdict)
}

/// A small product, then an abstraction, then a large product.
fn whoever_can(check: &Check, network: &Network, limits: &Limits) -> Result<Answer, Exit> {
    let by_product = |limit| {
        let answer = check.certificate.is_none().then(|| monolithic(network, limit, limits));
        answer.filter(|answer| answer.verdict != Verdict::Unknown)
    };
    if let Some(answer) = by_product(SMALL) {
        return Ok(answer);
    }
    let problem = Problem::of_whole_network(network.clone());
    let answer = by_abstraction(check, problem, network_methods(check), limits)?;
    if answer.verdict != Verdict::Unknown || limits.exceeded().is_some() {
        return Ok(answer);
    }
    Ok(by_product(MAX_STATES).unwrap_or(answer))
}

fn monolithic(network: &Network, limit: usize, limits: &Limits) -> Answer {
    let mut answer = Answer {
        verdict: Verdict::Holds,
        engine: "monolithic",
        reason: None,
        steps: None,
        states: 0,
        by_product: true,
        transitions: 0,
        requirement: None,
    };
    let mut n_left = 0;
    let found = reaches_error_while(network, oldest_first, |n_states| {
        (answer.states, n_left) = (n_states, n_left + 1);
        n_states <= limit && (n_left % PATIENCE != 1 || is_in_time(n_states, limits))
    });
    match found {
        Some(Safety::Safe { n_states, n_transitions }) => {
            (answer.states, answer.transitions) = (n_states, n_transitions);
        }
        Some(Safety::Trace(steps)) => {
            answer.verdict = Verdict::Fails;
            answer.steps = Some(steps);
        }
        Some(Safety::TooLarge(_)) | None => {
            answer.verdict = Verdict::Unknown;
            let too_large = || format!("the product has more than {limit} states");
            answer.reason = Some(limits.exceeded().map_or_else(too_large, str::to_owned));
        }
    }
    answer
}

fn is_in_time(n_states: usize, limits: &Limits) -> bool {
    limits.meter().inspect(|meter| meter.product(n_states));
    limits.exceeded().is_none()
}

fn by_abstraction(
    check: &Check,
    problem: Result<Problem<'_>, Trouble>,
    methods: &[Method],
    limits: &Limits,
) -> Result<Answer, Exit> {
    let problem = problem.map_err(Trouble::report)?;
    let wants_evidence = check.certificate.is_some();
    let decision = decide(&problem, methods, team::threads(check), wants_evidence, limits);
    if let Some(file) = &check.certificate {
        let evidence = decision.evidence;
        let certificate = evidence.map(|evidence| problem.certificate(evidence?, None));
        write_certificate(file, certificate)?;
    }
    let (verdict, steps, reason) = match decision.verdict {
        Conclusion::Holds => (Verdict::Holds, None, None),
        Conclusion::Fails(steps) => (Verdict::Fails, Some(steps), None),
        Conclusion::Interrupted => (Verdict::Unknown, None, limits.exceeded().map(str::to_owned)),
    };
    let (engine, states) = (methods[0].engine(), decision.effort.states);
    let by_product = decision.method == Method::Product;
    let is_shown = check.report.is_some() && check.engine == Engine::Requirement;
    let requirement = is_shown.then(|| synthesize(&problem, limits));
    Ok(Answer { verdict, engine, reason, steps, states, by_product, transitions: 0, requirement })
}

fn print(network: &Network, answer: &Answer) {
    let steps = answer.steps.iter().flatten();
    match answer.verdict {
        Verdict::Holds => println!("monitor holds"),
        Verdict::Fails => println!("monitor fails after {} steps", steps.clone().count()),
        Verdict::Unknown => {
            println!("monitor unknown: {}", answer.reason.as_deref().unwrap_or_default());
        }
    }
    for (i, &step) in steps.enumerate() {
        println!("{:>4}  {}", i + 1, step_name(network, step));
    }
    match (answer.verdict, answer.engine) {
        (Verdict::Holds, "monolithic") => {
            println!("{} states, {} transitions of the product", answer.states, answer.transitions);
        }
        (Verdict::Holds, _) if answer.by_product => {
            println!("{} states of the product", answer.states)
        }
        (Verdict::Holds, _) => println!("{} abstract contexts", answer.states),
        _ => {}
    }
}

/// What a step of a network is called.
pub fn step_name(network: &Network, step: ProductStep) -> String {
    match step {
        ProductStep::Tau(component) => {
            format!("(internal step of {})", network.components[component].name)
        }
        ProductStep::Action(action) => network.actions[action].name.clone(),
    }
}

fn to_json(check: &Check, network: &Network, answer: &Answer, seconds: f64) -> Value {
    let counterexample = answer.steps.as_ref().map(|steps| {
        let steps: Vec<String> = steps.iter().map(|&s| step_name(network, s)).collect();
        json!({ "steps": steps })
    });
    json!({
        "schema": "resy/1",
        "command": "check",
        "file": check.file.display().to_string(),
        "verdict": answer.verdict.as_str(),
        "complete": answer.verdict != Verdict::Unknown,
        "not_checked": [],
        "properties": [{
            "name": "monitor",
            "kind": "monitor",
            "verdict": answer.verdict.as_str(),
            "engine": answer.engine,
            "reason": answer.reason,
            "counterexample": counterexample,
        }],
        "stats": {
            "states": answer.states,
            "transitions": answer.transitions,
            "depth": answer.steps.as_ref().map_or(0, Vec::len),
            "seconds": seconds,
            "peak_bytes": memory::peak(),
        },
    })
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
