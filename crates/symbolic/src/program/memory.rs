//! A memory whose data cells hold terms: the reference semantics computes symbolic steps over it.
//!
//! A word is a number or names a term. Operators on terms build terms; a test of one is a choice of
//! the [path](super::path). Everything else is the memory of a whole state.

use super::data::{DataCells, DataKind};
use super::path::PathChoices;
use super::word::{LEAST_NUMBER, term_of, word_of};
use crate::{Rational, Sort, SymbolId, TermId, Terms};
use resy_system::{
    BinaryOp, Cell, CellType, ChannelTypeId, FieldQuery, FoundMessage, Interpreter, LocationId,
    Memory, MessageQuery, Offer, ProctypeId, State, System, UnaryOp, Value, ViolationKind,
};
use std::cell::RefCell;

/// Cells from here on are elements of unbounded arrays.
const FIRST_ELEMENT: u32 = 1 << 31;

/// What the evaluations of a step share.
pub(crate) struct SymbolicContext<'c> {
    pub terms: &'c RefCell<Terms>,
    pub data: &'c DataCells,
    pub path: RefCell<PathChoices>,
    /// The elements of unbounded arrays that were named: the array and the index.
    elements: RefCell<Vec<(Cell, TermId)>>,
    /// Why the step is out of reach.
    pub refusal: RefCell<Option<String>>,
    /// Inputs that stand for values that are not linear.
    pub unknowns: RefCell<Vec<SymbolId>>,
}

impl<'c> SymbolicContext<'c> {
    pub fn new(terms: &'c RefCell<Terms>, data: &'c DataCells) -> Self {
        Self {
            terms,
            data,
            path: RefCell::default(),
            elements: RefCell::default(),
            refusal: RefCell::default(),
            unknowns: RefCell::default(),
        }
    }

    /// Begins a path.
    pub fn begin(&self) {
        self.path.borrow_mut().begin();
        self.elements.borrow_mut().clear();
        self.unknowns.borrow_mut().clear();
    }

    pub fn refuse<T>(&self, why: &str) -> Value<T> {
        self.refusal.borrow_mut().get_or_insert_with(|| why.to_owned());
        Err(ViolationKind::Unanswered)
    }

    /// Whether a formula holds on the present path.
    pub fn decide(&self, formula: TermId) -> Value<bool> {
        let mut path = self.path.borrow_mut();
        let holds = path.decide(&mut self.terms.borrow_mut(), formula);
        if path.is_too_long() {
            return self.refuse("a step that loops on unbounded data has no end that is known");
        }
        Ok(holds)
    }

    pub fn term(&self, word: i32) -> TermId {
        term_of(word)
            .unwrap_or_else(|| self.terms.borrow_mut().number(Rational::integer(i128::from(word))))
    }

    /// The word of a term: a number, if it is a small one.
    pub fn word(&self, term: TermId) -> Value {
        let number = self.terms.borrow().as_number(term).and_then(Rational::to_integer);
        let small = number.and_then(|n| i32::try_from(n).ok()).filter(|&n| n >= LEAST_NUMBER);
        match small.or_else(|| word_of(term)) {
            Some(word) => Ok(word),
            None => self.refuse("there are too many terms"),
        }
    }

    /// A value about which nothing is known.
    fn unknown(&self) -> Value {
        let mut terms = self.terms.borrow_mut();
        let symbol = terms.declare("?", Sort::Integer);
        self.unknowns.borrow_mut().push(symbol);
        let term = terms.symbol(symbol);
        drop(terms);
        self.word(term)
    }
}

/// A state whose data cells hold terms.
#[derive(Clone)]
pub(crate) struct SymbolicMemory<'c> {
    pub state: State,
    pub context: &'c SymbolicContext<'c>,
}

impl SymbolicMemory<'_> {
    fn element_of(&self, cell: Cell) -> Option<(Cell, TermId)> {
        let Cell::Global(offset) = cell else { return None };
        let number = offset.checked_sub(FIRST_ELEMENT)?;
        self.context.elements.borrow().get(number as usize).copied()
    }

    fn arithmetic(&self, op: BinaryOp, a: i32, b: i32) -> Value {
        let context = self.context;
        let (left, right) = (context.term(a), context.term(b));
        let mut terms = context.terms.borrow_mut();
        let divisor = terms.as_number(right).and_then(Rational::to_integer);
        let result = match (op, divisor) {
            (BinaryOp::Add, _) => Some(terms.add(left, right)),
            (BinaryOp::Sub, _) => Some(terms.subtract(left, right)),
            (BinaryOp::Mul, _) => Some(terms.multiply(left, right)),
            (BinaryOp::Div | BinaryOp::Mod, Some(0)) => return Err(ViolationKind::DivisionByZero),
            (BinaryOp::Div, Some(by)) => terms.divide(left, by),
            (BinaryOp::Mod, Some(by)) => terms.remainder(left, by),
            (BinaryOp::Shl, Some(by @ 0..=62)) => {
                Some(terms.scale(Rational::integer(1 << by), left))
            }
            _ => None,
        };
        drop(terms);
        match result {
            Some(term) => context.word(term),
            None if matches!(op, BinaryOp::Div | BinaryOp::Mod) => {
                let zero = self.compare(BinaryOp::Eq, b, 0)?;
                if zero { Err(ViolationKind::DivisionByZero) } else { context.unknown() }
            }
            None => context.unknown(),
        }
    }

    /// The least number that is congruent modulo `2^bits` and not below `least`.
    fn wrapped(&self, word: i32, bits: u8, least: i128) -> Value {
        let (context, term) = (self.context, self.context.term(word));
        let mut terms = context.terms.borrow_mut();
        let (size, least_term) = (1i128 << bits, terms.number(Rational::integer(least)));
        let above = terms.subtract(term, least_term);
        let Some(rest) = terms.remainder(above, size) else { return Ok(word) };
        let (zero, size) = (terms.number(0), terms.number(Rational::integer(size)));
        let is_negative = terms.less(rest, zero);
        let lifted = terms.add(rest, size);
        let rest = terms.ite(is_negative, lifted, rest);
        let result = terms.add(rest, least_term);
        // Within the range nothing changes, which is what most stores do.
        let (low, high) = (terms.at_least(term, least_term), {
            let bound = terms.add(least_term, size);
            terms.less(term, bound)
        });
        let fits = terms.and(&[low, high]);
        let result = terms.ite(fits, term, result);
        drop(terms);
        context.word(result)
    }
}

impl Memory for SymbolicMemory<'_> {
    fn unary(&self, op: UnaryOp, a: i32) -> Value {
        match (term_of(a), op) {
            (None, _) => self.checked(op.apply(a)),
            (Some(term), UnaryOp::Neg) => {
                let negated = self.context.terms.borrow_mut().negate(term);
                self.context.word(negated)
            }
            (Some(_), _) => self.context.unknown(),
        }
    }

    fn binary(&self, op: BinaryOp, a: i32, b: i32) -> Value {
        match term_of(a).is_none() && term_of(b).is_none() {
            true => self.checked(op.apply(a, b)?),
            false => self.arithmetic(op, a, b),
        }
    }

    fn compare(&self, op: BinaryOp, a: i32, b: i32) -> Value<bool> {
        if term_of(a).is_none() && term_of(b).is_none() {
            return Ok(op.compares(a, b));
        }
        let (a, b) = (self.context.term(a), self.context.term(b));
        let formula = {
            let mut terms = self.context.terms.borrow_mut();
            match op {
                BinaryOp::Lt => terms.less(a, b),
                BinaryOp::Le => terms.at_most(a, b),
                BinaryOp::Gt => terms.greater(a, b),
                BinaryOp::Ge => terms.at_least(a, b),
                BinaryOp::Eq => terms.equal(a, b),
                _ => terms.not_equal(a, b),
            }
        };
        self.context.decide(formula)
    }

    fn truth(&self, word: i32) -> Value<bool> {
        self.compare(BinaryOp::Ne, word, 0)
    }

    fn number(&self, word: i32) -> Value {
        match term_of(word) {
            None => Ok(word),
            Some(_) => self.context.refuse(
                "an unbounded value is a process, a channel, a priority, or the index of an array \
                 that is not unbounded",
            ),
        }
    }

    fn fit(&self, ty: CellType, word: i32) -> Value {
        match (term_of(word), ty) {
            (None, _) => Ok(ty.truncate(word)),
            (Some(_), CellType::Int) => Ok(word),
            (Some(_), CellType::Short) => self.wrapped(word, 16, -(1 << 15)),
            (Some(_), CellType::Mtype | CellType::Chan) => {
                self.context.refuse("an unbounded value is stored as a channel or an `mtype`")
            }
            (Some(_), _) => self.wrapped(word, ty.bits(), 0),
        }
    }

    fn element(&self, first: Cell, index: i32) -> Value<Option<Cell>> {
        match self.context.data.get(&self.state, first) {
            Some(cell) if cell.kind == DataKind::Array => {}
            _ => return Ok(None),
        }
        let index = self.context.term(index);
        let mut elements = self.context.elements.borrow_mut();
        elements.push((first, index));
        Ok(Some(Cell::Global(FIRST_ELEMENT + elements.len() as u32 - 1)))
    }

    fn n_processes(&self) -> Value<usize> {
        self.state.n_processes()
    }

    fn proctype(&self, pid: usize) -> Value<Option<ProctypeId>> {
        self.state.proctype(pid)
    }

    fn location(&self, pid: usize) -> Value<LocationId> {
        self.state.location(pid)
    }

    fn priority(&self, pid: usize) -> Value<u8> {
        self.state.priority(pid)
    }

    fn last(&self) -> Value {
        Memory::last(&self.state)
    }

    fn load(&self, cell: Cell) -> Value {
        let Some((array, index)) = self.element_of(cell) else { return self.state.load(cell) };
        let array = self.context.term(self.state.load(array)?);
        let element = self.context.terms.borrow_mut().select(array, index);
        self.context.word(element)
    }

    fn channel_type(&self, chan: usize) -> Value<Option<ChannelTypeId>> {
        self.state.channel_type(chan)
    }

    fn channel_len(&self, chan: usize) -> Value<usize> {
        self.state.channel_len(chan)
    }

    fn message(&self, chan: usize, slot: usize) -> Value<Option<Vec<i32>>> {
        self.state.message(chan, slot)
    }

    fn find(&self, chan: usize, query: &MessageQuery) -> Value<Option<FoundMessage>> {
        let n_slots = self.channel_len(chan)?;
        for slot in 0..if query.random { n_slots } else { n_slots.min(1) } {
            let Some(message) = self.message(chan, slot)? else { break };
            let mut fits = true;
            for (field, &value) in query.fields.iter().zip(&message) {
                if let FieldQuery::Is(wanted) = *field {
                    fits = fits && self.compare(BinaryOp::Eq, wanted, value)?;
                }
            }
            if fits {
                return Ok(Some(FoundMessage { slot, message }));
            }
        }
        Ok(None)
    }

    fn is_welcome(
        &self,
        interpreter: &Interpreter<'_>,
        sender: usize,
        offer: &Offer,
    ) -> Value<bool> {
        for pid in (0..self.n_processes()?).filter(|&pid| pid != sender) {
            if interpreter.would_accept(self, pid, offer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn store(&mut self, cell: Cell, value: i32) -> Value<()> {
        let Some((array, index)) = self.element_of(cell) else {
            return self.state.store(cell, value);
        };
        let old = self.context.term(self.state.load(array)?);
        let value = self.context.term(value);
        let new = self.context.terms.borrow_mut().store(old, index, value);
        let word = self.context.word(new)?;
        self.state.store(array, word)
    }

    fn insert(&mut self, chan: usize, message: &[i32], sorted_by: Option<&[i32]>) -> Value<()> {
        let is_term = |word: &i32| term_of(*word).is_some();
        let messages = (0..self.channel_len(chan)?).map(|slot| self.message(chan, slot));
        let messages = messages.collect::<Value<Vec<_>>>()?;
        let has_terms =
            |raw: &[i32]| raw.iter().chain(messages.iter().flatten().flatten()).any(is_term);
        if sorted_by.is_some_and(has_terms) {
            return self.context.refuse("a sorted send of an unbounded value");
        }
        self.state.insert(chan, message, sorted_by)
    }

    fn remove(
        &mut self,
        chan: usize,
        query: Option<&MessageQuery>,
        found: &FoundMessage,
    ) -> Value<()> {
        self.state.remove(chan, query, found)
    }

    fn move_to(&mut self, pid: usize, location: LocationId) -> Value<()> {
        self.state.move_to(pid, location)
    }

    fn set_priority(&mut self, pid: usize, priority: u8) -> Value<()> {
        Memory::set_priority(&mut self.state, pid, priority)
    }

    fn set_last(&mut self, pid: usize) -> Value<()> {
        self.state.set_last(pid)
    }

    fn add_process(&mut self, system: &System, proctype: ProctypeId, priority: u8) -> Value<usize> {
        self.state.add_process(system, proctype, priority)
    }

    fn add_channel(&mut self, system: &System, ty: ChannelTypeId) -> Value {
        self.state.add_channel(system, ty)
    }

    fn remove_youngest(&mut self) -> Value<()> {
        self.state.remove_youngest()
    }

    fn event(&self) -> Value<LocationId> {
        Memory::event(&self.state)
    }

    fn set_event(&mut self, location: LocationId) -> Value<()> {
        self.state.set_event(location)
    }
}

impl SymbolicMemory<'_> {
    /// A number that finite variables have computed.
    fn checked(&self, number: i32) -> Value {
        match number < LEAST_NUMBER {
            false => Ok(number),
            true => self.context.refuse("a number below -1073741824 in a finite variable"),
        }
    }
}
