//! Exact abstract successors on demand: the valuations that a command leads to, by enumeration.
//!
//! From a valuation `a` of the basis, a command `g → D := t` leads to every valuation of `b[t/D]` that
//! is satisfiable together with the assumptions, `a` and `g`. Each model of the solver gives one, which
//! is then excluded. This is the best abstraction over the basis. The result depends only on the
//! predicates that share variables with `g`, `t` and the changed `b[t/D]`, and is kept for those, also for later
//! bases in which the same predicates do.

use super::basis::Basis;
use super::points::PointRelation;
use resy_symbolic::{ControlId, GuardedCommand, OutOfReach};
use resy_symbolic::{Solver, SolverAnswer, SymbolId, SymbolicProgram, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// If the solver does not know, so many undecided predicates are split by hand.
const MOST_SPLIT: usize = 10;

/// How successors are computed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum SuccessorMethod {
    /// Exactly, when they are needed.
    #[default]
    Demand,
    /// By test points, as the paper does.
    Points,
}

/// What a command does to the predicates, in one control state.
struct Plan {
    /// What is assumed before and after it, and its guard.
    context: Vec<TermId>,
    /// The predicates before it, as they read there.
    before: Vec<TermId>,
    /// The values after it that are known at once, or that stay.
    kept: Vec<Kept>,
    /// The predicates whose values are enumerated, over the data before it.
    changed: Vec<(usize, TermId)>,
    /// The predicates that the enumeration depends on.
    relevant: Vec<usize>,
    /// What the enumeration depends on, by number.
    question: usize,
}

/// A command, the predicates that its enumeration depends on, as they read before it, and those that are enumerated.
type QuestionKey = (CommandKey, Vec<TermId>, Vec<TermId>);

#[derive(Copy, Clone)]
enum Kept {
    Old,
    Known(bool),
    Changed,
}

/// Computes successors.
#[derive(Default)]
pub(crate) struct Successors {
    method: SuccessorMethod,
    /// What points tell of each command, for the method of points.
    relations: FxHashMap<CommandKey, Rc<PointRelation>>,
    plans: FxHashMap<CommandKey, Rc<Plan>>,
    /// The questions so far, whether each was asked for the present basis, and the answers.
    questions: FxHashMap<QuestionKey, usize>,
    is_present: Vec<bool>,
    memo: FxHashMap<(usize, Vec<bool>), Valuations>,
    /// Answers that the solver did not give.
    pub n_unknown: u64,
}

/// Values of the changed predicates.
type Valuations = Rc<[Vec<bool>]>;

/// A command, by its source (none for the start) and its number there.
pub(crate) type CommandKey = (Option<ControlId>, usize);

impl Successors {
    /// Prepares for another basis: what was not asked for the last one is forgotten.
    pub fn change_basis(&mut self, method: SuccessorMethod) {
        if method != self.method {
            *self = Self { method, ..Self::default() };
        }
        self.relations.clear();
        self.plans.clear();
        let is_present = &self.is_present;
        self.questions.retain(|_, question| is_present[*question]);
        self.memo.retain(|(question, _), _| is_present[*question]);
        self.is_present.fill(false);
    }

    /// The number of a question, which may have been asked for an earlier basis.
    fn question_of(&mut self, key: CommandKey, plan: &Plan) -> usize {
        let relevant = match self.method {
            SuccessorMethod::Demand => plan.relevant.iter().map(|&i| plan.before[i]).collect(),
            SuccessorMethod::Points => plan.before.clone(),
        };
        let changed = plan.changed.iter().map(|pair| pair.1).collect();
        let next = self.is_present.len();
        let question = *self.questions.entry((key, relevant, changed)).or_insert(next);
        if question == next {
            self.is_present.push(true);
        }
        self.is_present[question] = true;
        question
    }

    /// What points tell of a command.
    fn relation(
        &mut self,
        program: &SymbolicProgram<'_>,
        solver: &mut dyn Solver,
        key: CommandKey,
        plan: &Plan,
    ) -> Rc<PointRelation> {
        let relation = self.relations.entry(key).or_insert_with(|| {
            let mut terms = program.terms().borrow_mut();
            let (context, before) = (&plan.context, &plan.before);
            Rc::new(PointRelation::test(&mut terms, solver, context, before, &plan.changed))
        });
        relation.clone()
    }

    /// The valuations after a command that is taken in a state with these values.
    pub fn of(
        &mut self,
        program: &mut SymbolicProgram<'_>,
        solver: &mut dyn Solver,
        basis: &mut Basis,
        key: CommandKey,
        command: &GuardedCommand,
        values: &[bool],
    ) -> Result<Vec<Box<[bool]>>, OutOfReach> {
        let plan = match self.plans.get(&key) {
            Some(plan) => plan.clone(),
            None => {
                let mut plan = plan(program, basis, key.0, command)?;
                plan.question = self.question_of(key, &plan);
                let plan = Rc::new(plan);
                self.plans.insert(key, plan.clone());
                plan
            }
        };
        let seen: Vec<bool> = match self.method {
            SuccessorMethod::Demand => plan.relevant.iter().map(|&i| values[i]).collect(),
            SuccessorMethod::Points => values.to_vec(),
        };
        let found = match self.memo.get(&(plan.question, seen.clone())) {
            Some(found) => found.clone(),
            None => {
                let found: Valuations = match (self.method, key.0) {
                    (SuccessorMethod::Points, Some(_)) => {
                        let relation = self.relation(program, solver, key, &plan);
                        relation.after(values, &plan.changed).into()
                    }
                    _ => self.enumerate(program, solver, &plan, values).into(),
                };
                self.memo.insert((plan.question, seen), found.clone());
                found
            }
        };
        let result = found.iter().map(|changed| {
            let mut changed = changed.iter();
            let value = |(i, kept): (usize, &Kept)| match *kept {
                Kept::Old => values[i],
                Kept::Known(value) => value,
                Kept::Changed => changed.next().copied().unwrap_or(false),
            };
            plan.kept.iter().enumerate().map(value).collect()
        });
        Ok(result.collect())
    }

    fn enumerate(
        &mut self,
        program: &SymbolicProgram<'_>,
        solver: &mut dyn Solver,
        plan: &Plan,
        values: &[bool],
    ) -> Vec<Vec<bool>> {
        let mut terms = program.terms().borrow_mut();
        solver.push();
        for &i in &plan.relevant {
            let literal = plan.before[i];
            let literal = if values[i] { literal } else { terms.not(literal) };
            solver.assert(literal);
        }
        plan.context.iter().for_each(|&formula| solver.assert(formula));
        let mut found = Vec::new();
        loop {
            let model = match solver.check(&mut terms, &[]) {
                SolverAnswer::Unsatisfiable(_) => break,
                SolverAnswer::Satisfiable(model) => model,
                SolverAnswer::Unknown(_) => {
                    self.n_unknown += 1;
                    found.extend(split(&mut terms, solver, plan));
                    break;
                }
            };
            let truths: Option<Vec<bool>> =
                plan.changed.iter().map(|&(_, formula)| terms.holds(formula, &model)).collect();
            let Some(truths) = truths else {
                self.n_unknown += 1;
                found.extend(split(&mut terms, solver, plan));
                break;
            };
            let literals: Vec<TermId> = plan
                .changed
                .iter()
                .zip(&truths)
                .map(|(&(_, formula), &truth)| if truth { terms.not(formula) } else { formula })
                .collect();
            found.push(truths);
            if literals.is_empty() {
                break;
            }
            let other = terms.or(&literals);
            solver.assert(other);
        }
        solver.pop();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The valuations of the changed predicates that are not refuted, one predicate after the other. If
/// there are many predicates, all.
fn split(terms: &mut resy_symbolic::Terms, solver: &mut dyn Solver, plan: &Plan) -> Vec<Vec<bool>> {
    let mut prefixes: Vec<Vec<bool>> = vec![Vec::new()];
    for depth in 0..plan.changed.len() {
        let mut longer = Vec::new();
        for prefix in prefixes {
            for value in [false, true] {
                let mut next = prefix.clone();
                next.push(value);
                let literals: Vec<TermId> = plan.changed[..=depth]
                    .iter()
                    .zip(&next)
                    .map(|(&(_, f), &v)| if v { f } else { terms.not(f) })
                    .collect();
                let is_refuted = depth < MOST_SPLIT && solver.refutes(terms, &literals);
                if !is_refuted {
                    longer.push(next);
                }
            }
        }
        prefixes = longer;
    }
    prefixes
}

/// What a command does to the predicates of the basis.
fn plan(
    program: &mut SymbolicProgram<'_>,
    basis: &mut Basis,
    source: Option<ControlId>,
    command: &GuardedCommand,
) -> Result<Plan, OutOfReach> {
    let mut context = command.guard.clone();
    if let Some(source) = source {
        context.extend(program.assumptions(source)?.iter());
    }
    let target = command.target;
    if let Some(target) = target {
        let after = program.assumptions(target)?;
        let mut terms = program.terms().borrow_mut();
        context.extend(after.iter().map(|&f| terms.substitute(f, &command.updates)));
    }
    let (mut before, mut kept, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..basis.len() {
        let old = match source {
            Some(source) => basis.in_control(program, source, number),
            None => program.terms().borrow_mut().truth(false),
        };
        before.push(old);
        let Some(target) = target else {
            kept.push(Kept::Known(false));
            continue;
        };
        let new = basis.in_control(program, target, number);
        let new = program.terms().borrow_mut().substitute(new, &command.updates);
        kept.push(match program.terms().borrow().as_truth(new) {
            Some(value) => Kept::Known(value),
            None if new == old && source.is_some() => Kept::Old,
            None => Kept::Changed,
        });
        if let Some(Kept::Changed) = kept.last() {
            changed.push((number, new));
        }
    }
    let relevant = match source {
        Some(_) => relevant(program, &context, &before, &changed),
        None => Vec::new(),
    };
    Ok(Plan { context, before, kept, changed, relevant, question: 0 })
}

/// The predicates that share variables with the formulas of a step, directly or through others.
/// A predicate that has a constant value is irrelevant.
fn relevant(
    program: &SymbolicProgram<'_>,
    context: &[TermId],
    before: &[TermId],
    changed: &[(usize, TermId)],
) -> Vec<usize> {
    let terms = program.terms().borrow();
    let roots: Vec<TermId> = context.iter().copied().chain(changed.iter().map(|c| c.1)).collect();
    let mut touched: FxHashSet<SymbolId> = terms.symbols_in(&roots).into_iter().collect();
    let open = |&i: &usize| terms.as_truth(before[i]).is_none();
    let mut waiting: Vec<usize> = (0..before.len()).filter(open).collect();
    let mut relevant = Vec::new();
    loop {
        let n_waiting = waiting.len();
        waiting.retain(|&i| {
            let symbols = terms.symbols_in(&[before[i]]);
            let meets = symbols.iter().any(|symbol| touched.contains(symbol));
            if meets {
                touched.extend(symbols);
                relevant.push(i);
            }
            !meets
        });
        if waiting.len() == n_waiting {
            relevant.sort_unstable();
            return relevant;
        }
    }
}
