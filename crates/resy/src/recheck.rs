//! Whether a certificate is what it says, and whether a changed module meets its requirement.

use crate::control::{Control, Stop};
use crate::subject::Subject;
use resy_automata::network::Network;
use resy_certificate::changed::ChangeRefused;
use resy_certificate::counted::{self, CheckedCounts};
use resy_certificate::{
    Certificate, NotDerived, Origin, OriginKind, Rejection, check_while, network, text,
};
use resy_certificate::{fsp, program};
use resy_index::Interest;
use resy_promela::Diagnostics;

/// An accepted certificate: what the checker counted.
pub struct Accepted {
    /// The sizes of the requirements of the module, if the proofs have some.
    pub requirement_states: Vec<usize>,
    /// The transitions that maps were checked on.
    pub n_transitions: usize,
    /// The states of the inductive sets.
    pub n_inductive: usize,
    /// The steps from them.
    pub n_steps: usize,
}

/// Why a changed subject is not accepted.
pub enum NotAccepted {
    /// The certificate itself is rejected.
    Rejected(Rejection),
    /// The changed module does not meet the requirement, or more than the module has changed.
    Changed(ChangeRefused),
    /// The property is about infinite runs, of which only the program in the certificate is proved.
    InfiniteRuns,
    /// A limit was reached: nothing is known.
    Stopped(Stop),
}

impl NotAccepted {
    /// Whether nothing is known: it is not rejected either.
    pub fn is_undecided(&self) -> bool {
        matches!(self, Self::InfiniteRuns | Self::Stopped(_))
    }
}

/// Reads the text of a certificate; a message if it is none.
pub fn read_certificate(written: &str) -> Result<Certificate, String> {
    text::read(written).map_err(|error| error.to_string())
}

/// Reads the certificates of a file, within the limits of a control. All of them are about one text.
pub fn read_certificates_within(
    written: &str,
    control: &Control,
) -> Result<Vec<Certificate>, UnreadCertificate> {
    let interest = Interest::lasting_while(control.preparation());
    let read = text::read_all_within(written, &interest);
    let certificates = read.map_err(|error| match interest.is_lost() {
        true => UnreadCertificate::Stopped(control.exceeded().unwrap_or(Stop::Cancelled)),
        false => UnreadCertificate::Malformed(error.to_string()),
    })?;
    let first = &certificates[0].origin;
    let is_other = |other: &Certificate| !Origin::is_same_source(first, &other.origin);
    match certificates.iter().any(is_other) {
        true => Err(UnreadCertificate::Malformed(
            "its certificates are about different programs".to_owned(),
        )),
        false => Ok(certificates),
    }
}

/// Why the text of a certificate was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadCertificate {
    /// It is none: a message.
    Malformed(String),
    /// A limit was reached.
    Stopped(Stop),
}

/// Derives the network of a certificate from its text and checks every obligation; with `changed`, also
/// whether its module meets the requirement.
pub fn recheck(
    certificate: &Certificate,
    changed: Option<&Subject>,
    control: &Control,
) -> Result<Accepted, NotAccepted> {
    let stopped = || NotAccepted::Stopped(control.exceeded().unwrap_or(Stop::Cancelled));
    let not_derived = |why| match why {
        NotDerived::Rejected(rejection) => NotAccepted::Rejected(rejection),
        NotDerived::Stopped => stopped(),
    };
    let go_on = &mut || control.may_go_on();
    if certificate.origin.setting(counted::ORDER).is_some() {
        if changed.is_some() {
            return Err(NotAccepted::InfiniteRuns);
        }
        let checked = program::check_counted(certificate, diagnostics(control), go_on);
        let CheckedCounts { n_transitions, n_inductive, n_steps } = checked.map_err(not_derived)?;
        let requirement_states = Vec::new();
        return Ok(Accepted { requirement_states, n_transitions, n_inductive, n_steps });
    }
    let network = derive(certificate, control).map_err(not_derived)?;
    let checked = check_while(certificate, &network, go_on).map_err(not_derived)?;
    let result = match changed {
        None => Ok(()),
        Some(Subject::Network(file)) if certificate.origin.kind == OriginKind::Network => {
            network::recheck(certificate, &network, &checked, &file.network, go_on)
        }
        Some(Subject::Program(program)) if certificate.origin.kind == OriginKind::Promela => {
            program::recheck(certificate, &network, &checked, &program.system, go_on)
        }
        Some(Subject::Fsp(model)) if certificate.origin.kind == OriginKind::Fsp => {
            fsp::recheck(certificate, &network, &checked, &model.composition, go_on)
        }
        Some(_) => Err(ChangeRefused::Different("it is about another kind of subject".to_owned())),
    };
    result.map_err(|refused| match refused {
        ChangeRefused::Stopped => stopped(),
        refused => NotAccepted::Changed(refused),
    })?;
    let requirements = checked.requirements(&network.module).unwrap_or_default();
    Ok(Accepted {
        requirement_states: requirements.iter().map(|image| image.n_states()).collect(),
        n_transitions: checked.n_transitions,
        n_inductive: checked.n_inductive,
        n_steps: checked.n_steps,
    })
}

fn derive(certificate: &Certificate, control: &Control) -> Result<Network, NotDerived> {
    match certificate.origin.kind {
        OriginKind::Network => Ok(network::derive(certificate)?),
        OriginKind::Promela => {
            program::network_while(certificate, diagnostics(control), &mut || control.may_go_on())
        }
        OriginKind::Fsp => {
            let asked = control.share();
            let limited = resy_fsp::Diagnostics::new_while(move || asked.may_go_on());
            fsp::derive_within(certificate, limited)
        }
    }
}

/// Diagnostics that end where the control does.
fn diagnostics(control: &Control) -> Diagnostics {
    let asked = control.share();
    Diagnostics::new_while(move || asked.may_go_on())
}
