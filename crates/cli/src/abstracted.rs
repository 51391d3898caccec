//! `resy abstract`: verdict on a program with unbounded data.

use crate::Exit;
use crate::args::Abstract;
use crate::outputs::{Outputs, made_by, shown};
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::{AbstractOptions, AbstractReport, Control, DataOptions, Question};
use resy_export::abstraction::AbstractionOf;
use resy_export::automata::{AutomataFormat, ShownAutomata, one_text};
use resy_export::pages::abstract_page;
use resy_export::results::AbstractView;
use std::path::Path;

/// Runs the command.
pub fn run(call: &Abstract) -> Exit {
    match answer(call) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answer(call: &Abstract) -> Result<Exit, Exit> {
    load::without_spec(&call.properties, "`resy abstract`")?;
    let mut outputs =
        Outputs::check([call.output.as_ref(), call.certificate.as_ref(), call.report.as_ref()]);
    let format = call.output.as_ref().map(|file| format_of(file)).transpose()?;
    let control = control::of(&call.resources, &call.common).map_err(bad_input)?;
    let predicates = call.predicates.as_ref().map(|file| {
        let text = load::read(file, &control, |error| {
            bad_input(format!("cannot read {}: {error}", shown(file)))
        })?;
        Ok::<_, Exit>((file.display().to_string(), text))
    });
    let data = DataOptions {
        unbounded: call.unbounded.clone(),
        parameters: call.parameter.clone(),
        predicates: predicates.transpose()?,
    };
    let (properties, common) = (Some(&call.properties), &call.common);
    let subject = load::load_with_data(&call.file, common, properties, Some(data), &control)?;
    let question = Question {
        property: call.properties.property.clone(),
        without: call.properties.without.clone(),
        semantics: call.semantics.options(),
        fairness: call.fair.fairness(),
        ..Question::default()
    };
    let solver = (call.solver != "embedded").then(|| call.solver.clone());
    let most_refinements = call.fixed_basis.then_some(0);
    let certificate = call.certificate.is_some();
    let factored = format.is_some_and(|format| format != AbstractFormat::Horn);
    let method = call.method.into();
    let options = AbstractOptions { solver, method, most_refinements, certificate, factored };
    if let (Some(file), Some(AbstractFormat::Horn)) = (&call.output, format) {
        match resy::horn_text(subject.clone(), &question) {
            Ok(text) => _ = outputs.write(file, &text),
            Err(error) => tell::comment(format!("no clauses are written: {error}")),
        }
    }
    let report = resy::abstracted(subject, &question, &options, &control)
        .map_err(|error| bad_input(format!("{}: {error}", shown(&call.file))))?;
    let file = call.file.display().to_string();
    let view = AbstractView { file: &file, report: &report };
    match call.json {
        true => tell::answer(view.to_json()),
        false => print!("{}", view.to_text(call.common.verbose)),
    }
    print::flush();
    if let (Some(file), Some(format)) = (&call.output, format.filter(|_| factored)) {
        match written(call, &report, format) {
            Ok(text) => _ = outputs.write(file, &text),
            Err(why) => tell::comment(format!("the abstraction is not written: {why}")),
        }
    }
    let is_certified = write_certificate(call, &report, &mut outputs, &control);
    if let Some(file) = &call.report {
        let limits = control::in_words(&call.resources);
        outputs.write(file, &abstract_page(&view, &limits, made_by()));
    }
    let misses_ends = report.not_checked.iter().any(|n| n.name == "end-states");
    if misses_ends && !call.json && !call.common.quiet {
        eprintln!("  = help: `--without end-states` leaves them out");
    }
    if report.another_solver_may_help()
        && call.solver == "embedded"
        && !call.json
        && !call.common.quiet
    {
        eprintln!("  = help: `--solver z3` asks z3");
    }
    Ok(match is_certified {
        true => outputs.exit(report.total.into()),
        false => outputs.exit(Exit::Unknown),
    })
}

/// What the file of `-o` contains.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum AbstractFormat {
    Horn,
    Promela,
    Network,
    Page,
    Graph(AutomataFormat),
}

fn format_of(file: &Path) -> Result<AbstractFormat, Exit> {
    Ok(match file.extension().and_then(|extension| extension.to_str()) {
        Some("smt2") => AbstractFormat::Horn,
        Some("pml") => AbstractFormat::Promela,
        Some("net") => AbstractFormat::Network,
        Some("html") => AbstractFormat::Page,
        Some("svg") => AbstractFormat::Graph(AutomataFormat::Svg),
        Some("dot") => AbstractFormat::Graph(AutomataFormat::Dot),
        Some("aut") => AbstractFormat::Graph(AutomataFormat::Aut),
        _ => {
            let kinds = "`.pml`, `.net`, `.svg`, `.html`, `.dot`, `.aut`, or Horn clauses `.smt2`";
            return Err(bad_input(format!(
                "{}: an abstraction is written as {kinds}",
                shown(file)
            )));
        }
    })
}

/// The abstraction of the one property that was asked for.
fn written(
    call: &Abstract,
    report: &AbstractReport,
    format: AbstractFormat,
) -> Result<String, String> {
    let [answer] = &report.answers[..] else {
        return Err("there are several properties; choose one with `--property`".to_owned());
    };
    let found = answer.factored.as_ref();
    let found = found.ok_or("it is not known, or it has more than 20,000 states")?;
    let file = call.file.display().to_string();
    let abstraction = AbstractionOf {
        file: &file,
        property: answer.property.name(),
        is_of_infinite_runs: answer.property.is_liveness(),
        found,
    };
    let graph = || resy::abstract_graph(found);
    match format {
        AbstractFormat::Promela | AbstractFormat::Horn => Ok(abstraction.to_promela()),
        AbstractFormat::Page => Ok(abstraction.to_html(&graph())),
        AbstractFormat::Network => {
            let network = resy::abstract_network(found);
            one_text(ShownAutomata { network: &network, marks: &[] }, AutomataFormat::Aut, "i")
        }
        AbstractFormat::Graph(format) => {
            let (network, tau) = (graph(), if format == AutomataFormat::Aut { "tau" } else { "i" });
            one_text(ShownAutomata { network: &network, marks: &[] }, format, tau)
        }
    }
}

/// Writes the certificates, or says why there are none. Whether none is missing: what does not hold has none.
fn write_certificate(
    call: &Abstract,
    report: &AbstractReport,
    outputs: &mut Outputs,
    control: &Control,
) -> bool {
    let Some(file) = &call.certificate else { return true };
    match report.certificate() {
        None => tell::comment("nothing is known to hold, so no certificate is written"),
        Some(Err(why)) => {
            tell::comment(format!("no certificate is written: {why}"));
            return false;
        }
        Some(Ok(text)) => {
            let is_written = outputs.write_within(file, &text, control);
            let (_, left_out) = report.certified();
            if !left_out.is_empty() {
                tell::comment(format!("the certificate does not cover {}", left_out.join(", ")));
            }
            return is_written;
        }
    }
    true
}
