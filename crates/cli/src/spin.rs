//! `resy spin`: the requirement in the module's place, handed to the real spin.

use crate::Exit;
use crate::args::Spin;
use crate::check::total;
use crate::confirm::Violation;
use crate::limits::Limits;
use crate::model::Model;
use crate::problem::{Problem, Trouble};
use crate::progress::Meter;
use crate::properties::{Property, Verdict};
use crate::pursue::{Clue, pursue};
use crate::shorten;
use crate::spin_report::{Answer, Report, Sizes};
use resy_automata::lts::Lts;
use resy_compose::refine::{alternating, assume};
use resy_compose::{Conclusion, Requirement};
use resy_export::rewrite::{Module, Watched, stand_in, with_one_property};
use resy_export::spin::{Flags, Folder, PanSearch, SpinFailure, SpinRun, verify};
use resy_network::{Cut, Home, Manner};
use resy_system::{Cell, Interpreter};
use std::time::Duration;

/// How much longer than the generated model the original one may take: so many times as long, and
/// then so much more.
const PATIENCE: (u32, Duration) = (10, Duration::from_secs(10));

/// Runs the command.
pub fn run(call: &Spin) -> Exit {
    answer(call).map_or_else(|exit| exit, Exit::from)
}

fn answer(call: &Spin) -> Result<Verdict, Exit> {
    let limits = Limits::of(&call.resources).map_err(bad_input)?;
    let limits = limits.told_to(Meter::of(&call.common));
    let mut model = Model::load(&call.file, &call.common, &call.semantics, &call.properties)?;
    model.selection = model.selection.without_end_states();
    if model.selection.properties.is_empty() {
        for left_out in &model.selection.not_checked {
            eprintln!("resy: `{}` cannot be checked: {}", left_out.name, left_out.reason);
        }
        return Err(bad_input("there is no safety property to hand to spin".to_owned()));
    }
    let text = model.program.preprocessed();
    let mut answers = Vec::new();
    for group in groups(&model.selection.properties) {
        let model = model.asked_for(&group);
        let handover = Handover { call, model: &model, text: &text, limits: &limits };
        answers.push(handover.answer()?);
    }
    let verdict = total(answers.iter().map(|answer| answer.verdict), false);
    let report = Report { call, model: &model, answers, verdict, elapsed: limits.elapsed() };
    write_trail(call, &report)?;
    if call.json {
        println!("{}", report.to_json());
    } else {
        report.print();
    }
    Ok(verdict)
}

/// The properties that spin checks in one run. What goes wrong in a step is a failed assertion to it.
fn groups(properties: &[Property]) -> Vec<Vec<Property>> {
    let in_step = |p: &&Property| matches!(p, Property::Assertions | Property::Runtime);
    let steps: Vec<Property> = properties.iter().filter(in_step).cloned().collect();
    let others = properties.iter().filter(|p| !in_step(p)).map(|p| vec![p.clone()]);
    [steps].into_iter().filter(|steps| !steps.is_empty()).chain(others).collect()
}

/// One property, or one group of them, on its way to spin.
struct Handover<'a> {
    call: &'a Spin,
    /// The model, of which only these are asked.
    model: &'a Model,
    /// The same without macros and includes.
    text: &'a str,
    limits: &'a Limits,
}

/// How the refinement has ended.
enum Refined {
    /// The property is decided.
    Conclusion(Option<Violation>),
    /// A requirement to be handed over.
    Requirement(Requirement),
    /// A limit was reached.
    Stopped(&'static str),
}

impl Handover<'_> {
    fn answer(&self) -> Result<Answer, Exit> {
        let mut answer = Answer::new(self.model.selection.properties.clone());
        let original =
            with_one_property(self.text, self.watched()).unwrap_or_else(|_| self.text.to_owned());
        let problem = match self.problem() {
            Ok(problem) => problem,
            Err(Trouble::BadCall(message)) => return Err(bad_input(message)),
            Err(Trouble::OutOfReach(why)) => {
                answer.kept = Some(why);
                self.hand_over(&mut answer, &original, &original, None)?;
                return Ok(answer);
            }
        };
        let requirement = match self.refine(&problem, &mut answer) {
            Refined::Stopped(why) => {
                answer.reason = Some(why.to_owned());
                return Ok(answer);
            }
            Refined::Conclusion(violation) => {
                answer.decided = true;
                answer.verdict = Verdict::Holds;
                self.violated(&mut answer, violation);
                return Ok(answer);
            }
            Refined::Requirement(requirement) => requirement,
        };
        match self.generated(&problem, requirement.lts()) {
            Ok(text) => self.hand_over(&mut answer, &text, &original, Some(&problem))?,
            Err(why) => {
                answer.kept = Some(why);
                self.hand_over(&mut answer, &original, &original, None)?;
            }
        }
        Ok(answer)
    }

    /// The split, in which everything that the module shares with others is told what it does.
    fn problem(&self) -> Result<Problem<'_>, Trouble> {
        let (model, names) = (self.model, &self.call.module);
        let monitors = model.selection.monitors.as_slice().to_vec();
        let interpreter = Interpreter::new(&model.reduced, model.options);
        let apart = match Cut::of(interpreter, monitors, &Manner::default()) {
            Ok(cut) => {
                let called = |pid: &usize| {
                    let name = cut.proctype_name(*pid);
                    names.iter().any(|n| n == name || *n == format!("{name}[{pid}]"))
                };
                let pids: Vec<usize> = (0..cut.proctypes.len()).filter(called).collect();
                cut.told_by(&pids)
            }
            // The reason is found again, and told.
            Err(_) => Vec::new(),
        };
        let manner = Manner { apart, ..Manner::default() };
        let properties = &model.selection.properties;
        Problem::in_manner(model, properties, names, manner, self.call.budget, self.limits)
    }

    /// Refines until the requirement is small enough, or the property decided. Both are looked at
    /// now and then only, because that takes time.
    fn refine(&self, problem: &Problem<'_>, answer: &mut Answer) -> Refined {
        let module_states = problem.split.module.lts.n_states();
        let most = self.call.threshold.of(module_states);
        let (mut steps, mut next, mut stopped) = (0, 0, None);
        let requirement = assume(&problem.split, alternating, |draft| {
            let progress = draft.progress();
            steps = progress.steps;
            self.limits.meter().inspect(|meter| meter.refinement(&progress, || None));
            stopped = self.limits.exceeded();
            if stopped.is_some() || steps < next {
                return stopped.is_none();
            }
            next = steps + steps / 4 + 1;
            let requirement = draft.requirement();
            let decided = requirement.verdict != Conclusion::Interrupted;
            !(decided && !self.call.always || requirement.lts().n_states() <= most)
        });
        self.limits.meter().inspect(|meter| meter.done());
        let requirement_states = requirement.lts().n_states();
        answer.sizes = Some(Sizes { module_states, requirement_states, refinements: steps });
        if let Some(why) = stopped {
            return Refined::Stopped(why);
        }
        match (&requirement.verdict, &problem.source) {
            (Conclusion::Holds, _) if !self.call.always && !problem.misses_violations() => {
                Refined::Conclusion(None)
            }
            (Conclusion::Fails(steps), Some(source)) if !self.call.always => {
                match source.confirm(steps) {
                    Some(violation) => Refined::Conclusion(Some(violation)),
                    None => Refined::Requirement(requirement),
                }
            }
            _ => Refined::Requirement(requirement),
        }
    }

    /// The model with the requirement in the module's place, or why it cannot be written.
    fn generated(&self, problem: &Problem<'_>, requirement: &Lts) -> Result<String, String> {
        let source = problem.source.as_ref().ok_or("there is no model")?;
        let (cut, components) = (&source.cut, &source.components);
        let module = Module { cut, components, members: &problem.network.module };
        stand_in(self.text, self.watched(), module, requirement).map_err(|refusal| {
            match refusal.source {
                Some(at) if at.line > 0 => format!("{}: {refusal}", self.model.system.location(at)),
                _ => refusal.to_string(),
            }
        })
    }

    /// Runs spin on the generated model, and for comparison on the original one.
    fn hand_over(
        &self,
        answer: &mut Answer,
        generated: &str,
        original: &str,
        problem: Option<&Problem<'_>>,
    ) -> Result<(), Exit> {
        let stop = |_| self.limits.exceeded().is_some();
        let after = match self.verify(answer, generated, self.call.keep, &stop) {
            Ok(run) => run,
            Err(SpinFailure::Missing(tool)) => {
                return Err(bad_input(SpinFailure::Missing(tool).to_string()));
            }
            Err(SpinFailure::Stopped) => {
                let why = self.limits.exceeded().unwrap_or("spin was stopped");
                answer.reason = Some(why.to_owned());
                return Ok(());
            }
            Err(failure) => {
                answer.reason = Some(failure.to_string());
                return Ok(());
            }
        };
        if answer.kept.is_none() {
            let patience = after.search * PATIENCE.0 + PATIENCE.1;
            let stop = |elapsed| self.limits.exceeded().is_some() || elapsed > patience;
            answer.before = self.verify(answer, original, false, &stop).ok();
        }
        let report = &after.report;
        if report.errors > 0 {
            let clue = self.clue(generated, after.trail.as_deref().unwrap_or_default(), problem);
            let violation = pursue(self.model, &clue, self.limits);
            if violation.is_none() {
                let why =
                    self.limits.exceeded().unwrap_or("resy does not find the run in the model");
                let error = report.error.as_deref().unwrap_or("an error");
                answer.reason = Some(format!("spin reports: {error}; {why}"));
            }
            self.violated(answer, violation);
        } else if report.complete {
            answer.verdict = Verdict::Holds;
        } else {
            let why = self.limits.exceeded().unwrap_or("spin did not search all states");
            answer.reason = Some(why.to_owned());
        }
        answer.after = Some(after);
        Ok(())
    }

    fn verify(
        &self,
        answer: &mut Answer,
        text: &str,
        keep: bool,
        stop: &dyn Fn(Duration) -> bool,
    ) -> Result<SpinRun, SpinFailure> {
        let search = match self.watched() {
            Watched::Steps | Watched::Trace => PanSearch::Errors,
            Watched::Claim(_) => PanSearch::Claim,
        };
        let mut flags = Flags::of(search, self.model.options.loss, self.limits.memory());
        flags.add(&self.call.flags);
        let folder = Folder::new(keep)?;
        if keep {
            answer.folder = Some(folder.path().to_path_buf());
        }
        verify(folder.path(), text, &flags, stop)
    }

    fn watched(&self) -> Watched<'_> {
        match &self.model.selection.properties[..] {
            [Property::Trace] => Watched::Trace,
            [Property::Claim { name, .. }] => Watched::Claim(name),
            _ => Watched::Steps,
        }
    }

    /// What spin's trail and the cut say about a violation.
    fn clue<'c>(
        &self,
        generated: &'c str,
        trail: &'c str,
        problem: Option<&Problem<'_>>,
    ) -> Clue<'c> {
        let system = &self.model.system;
        let source = problem.and_then(|problem| Some((problem, problem.source.as_ref()?)));
        let Some((problem, source)) = source else {
            let n_channels = resy_system::channels_of(&system.globals).count();
            let cells = (0..system.globals.cells.len()).collect();
            let (module, channels) = (Vec::new(), (0..n_channels).collect());
            return Clue { generated, trail, module, cells, channels };
        };
        let (cut, components) = (&source.cut, &source.components);
        let members: Vec<_> =
            problem.network.module.iter().map(|&id| components.parts[id]).collect();
        let outside = |cell: &usize| match cut.home(Cell::Global(*cell as u32)) {
            Home::At(part, _) => !members.contains(&part),
            _ => true,
        };
        let shared = |chan: &usize| {
            cut.channels[*chan].frame.is_none() && !members.contains(&cut.channels[*chan].part)
        };
        Clue {
            generated,
            trail,
            module: members.iter().filter_map(|&part| cut.parts[part].process).collect(),
            cells: (0..cut.globals.len()).filter(outside).collect(),
            channels: (0..cut.channels.len()).filter(shared).collect(),
        }
    }

    /// Notes a violation, if there is one.
    fn violated(&self, answer: &mut Answer, violation: Option<Violation>) {
        let shorter = |violation| match self.call.as_found {
            true => violation,
            false => shorten::violation(self.model, violation, self.limits.elapsed()),
        };
        if let Some(violation) = violation.map(shorter) {
            answer.verdict = Verdict::Fails;
            let Violation { property, outcome, .. } = &violation;
            answer.reason = Some(property.describe(&self.model.system, outcome));
            answer.violation = Some(violation);
        }
    }
}

fn write_trail(call: &Spin, report: &Report<'_>) -> Result<(), Exit> {
    let Some(file) = &call.trail else { return Ok(()) };
    let Some(violation) = report.answers.iter().find_map(|a| a.violation.as_ref()) else {
        eprintln!("resy: no violation, so no trail is written");
        return Ok(());
    };
    let trail = report.run(violation).map(|run| run.trail()).unwrap_or_default();
    std::fs::write(file, trail.to_string())
        .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display())))
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
