//! Certificates of abstractions: what was found, written down for a checker that knows nothing of how it was found.
//!
//! The program is derived anew, in the order in which the checker derives it; predicates and valuations are carried over.
//! The embedded procedure gives a derivation for every obligation, and the checker judges the whole before it is given away.

mod cycles;

use crate::abstraction::{AbstractId, AbstractState, Abstraction};
use crate::embedded::Embedded;
use resy_certificate::unbounded::{
    AbstractStep, AbstractValuation, CycleEvidence, DataCertificate, DataEvidence, DataQuestion,
    NotRefuted, ProofObligation, WrittenDerivation, check_data, derive_commands, derived,
    obligations,
};
use resy_certificate::{NotDerived, Origin, Rejection};
use resy_index::Id;
use resy_symbolic::{
    ControlId, ControlState, OutOfReach, Refutation, Solver, SolverAnswer, SymbolicProgram, Term,
    TermExcerpt, TermId, Terms,
};
use rustc_hash::FxHashMap;

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncertified {
    /// In words.
    Because(String),
    /// The caller lost interest.
    Cancelled,
}

impl From<OutOfReach> for Uncertified {
    fn from(why: OutOfReach) -> Self {
        Self::Because(why.why)
    }
}

impl From<NotDerived> for Uncertified {
    fn from(why: NotDerived) -> Self {
        match why {
            NotDerived::Stopped => Self::Cancelled,
            NotDerived::Rejected(rejection) => rejection.into(),
        }
    }
}

impl From<Rejection> for Uncertified {
    fn from(rejection: Rejection) -> Self {
        Self::Because(rejection.to_string())
    }
}

/// The abstract states of a graph as a certificate numbers them.
struct Numbering {
    /// The valuations of each control state of the new program.
    controls: Vec<Vec<AbstractValuation>>,
    /// The number of each abstract state.
    numbers: FxHashMap<AbstractId, usize>,
}

impl Abstraction<'_, '_> {
    /// The certificate of the last exploration, which has shown that the property holds, with these rankings.
    pub fn certify(
        &mut self,
        origin: Origin,
        question: &DataQuestion<'_>,
        ranks: &[TermId],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<DataCertificate, Uncertified> {
        let mut program = self.program.again()?;
        let Numbering { controls, numbers } = self.number(&mut program, go_on)?;
        let mut evidence = self.evidence(&program, controls, ranks)?;
        if question.claim.is_some() {
            evidence.cycles = Some(self.edges(&numbers));
            let mut program = self.program.again()?;
            let mut working = derived(&evidence, &mut program, go_on)?;
            let controls = self.graph.states.iter().map(|state| state.control);
            let (just, compassionate) =
                crate::liveness::actions(self.program, controls, question.fairness);
            let actions = (&just[..], &compassionate[..]);
            let cycles = cycles::decompose(&mut working, &evidence, question, actions, go_on)?;
            evidence.cycles = Some(cycles);
        }
        let mut program = self.program.again()?;
        let mut last = derived(&evidence, &mut program, go_on)?;
        let (mut derivations, mut is_cancelled) = (Vec::new(), false);
        let written = obligations(&mut last, &evidence, question, &mut |terms, asked| {
            is_cancelled |= !go_on();
            if is_cancelled {
                return Err(Rejection { obligation: asked.obligation, place: String::new() });
            }
            derivations.push(derivation_of(terms, asked)?);
            Ok(())
        });
        if is_cancelled {
            return Err(Uncertified::Cancelled);
        }
        written?;
        let certificate = DataCertificate { origin, evidence, derivations };
        let mut judged = self.program.again()?;
        match check_data(&certificate, &mut judged, question, None, go_on) {
            Ok(_) | Err(NotRefuted::Open(..)) => Ok(certificate),
            Err(NotRefuted::Stopped) => Err(Uncertified::Cancelled),
            Err(NotRefuted::Rejected(rejection)) => Err(rejection.into()),
        }
    }

    /// Derives a new program as far as the graph goes, and numbers the graph's states in its order.
    fn number(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Numbering, Uncertified> {
        let mut lists: FxHashMap<ControlState, Vec<(AbstractId, AbstractValuation)>> =
            FxHashMap::default();
        for (id, AbstractState { control, values }) in self.graph.states.iter_enumerated() {
            let shape = self.program.shape_of(*control);
            lists.entry(shape).or_default().push((id, values.clone()));
        }
        let has_states = &mut |program: &SymbolicProgram<'_>, control: ControlId| {
            lists.contains_key(&program.shape_of(control))
        };
        derive_commands(program, has_states, go_on)?.ok_or(Uncertified::Cancelled)?;
        let mut found = Numbering { controls: Vec::new(), numbers: FxHashMap::default() };
        let (mut n_states, mut n_controls) = (0, 0);
        for control in program.controls().ids() {
            let list = lists.get(&program.shape_of(control)).map_or(&[][..], |list| &list[..]);
            found.numbers.extend(list.iter().enumerate().map(|(i, (id, _))| (*id, n_states + i)));
            found.controls.push(list.iter().map(|(_, values)| values.clone()).collect());
            n_states += list.len();
            if !list.is_empty() {
                n_controls = control.index() + 1;
            }
        }
        found.controls.truncate(n_controls);
        match n_states == self.graph.states.len() {
            true => Ok(found),
            false => Err(Uncertified::Because("the program is not derived twice alike".to_owned())),
        }
    }

    /// Predicates and rankings over the variables of a new program.
    fn evidence(
        &self,
        program: &SymbolicProgram<'_>,
        controls: Vec<Vec<AbstractValuation>>,
        ranks: &[TermId],
    ) -> Result<DataEvidence, Uncertified> {
        let terms = self.program.terms().borrow();
        let predicates: Vec<TermId> = self.basis.as_slice().iter().map(|p| p.formula).collect();
        let roots: Vec<TermId> = predicates.iter().chain(ranks).copied().collect();
        let (mut excerpt, positions) = terms.excerpt(&roots);
        carry_over(self.program, program, &mut excerpt)?;
        let position = |id: &TermId| positions[id].index();
        let symbols = program.terms().borrow().symbols().iter().cloned().collect::<Vec<_>>();
        Ok(DataEvidence {
            symbols: symbols.into_iter().map(|symbol| (symbol.name, symbol.sort)).collect(),
            terms: excerpt,
            predicates: predicates.iter().map(position).collect(),
            ranks: ranks.iter().map(position).collect(),
            controls,
            cycles: None,
        })
    }

    /// The edges of the graph, by numbers.
    fn edges(&self, numbers: &FxHashMap<AbstractId, usize>) -> CycleEvidence {
        let mut steps = vec![Vec::new(); numbers.len()];
        for (id, edges) in self.graph.edges.iter_enumerated() {
            let own = edges
                .iter()
                .map(|edge| AbstractStep { command: edge.command, target: numbers[&edge.target] });
            let mut own: Vec<AbstractStep> = own.collect();
            own.sort_unstable();
            own.dedup();
            steps[numbers[&id]] = own;
        }
        let mut initial: Vec<usize> = self.graph.initial.iter().map(|id| numbers[id]).collect();
        initial.sort_unstable();
        CycleEvidence { initial, steps, ..CycleEvidence::default() }
    }
}

/// Replaces the variables of one reading of a program by those of another.
fn carry_over(
    from: &SymbolicProgram<'_>,
    to: &SymbolicProgram<'_>,
    excerpt: &mut TermExcerpt,
) -> Result<(), Uncertified> {
    for term in &mut excerpt.terms {
        if let Term::Symbol(symbol) = term {
            let place = from.place_of(*symbol).and_then(|place| to.symbol_at(place));
            let missing = || "a predicate about a value that is chosen freely".to_owned();
            *symbol = place.ok_or_else(|| Uncertified::Because(missing()))?;
        }
    }
    Ok(())
}

/// Why an obligation has no model; none if the procedure does not know.
fn derivation_of(
    terms: &mut Terms,
    asked: &ProofObligation,
) -> Result<Option<WrittenDerivation>, Rejection> {
    let derivation = match Embedded::new().check(terms, &asked.formulas) {
        SolverAnswer::Unsatisfiable(Refutation { derivation: Some(derivation), .. }) => derivation,
        SolverAnswer::Satisfiable(_) => {
            let place = format!("{}: there is a model", asked.place);
            return Err(Rejection { obligation: asked.obligation, place });
        }
        SolverAnswer::Unsatisfiable(_) | SolverAnswer::Unknown(_) => return Ok(None),
    };
    let mut used = Vec::new();
    let _ = derivation.with_terms(|id| {
        used.push(id);
        id
    });
    let (excerpt, positions) = terms.excerpt(&used);
    let derivation = derivation.with_terms(|id| positions[&id]);
    Ok(Some(WrittenDerivation { terms: excerpt, derivation }))
}
