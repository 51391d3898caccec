//! Linear equalities between variables that all runs keep: amounts that only move, `inside + sem == K`.
//!
//! Karr (Affine relationships among variables of a program, Acta Informatica 6, 1976), forward with generators: in each
//! control state the values reached lie in a point and the span of some directions. A command maps them, whatever it chooses
//! freely or is not linear becomes a direction, and the span of all that arrives is kept. Guards are ignored. What is
//! found is a candidate only, which the solver judges.

use super::houdini::Step;
use super::span::{CoordinateSum, Span};
use resy_index::Id;
use resy_symbolic::{
    ControlId, GuardedCommand, LinearSum, Rational, SymbolId, SymbolicProgram, TermId, Terms,
};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Among more variables no equalities are looked for.
const MOST_VARIABLES: usize = 32;

/// More equalities are not taken.
const MOST_EQUALITIES: usize = 32;

/// The equalities of all control states, those of many first; none if a limit is reached or a number does not fit.
pub(super) fn equalities(
    program: &SymbolicProgram<'_>,
    steps: &[Step],
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Vec<TermId> {
    let karr = Karr::new(program, steps);
    if karr.variables.len() > MOST_VARIABLES {
        return Vec::new();
    }
    let Some(spans) = karr.reached(steps, go_on) else { return Vec::new() };
    let mut terms = program.terms().borrow_mut();
    let mut found: BTreeMap<TermId, usize> = BTreeMap::new();
    for (coefficients, value) in spans.iter().flatten().filter_map(Span::equalities).flatten() {
        if coefficients.iter().filter(|c| !c.is_zero()).count() > 1 {
            let equality = karr.equality(&mut terms, &coefficients, value);
            *found.entry(equality).or_default() += 1;
        }
    }
    let mut found: Vec<(TermId, usize)> = found.into_iter().collect();
    found.sort_by_key(|&(formula, n)| (Reverse(n), formula));
    found.truncate(MOST_EQUALITIES);
    found.into_iter().map(|pair| pair.0).collect()
}

struct Karr<'k, 'a> {
    program: &'k SymbolicProgram<'a>,
    /// The numbers that commands change, and the parameters.
    variables: Vec<(SymbolId, TermId)>,
    positions: FxHashMap<TermId, usize>,
    /// In each control state the variables that have one value there.
    fixed: Vec<Vec<Option<Rational>>>,
}

impl<'k, 'a> Karr<'k, 'a> {
    fn new(program: &'k SymbolicProgram<'a>, steps: &[Step]) -> Self {
        let mut terms = program.terms().borrow_mut();
        let moving = steps.iter().flat_map(|step| step.command.updates.keys());
        let symbols: BTreeSet<SymbolId> = moving.chain(program.parameters()).copied().collect();
        let symbols = symbols.into_iter().filter(|&s| terms.declaration(s).sort.is_numeric());
        let symbols: Vec<SymbolId> = symbols.take(MOST_VARIABLES + 1).collect();
        let variables: Vec<(SymbolId, TermId)> =
            symbols.into_iter().map(|symbol| (symbol, terms.symbol(symbol))).collect();
        drop(terms);
        let positions = variables.iter().enumerate().map(|(number, pair)| (pair.1, number));
        let value = |control, own| {
            let read = program.read_in(control, own);
            program.terms().borrow().as_number(read)
        };
        let values = |number| {
            let control = ControlId::from_index(number);
            variables.iter().map(|&(_, own)| value(control, own)).collect()
        };
        let fixed = (0..program.controls().len()).map(values).collect();
        Self { program, positions: positions.collect(), fixed, variables }
    }

    fn equality(&self, terms: &mut Terms, coefficients: &[Rational], value: Rational) -> TermId {
        let mut sum = terms.number(0);
        for (&(_, own), &coefficient) in self.variables.iter().zip(coefficients) {
            let scaled = terms.scale(coefficient, own);
            sum = terms.add(sum, scaled);
        }
        let value = terms.number(value);
        terms.equal(sum, value)
    }

    /// The span of what is reached in each control state; `None` inside where nothing is, outside if a number does not fit.
    fn reached(
        &self,
        steps: &[Step],
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Vec<Option<Span>>> {
        let mut spans: Vec<Option<Span>> = vec![None; self.fixed.len()];
        let mut out_of = vec![Vec::new(); self.fixed.len()];
        let mut waiting: VecDeque<ControlId> = VecDeque::new();
        let anywhere = Span::everything(self.variables.len());
        for step in steps {
            match step.source {
                Some(source) => out_of[source.index()].push(&step.command),
                None => waiting.extend(self.arrive(&step.command, &anywhere, &mut spans)?),
            }
        }
        while let Some(control) = waiting.pop_front() {
            let Some(span) = spans[control.index()].clone() else { continue };
            for command in &out_of[control.index()] {
                if !go_on(0) {
                    return None;
                }
                let grown = self.arrive(command, &span, &mut spans)?;
                if let Some(target) = grown.filter(|target| !waiting.contains(target)) {
                    waiting.push_back(target);
                }
            }
        }
        Some(spans)
    }

    /// Adds what a command makes of a span to that of its target; this one, if it grows.
    fn arrive(
        &self,
        command: &GuardedCommand,
        span: &Span,
        spans: &mut [Option<Span>],
    ) -> Option<Option<ControlId>> {
        let Some(target) = command.target else { return Some(None) };
        let image = self.image(command, target, span)?;
        let grows = match &mut spans[target.index()] {
            Some(known) => known.join(&image)?,
            none => {
                *none = Some(image);
                true
            }
        };
        Some(grows.then_some(target))
    }

    /// What a command makes of a span: sums are mapped, all else that variables are set to is free.
    fn image(&self, command: &GuardedCommand, target: ControlId, span: &Span) -> Option<Span> {
        let terms = self.program.terms().borrow();
        let mut free: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut sums = Vec::new();
        for (&(symbol, own), fixed) in self.variables.iter().zip(&self.fixed[target.index()]) {
            let sum = match *fixed {
                Some(number) => LinearSum::number(number),
                None => terms.sum_of(command.updates.get(&symbol).copied().unwrap_or(own)),
            };
            let mut position = |part: TermId| match self.positions.get(&part) {
                Some(&known) => known,
                None => {
                    let next = self.variables.len() + free.len();
                    *free.entry(part).or_insert(next)
                }
            };
            let summands = sum.summands.iter().map(|&(part, c)| (position(part), c)).collect();
            sums.push(CoordinateSum { summands, constant: sum.constant });
        }
        match free.len() {
            0 => span.image(&sums),
            n => span.with_free(n).image(&sums),
        }
    }
}
