//! `resy check`: verdict on every property of a model.

use crate::Exit;
use crate::args::{Check, Format, whole_names};
use crate::outputs::{Outputs, columns, made_by, shown};
use crate::tell::{self, bad_input};
use crate::{control, load, print};
use resy::{
    CallError, CheckReport, Checkpoint, Control, HostList, HostsKey, LossySet, Question,
    SearchOptions,
};
use resy_export::pages::check_page;
use resy_export::results::{CheckView, TextStyle};
use resy_export::run::{Chart, Glyphs, Run, sarif};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The version, for programs that read the output.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the command.
pub fn run(check: &Check) -> Exit {
    validate(check).and_then(|()| verdict(check)).unwrap_or_else(|exit| {
        if check.format() == Format::Sarif {
            let (findings, others) = tell::findings();
            print::json(&sarif(&findings, VERSION, false, &others));
        }
        exit
    })
}

/// Whether a file for the chart can be written: its extension says how. And whether the hosts are named.
fn validate(check: &Check) -> Result<(), Exit> {
    // The parser forgets what an option requires if another option excludes that.
    if check.host_index.is_some() && check.hosts.is_none() {
        return Err(bad_input("--host-index is about the list of hosts: add --hosts FILE"));
    }
    match check.chart.iter().flatten().find(|file| drawn(file).is_none()) {
        Some(file) => {
            let message = "a chart is written as `.svg`, `.mmd` (Mermaid) or `.txt`";
            Err(bad_input(format!("{}: {message}", shown(file))))
        }
        None => Ok(()),
    }
}

/// The files that are written when there is a verdict.
fn outputs(check: &Check) -> Outputs {
    let chart = check.chart.as_ref().and_then(Option::as_ref);
    let files = [check.trail.as_ref(), chart, check.report.as_ref(), check.certificate.as_ref()];
    let mut outputs = Outputs::check(files);
    check.checkpoint.iter().for_each(|folder| outputs.check_folder(folder));
    outputs
}

fn verdict(check: &Check) -> Result<Exit, Exit> {
    let mut outputs = outputs(check);
    let question = question(check, &outputs).map_err(bad_input)?;
    let control = control::of(&check.resources, &check.common).map_err(bad_input)?;
    let subject = load::load_specified(
        &check.file,
        &check.common,
        &check.properties,
        check.semantics,
        &control,
    )?;
    let is_network = subject.system().is_none();
    let is_fsp = matches!(*subject, resy::Subject::Fsp(_));
    if is_network && (check.chart.is_some() || !shows_networks(check.format(), is_fsp)) {
        let message = "the steps of a network have no statements; only text and JSON show them";
        return Err(bad_input(message));
    }
    let report = resy::check(subject, &question, &control)
        .map_err(|error| bad_input(explained(check, &error)))?;
    if check.seat.is_some() && report.has_lost_host() {
        tell::answered_elsewhere();
        return Ok(Exit::HostLost);
    }
    if let Some(index) = check.index().filter(|&index| index > 0) {
        if check.seat.is_none() {
            summarize(index, &report);
        }
        tell::answered_elsewhere();
        return Ok(report.total.into());
    }
    show(check, &report, &mut outputs);
    let is_certified = write_certificate(check, &report, &mut outputs, &control);
    if let (Some(_), Some(folder)) = (&report.not_saved, check.saves_to()) {
        outputs.lose(folder);
    }
    let exit = if is_certified { report.total.into() } else { Exit::Unknown };
    Ok(outputs.exit(exit))
}

fn shows_networks(format: Format, is_fsp: bool) -> bool {
    matches!(format, Format::Text | Format::Json) || is_fsp && format == Format::Sarif
}

/// What is wrong with the call, in terms of the command line.
fn explained(check: &Check, error: &CallError) -> String {
    match error {
        CallError::SearchOnly(option) => {
            format!("--{option} is about the search of all states; leave it out")
        }
        CallError::NoModule(engine) => {
            format!("--engine {engine} has no module; leave out --module")
        }
        CallError::NoMethod(engine) => {
            format!("--engine {engine} has no such method; leave out --method, or the engine")
        }
        CallError::NoCertificate => {
            format!("{error}; leave out --engine {}", check.engine.name())
        }
        CallError::NoMonitor => format!("{}: {error}", shown(&check.file)),
        CallError::NoCheckpoint => {
            format!("{error}; leave out --dfs, --directed, --bitstate and --hash-compact")
        }
        CallError::NoHostsKey(message) => format!("{message} (--hosts-key FILE)"),
        CallError::Other(message) => message.clone(),
    }
}

/// The question that the call asks.
fn question(check: &Check, outputs: &Outputs) -> Result<Question, String> {
    Ok(Question {
        property: check.properties.property.clone(),
        without: check.properties.without.clone(),
        all_properties: check.properties.all_properties,
        no_claims: check.no_claims,
        semantics: check.semantics.options(),
        fairness: check.fair.fairness(),
        engine: check.engine,
        method: check.method,
        module: whole_names(&check.module),
        exhaustive: check.exhaustive,
        certificate: check.certificate.is_some(),
        requirement: check.report.is_some(),
        as_found: check.as_found,
        threads: check.threads,
        head_start: Duration::from_millis(check.head_start),
        search: search_options(check, outputs)?,
    })
}

/// The key of the hosts, from its file or from the environment. It is no argument, because arguments are
/// visible to all users of a machine.
fn hosts_key(file: Option<&Path>) -> Result<Option<HostsKey>, String> {
    const VARIABLE: &str = "RESY_HOSTS_KEY";
    let (name, text) = match (file, std::env::var_os(VARIABLE)) {
        (Some(file), _) => {
            let name = shown(file);
            let text = std::fs::read(file).map_err(|e| format!("cannot read {name}: {e}"))?;
            (name, text)
        }
        (None, Some(text)) => (VARIABLE.to_owned(), text.into_encoded_bytes()),
        (None, None) => return Ok(None),
    };
    HostsKey::read(&text).map(Some).map_err(|error| format!("{name}: {error}"))
}

fn search_options(check: &Check, outputs: &Outputs) -> Result<SearchOptions, String> {
    let seat = check.seat.as_ref().map(|seat| HostList {
        name: "the hosts".to_owned(),
        text: seat.hosts.clone(),
        index: seat.index,
        key: Some(seat.key.clone()),
        listener: Some(Arc::clone(&seat.listener)),
    });
    let hosts = check.hosts.as_ref().map(|file| {
        let name = shown(file);
        let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {name}: {e}"))?;
        let (index, key) = (check.host_index.unwrap_or(0), hosts_key(check.hosts_key.as_deref())?);
        Ok::<_, String>(HostList { name, text, index, key, listener: None })
    });
    let folder = check.saves_to().filter(|folder| !outputs.misses(folder));
    let checkpoint = folder.map(|folder| {
        let every = control::seconds(check.checkpoint_every)?;
        Ok::<_, String>(Checkpoint {
            folder: folder.to_owned(),
            resume: check.resume.is_some(),
            every,
        })
    });
    let lossy = match check.bitstate {
        Some(size) => Some(LossySet::BitState(size)),
        None => check.hash_compact.then_some(LossySet::HashCompact),
    };
    Ok(SearchOptions {
        dfs: check.dfs,
        directed: check.directed,
        interpret: check.interpret,
        plain: check.plain,
        no_merge: check.no_merge,
        no_reset: check.no_reset,
        no_por: check.no_por,
        no_symmetry: check.no_symmetry,
        shortest: check.shortest,
        hosts: hosts.transpose()?.or(seat),
        alone: Some(check.alone),
        checkpoint: checkpoint.transpose()?,
        lossy,
        swarm: check.swarm.then_some(check.seed),
    })
}

/// Writes the certificate, or says why there is none. Whether it is not missing: what does not hold has
/// none.
fn write_certificate(
    check: &Check,
    report: &CheckReport,
    outputs: &mut Outputs,
    control: &Control,
) -> bool {
    let Some(file) = &check.certificate else { return true };
    match &report.certificate {
        None => {
            tell::comment("not everything is known to hold, so no certificate is written");
            true
        }
        Some(Err(why)) => {
            tell::comment(format!("no certificate is written: {why}"));
            false
        }
        Some(Ok(certified)) => outputs.write_within(file, &certified.text, control),
    }
}

/// What a host reports that is not the first.
fn summarize(index: usize, report: &CheckReport) {
    let why = report.stop_note().map(|why| format!(", {why}")).unwrap_or_default();
    let whose = if report.is_of_all_hosts() { "all hosts" } else { "this host" };
    let (verdict, states) = (report.total.as_str(), report.stats.states);
    eprintln!("resy: host {index}: {verdict}{why}; {states} states on {whose}");
}

/// Prints what was found, and then writes it to the files that were asked for.
fn show(check: &Check, report: &CheckReport, outputs: &mut Outputs) {
    let file = check.file.display().to_string();
    let view = CheckView { file: &file, report };
    let style = TextStyle {
        verbose: check.common.verbose,
        chart: matches!(check.chart, Some(None)).then(glyphs),
        columns: columns(),
    };
    match check.format() {
        Format::Text => print!("{}", view.to_text(&style)),
        Format::Json => tell::answer(view.to_json()),
        Format::Sarif => print::json(&view.to_sarif(tell::findings(), VERSION)),
        Format::Itf => print_run(&view, |run| print::json(&run.to_itf(&file, VERSION))),
        Format::Mermaid => print_run(&view, |run| print!("{}", style.chart_of(run).to_mermaid())),
    }
    print::flush();
    let misses_ends = report.not_checked.iter().any(|n| n.name == "end-states");
    if misses_ends && check.format() == Format::Text && !check.common.quiet {
        let help =
            "`--engine monolithic` decides end states, `--without end-states` leaves them out";
        eprintln!("  = help: {help}");
    }
    if check.format() == Format::Text && !check.common.quiet {
        suggest_abstraction(report, &file);
    }
    if let Some(file) = check.trail.as_ref().filter(|_| report.model.fsp().is_some()) {
        match view.actions() {
            Some(actions) => _ = outputs.write(file, &actions),
            None => tell::comment("no violation, so no trail is written".to_owned()),
        }
    } else if let Some(file) = &check.trail {
        write_run(&view, file, "trail", outputs, |run| run.trail().to_string());
    }
    if let Some(file) = check.chart.as_ref().and_then(Option::as_ref)
        && let Some(draw) = drawn(file)
    {
        write_run(&view, file, "chart", outputs, |run| draw(&style.chart_of(run)));
    }
    if let Some(file) = &check.report {
        let limits = control::in_words(&check.resources);
        outputs.write(file, &check_page(&view, &limits, made_by()));
    }
}

/// Where a search stops at its limit, a variable that keeps growing may be why.
fn suggest_abstraction(report: &CheckReport, file: &str) {
    let names = report.growing().join(",");
    if !names.is_empty() {
        eprintln!(
            "  = help: if {names} may grow for ever, try `resy abstract {file} --unbounded {names}`"
        );
    }
}

fn print_run(view: &CheckView<'_>, print: impl Fn(&Run<'_>)) {
    match view.runs().next() {
        Some(run) => print(&run),
        None => {
            let verdict = view.report.total.as_str();
            tell::comment(format!("{verdict}: no violation, so there is no run to show"));
        }
    }
}

fn write_run(
    view: &CheckView<'_>,
    file: &Path,
    what: &str,
    outputs: &mut Outputs,
    shown: impl Fn(&Run<'_>) -> String,
) {
    match view.runs().next() {
        Some(run) => _ = outputs.write(file, &shown(&run)),
        None => tell::comment(format!("no violation, so no {what} is written")),
    }
}

/// How a chart is drawn in a file with this name.
fn drawn(file: &Path) -> Option<fn(&Chart) -> String> {
    match file.extension()?.to_str()? {
        "svg" => Some(Chart::to_svg),
        "mmd" => Some(Chart::to_mermaid),
        "txt" => Some(|chart| chart.to_text(&Glyphs::UNICODE)),
        _ => None,
    }
}

/// The characters that the terminal can show, as its locale tells.
fn glyphs() -> Glyphs {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = names.iter().filter_map(|name| std::env::var(name).ok()).find(|v| !v.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
    if is_utf8 { Glyphs::UNICODE } else { Glyphs::ASCII }
}
