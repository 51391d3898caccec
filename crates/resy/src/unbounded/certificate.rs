//! Certificates of verdicts on programs with unbounded data: how the program is read again, and judged.

use super::fairness_of;
use crate::control::{Control, Stop};
use crate::model::Model;
use crate::question::Question;
use crate::recheck::UnreadCertificate;
use crate::subject::{DataAnnotations, DataOptions, Reading, Subject, Texts};
use resy_certificate::unbounded::{
    DataCertificate, DataChecked, DataQuestion, NotRefuted, check_data, read_data, write_data,
};
use resy_certificate::{Include, Obligation, Origin, OriginKind, Rejection, Sources};
use resy_index::Interest;
use resy_predicate::{Abstraction, Uncertified};
use resy_symbolic::{SmtProcess, Solver, SymbolicProgram, TermId};
use resy_system::{Fairness, LivenessClaim, Options, Property, Selection};
use std::sync::Arc;

/// What was asked of a program.
pub(super) struct Asked<'q> {
    /// The property.
    pub property: &'q Property,
    /// The selection that has only this property.
    pub selection: &'q Selection,
    /// The question.
    pub question: &'q Question,
    /// The annotations.
    pub data: &'q DataAnnotations,
}

/// The certificate of a property that was shown to hold, as text; or why there is none.
pub(super) fn certify(
    abstraction: &mut Abstraction<'_, '_>,
    asked: &Asked<'_>,
    ranks: &[TermId],
    model: &Model,
    control: &Control,
) -> Result<String, String> {
    let program = model.program().ok_or("there is no program")?;
    let includes = program.sources.includes.iter().filter(|include| !include.is_called("resy:"));
    let (name, text) = asked.data.source.clone();
    let (defines, includes) = (asked.data.reading.defines.clone(), includes.cloned().collect());
    let sources = Sources { name, text, defines, includes };
    let mut settings = sources.settings();
    settings.extend(settings_of(asked, model.options));
    let property = asked.property.name().to_owned();
    let origin = Origin::new(OriginKind::Promela, property, Vec::new(), settings, sources.text);
    let fairness = fairness_of(asked.question, asked.data);
    let claim = claim_of(asked.property, asked.selection);
    let question = DataQuestion { property: asked.property, claim, fairness: &fairness };
    let go_on = &mut || control.may_go_on();
    match abstraction.certify(origin, &question, ranks, go_on) {
        Ok(certificate) => Ok(write_data(&certificate)),
        Err(Uncertified::Because(why)) => Err(why),
        Err(Uncertified::Cancelled) => {
            let stop = control.exceeded().map(|stop| stop.to_string());
            Err(stop.unwrap_or_else(|| "it was given up".to_owned()))
        }
    }
}

fn claim_of<'s>(property: &Property, selection: &'s Selection) -> Option<&'s LivenessClaim> {
    match property {
        Property::Liveness { number, .. } => selection.liveness.get(*number),
        _ => None,
    }
}

/// How the program is read and asked, beside its texts.
fn settings_of(asked: &Asked<'_>, options: Options) -> Vec<(String, String)> {
    let Reading { ltl, claim, automaton, data, .. } = &asked.data.reading;
    let setting = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let mut settings: Vec<(String, String)> = Vec::new();
    settings.extend(ltl.iter().map(|formula| setting("ltl", formula)));
    let file =
        |key: &str, (name, text): &(String, String)| setting(key, &format!("{name}\n{text}"));
    settings.extend(claim.iter().map(|given| file("claim", given)));
    settings.extend(automaton.iter().map(|given| file("automaton", given)));
    if let Some(given) = data {
        settings.extend(given.unbounded.iter().map(|names| setting("unbounded", names)));
        settings.extend(given.parameters.iter().map(|condition| setting("parameter", condition)));
    }
    if asked.question.fairness != Fairness::None {
        settings.push(setting("fair", asked.question.fairness.name()));
    }
    if options.loss {
        settings.push(setting("loss", "yes"));
    }
    settings
}

/// An accepted certificate of an abstraction.
pub struct DataAccepted {
    /// What the checker counted.
    pub checked: DataChecked,
    /// What is assumed, as text.
    pub assumed: Vec<String>,
    /// The fairness that it rests on, in words.
    pub fairness: Vec<String>,
    /// The solver that was asked instead of the derivations.
    pub solver: Option<String>,
}

/// Why a certificate of an abstraction is not accepted.
pub enum NotAcceptedData {
    /// It is rejected.
    Rejected(Rejection),
    /// An obligation has no derivation, or the solver does not know.
    Open(Obligation, String),
    /// A limit was reached.
    Stopped(Stop),
    /// The solver cannot be started: a message.
    NoSolver(String),
}

impl NotAcceptedData {
    /// Whether nothing is known: it is not rejected either.
    pub fn is_undecided(&self) -> bool {
        !matches!(self, Self::Rejected(_))
    }
}

/// Reads the certificates of a file; `None` if it has none of abstractions.
pub fn read_data_certificates(
    written: &str,
    control: &Control,
) -> Option<Result<Vec<DataCertificate>, UnreadCertificate>> {
    if !resy_certificate::unbounded::is_of_data(written) {
        return None;
    }
    let interest = Interest::lasting_while(control.preparation());
    let read = read_data(written, &interest);
    Some(read.map_err(|error| match interest.is_lost() {
        true => UnreadCertificate::Stopped(control.exceeded().unwrap_or(Stop::Cancelled)),
        false => UnreadCertificate::Malformed(error.to_string()),
    }))
}

/// Reads the program of a certificate again and checks every obligation: by its derivations, or by a solver.
pub fn recheck_data(
    certificate: &DataCertificate,
    solver: Option<&str>,
    control: &Control,
) -> Result<DataAccepted, NotAcceptedData> {
    let wrong = |place: String| {
        NotAcceptedData::Rejected(Rejection { obligation: Obligation::Text, place })
    };
    let origin = &certificate.origin;
    let stopped = || NotAcceptedData::Stopped(control.exceeded().unwrap_or(Stop::Cancelled));
    let sources = Sources::of(origin);
    let texts = &mut EmbeddedTexts(&sources.includes);
    let reading = reading_of(origin, &sources);
    let read = Subject::read_within(&sources.name, &sources.text, &reading, texts, control);
    if read.stopped.is_some() {
        return Err(stopped());
    }
    let unread = || wrong("the program cannot be read".to_owned());
    let subject = Arc::new(read.subject.ok_or_else(unread)?);
    let fairness = match origin.setting("fair") {
        None => Fairness::None,
        Some(word) => Fairness::ALL
            .into_iter()
            .find(|fairness| fairness.name() == word)
            .ok_or_else(|| wrong(format!("there is no fairness `{word}`")))?,
    };
    let semantics = Options { loss: origin.setting("loss").is_some(), ..Options::default() };
    let property = Some(origin.property.clone());
    let question = Question { property, fairness, semantics, ..Question::default() };
    let model = Model::new(subject, &question).map_err(|error| wrong(error.to_string()))?;
    let data = model.program().and_then(|program| program.data.clone()).ok_or_else(unread)?;
    let [property] = &model.selection.properties[..] else {
        return Err(wrong("there is no such property".to_owned()));
    };
    let interpreter = model.interpreter().ok_or_else(unread)?;
    let (monitors, declared) = (model.selection.monitors.clone(), data.declarations.clone());
    let mut program =
        SymbolicProgram::new(interpreter, monitors, declared).map_err(|why| wrong(why.why))?;
    let assumed = fairness_of(&question, &data);
    let claim = claim_of(property, &model.selection);
    let asked = DataQuestion { property, claim, fairness: &assumed };
    let mut process = solver
        .map(SmtProcess::start)
        .transpose()
        .map_err(|error| NotAcceptedData::NoSolver(format!("cannot start the solver: {error}")))?;
    let judge = process.as_mut().map(|process| process as &mut dyn Solver);
    let go_on = &mut || control.may_go_on();
    let checked = check_data(certificate, &mut program, &asked, judge, go_on);
    let checked = checked.map_err(|why| match why {
        NotRefuted::Rejected(rejection) => NotAcceptedData::Rejected(rejection),
        NotRefuted::Open(obligation, place) => NotAcceptedData::Open(obligation, place),
        NotRefuted::Stopped => stopped(),
    })?;
    Ok(DataAccepted {
        checked,
        assumed: data.assumed.clone(),
        fairness: match claim {
            Some(_) => super::in_words(program.interpreter().system(), &question, &data),
            None => Vec::new(),
        },
        solver: solver.map(str::to_owned),
    })
}

/// How the text of a certificate is read.
fn reading_of(origin: &Origin, sources: &Sources) -> Reading {
    let values = |key: &'static str| -> Vec<String> {
        let settings = origin.settings.iter().filter(move |(word, _)| word == key);
        settings.map(|(_, value)| value.clone()).collect()
    };
    let file = |key: &'static str| {
        let value = origin.setting(key)?;
        value.split_once('\n').map(|(name, text)| (name.to_owned(), text.to_owned()))
    };
    let (unbounded, parameters) = (values("unbounded"), values("parameter"));
    Reading {
        defines: sources.defines.clone(),
        ltl: origin.setting("ltl").map(str::to_owned),
        claim: file("claim"),
        automaton: file("automaton"),
        data: Some(DataOptions { unbounded, parameters, predicates: None }),
        ..Reading::default()
    }
}

/// Finds included files in a certificate.
struct EmbeddedTexts<'s>(&'s [Include]);

impl Texts for EmbeddedTexts<'_> {
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let found = Include::find(self.0, name, angled, from);
        found.ok_or_else(|| format!("`{name}` is not in the certificate"))
    }
}
