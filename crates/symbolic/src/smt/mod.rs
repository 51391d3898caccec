//! Any SMT-LIB 2 solver as a process: `z3 -in`, `cvc5 --incremental --produce-models`.
//!
//! Needed for products and quantifiers, and as a second opinion. Nothing that it says is believed
//! without need: a model must not evaluate to false, and a process that dies, hangs or answers
//! something else gives *unknown*; it is started again for the next query.

mod child;
mod read;
mod write;

use crate::solver::{Refutation, Solver, SolverAnswer, SolverObstacle};
use crate::terms::{Interpretation, TermId, Terms};
use child::SolverChild;
use read::SExpr;
use resy_index::Interest;
use rustc_hash::FxHashSet;
use std::io;
use std::time::Duration;

pub use write::smt_script;
pub(crate) use write::{let_text, sort_name, symbol_name};

const OPTIONS: &str = "(set-option :print-success false)\n(set-option :produce-models true)\n\
    (set-option :produce-unsat-assumptions true)\n(set-logic ALL)\n";

/// How long a query may take unless another limit is set.
const LIMIT: Duration = Duration::from_secs(60);

/// A solver that is another program.
#[derive(Debug)]
pub struct SmtProcess {
    command: Vec<String>,
    limit: Duration,
    interest: Interest,
    child: Option<SolverChild>,
    scopes: Vec<SmtScope>,
    n_queries: u64,
    n_failures: u64,
}

/// What one scope of the process has.
#[derive(Debug, Default)]
struct SmtScope {
    assertions: Vec<TermId>,
    /// How many of the assertions the process has.
    n_sent: usize,
    /// Terms defined in this scope, and those of them that have a name for assumptions.
    defined: FxHashSet<TermId>,
    named: FxHashSet<TermId>,
    /// Whether the process has opened the scope.
    is_open: bool,
}

impl SmtProcess {
    /// Starts the command, words separated by spaces; `z3` alone is `z3 -in`, and `cvc5` alone is
    /// `cvc5 --incremental`. An error if there is no such program or it does not speak SMT-LIB.
    pub fn start(command: &str) -> io::Result<Self> {
        let mut command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if let [program] = &command[..] {
            match program.rsplit('/').next() {
                Some("z3") => command.push("-in".to_owned()),
                Some("cvc5") => command.push("--incremental".to_owned()),
                _ => {}
            }
        }
        let mut process = Self {
            command,
            limit: LIMIT,
            interest: Interest::default(),
            child: None,
            scopes: vec![SmtScope::default()],
            n_queries: 0,
            n_failures: 0,
        };
        process.restart()?;
        match process.ask("(check-sat)\n").map(|answer| answer.word() == Some("sat")) {
            Ok(true) => Ok(process),
            _ => Err(io::Error::other(format!("{} is no SMT-LIB 2 solver", process.name()))),
        }
    }

    /// Sets how long a query may take.
    pub fn set_limit(&mut self, limit: Duration) {
        self.limit = limit;
    }

    /// Sets whether answers are still wanted.
    pub fn set_interest(&mut self, interest: Interest) {
        self.interest = interest;
    }

    /// How many queries the process did not answer properly.
    pub fn n_failures(&self) -> u64 {
        self.n_failures
    }

    fn restart(&mut self) -> io::Result<()> {
        for scope in &mut self.scopes {
            *scope = SmtScope {
                assertions: std::mem::take(&mut scope.assertions),
                ..SmtScope::default()
            };
        }
        let mut child = SolverChild::start(&self.command)?;
        child.send(OPTIONS).map_err(io::Error::other)?;
        self.child = Some(child);
        Ok(())
    }

    fn ask(&mut self, text: &str) -> Result<SExpr, String> {
        let child = self.child.as_mut().ok_or("it does not run")?;
        child.ask(text, self.limit, &self.interest)
    }

    /// Asks, after everything the process must know.
    fn query(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<SolverAnswer, String> {
        if self.child.is_none() {
            self.restart().map_err(|error| error.to_string())?;
        }
        let mut text = self.synchronise(terms, assumptions);
        text.push_str("(check-sat-assuming (");
        for &assumption in assumptions {
            text.push_str(&format!("p{} ", write::term_name(assumption)));
        }
        text.push_str("))\n");
        let answer = self.ask(&text)?;
        match answer.word() {
            Some("sat") => self.model(terms, assumptions).map(SolverAnswer::Satisfiable),
            Some("unsat") => {
                let core = self.core(assumptions)?;
                Ok(SolverAnswer::Unsatisfiable(Refutation { core, derivation: None }))
            }
            Some("unknown") => Ok(unknown("it says unknown".to_owned())),
            _ => Err(format!("it says {answer:?}")),
        }
    }

    /// What the process must be told before the query: scopes, definitions, assertions, and a name for
    /// each assumption.
    fn synchronise(&mut self, terms: &Terms, assumptions: &[TermId]) -> String {
        let mut text = String::new();
        let last = self.scopes.len() - 1;
        for level in 0..=last {
            if level > 0 && !self.scopes[level].is_open {
                text.push_str("(push 1)\n");
            }
            self.scopes[level].is_open = true;
            let new = self.scopes[level].assertions[self.scopes[level].n_sent..].to_vec();
            self.define(terms, level, &new, &mut text);
            for formula in &new {
                text.push_str(&format!("(assert {})\n", write::term_name(*formula)));
            }
            self.scopes[level].n_sent += new.len();
        }
        self.define(terms, last, assumptions, &mut text);
        for &assumption in assumptions {
            if !self.scopes.iter().any(|scope| scope.named.contains(&assumption)) {
                let name = write::term_name(assumption);
                text.push_str(&format!(
                    "(declare-fun p{name} () Bool)\n(assert (= p{name} {name}))\n"
                ));
                self.scopes[last].named.insert(assumption);
            }
        }
        text
    }

    fn define(&mut self, terms: &Terms, level: usize, roots: &[TermId], text: &mut String) {
        for part in terms.closure(roots) {
            if self.scopes[..=level].iter().any(|scope| scope.defined.contains(&part)) {
                continue;
            }
            self.scopes[level].defined.insert(part);
            if let crate::terms::Term::Symbol(symbol) = *terms.term(part) {
                text.push_str(&write::declaration(terms, symbol));
            }
            text.push_str(&write::definition(terms, part));
        }
    }

    /// The values of all variables of the query; they must not make it false.
    fn model(&mut self, terms: &Terms, assumptions: &[TermId]) -> Result<Interpretation, String> {
        let mut roots: Vec<TermId> = assumptions.to_vec();
        self.scopes.iter().for_each(|scope| roots.extend_from_slice(&scope.assertions));
        let symbols = terms.symbols_in(&roots);
        let mut model = Interpretation::default();
        if !symbols.is_empty() {
            let names: Vec<String> = symbols.iter().map(|&s| symbol_name(s)).collect();
            let answer = self.ask(&format!("(get-value ({}))\n", names.join(" ")))?;
            let pairs = answer.list().ok_or("no values")?;
            for (&symbol, pair) in symbols.iter().zip(pairs) {
                let value = pair.list().and_then(|pair| pair.get(1)).ok_or("no value")?;
                let value = value.value(terms.declaration(symbol).sort);
                model.set(symbol, value.ok_or("a value that cannot be read")?);
            }
        }
        let values = terms.evaluate_all(&roots, &model);
        let is_false = |root| values.get(root) == Some(&crate::terms::DataValue::Boolean(false));
        if roots.iter().any(is_false) {
            return Err("its model does not satisfy the query".to_owned());
        }
        Ok(model)
    }

    fn core(&mut self, assumptions: &[TermId]) -> Result<Vec<TermId>, String> {
        let answer = self.ask("(get-unsat-assumptions)\n")?;
        let names = answer.list().ok_or("no core")?;
        let is_named = |assumption: &&TermId| {
            let name = format!("p{}", write::term_name(**assumption));
            names.iter().any(|word| word.word() == Some(name.as_str()))
        };
        Ok(assumptions.iter().filter(is_named).copied().collect())
    }
}

fn unknown(words: String) -> SolverAnswer {
    SolverAnswer::Unknown(SolverObstacle::Process(words))
}

impl Solver for SmtProcess {
    fn name(&self) -> String {
        self.command.join(" ")
    }

    fn push(&mut self) {
        self.scopes.push(SmtScope::default());
    }

    fn pop(&mut self) {
        if self.scopes.len() == 1 {
            return;
        }
        if let Some(scope) = self.scopes.pop()
            && scope.is_open
            && let Some(child) = &mut self.child
            && child.send("(pop 1)\n").is_err()
        {
            self.child = None;
        }
    }

    fn assert(&mut self, formula: TermId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.assertions.push(formula);
        }
    }

    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> SolverAnswer {
        self.n_queries += 1;
        self.query(terms, assumptions).unwrap_or_else(|words| {
            self.n_failures += 1;
            self.child = None;
            unknown(words)
        })
    }

    fn n_queries(&self) -> u64 {
        self.n_queries
    }
}
