//! The embedded decision procedure on many random queries, against another solver; and its cost.

use crate::args::{TaskArgs, TaskFailure};
use crate::campaign::processor_time;
use resy_predicate::Embedded;
use resy_symbolic::{SmtProcess, Solver, SolverAnswer, TermId, Terms};
use resy_testkit::queries::{QueryComparison, QueryKind, QueryTally, RandomQueries};
use std::time::Duration;

/// Queries of a scope in comparisons, and scopes between two new starts of the procedure.
const QUERIES: usize = 5;
const SCOPES: u64 = 50;

/// The task `solver`; true if nothing is wrong.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let words = args.list("solver");
    let command = if words.is_empty() { "z3".to_owned() } else { words.join(",") };
    if args.flag("quick") {
        return cost(&command);
    }
    let n_cases: u64 = args.number("cases", 100_000)?;
    let first: u64 = args.number("seed", 0)?;
    let n_kinds = QueryKind::ALL.len() as u64;
    let n_scopes = n_cases.div_ceil(n_kinds * QUERIES as u64);
    println!(
        "| kind | models | refuted | unknown | not compared | wrong | core literals | steps | damaged |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let kinds = args.list("only");
    let is_asked = |kind: &QueryKind| kinds.is_empty() || kinds.contains(&format!("{kind:?}"));
    let mut is_fine = true;
    for kind in QueryKind::ALL.into_iter().filter(is_asked) {
        let tally = compare(kind, first, n_scopes, &command)?;
        println!("{}", row(kind, &tally));
        for finding in &tally.findings {
            println!("{finding}");
        }
        if let Some(unknown) = &tally.first_unknown {
            eprintln!("first unknown: {unknown}");
        }
        is_fine &= tally.findings.is_empty();
    }
    Ok(is_fine)
}

fn compare(
    kind: QueryKind,
    first: u64,
    n_scopes: u64,
    command: &str,
) -> Result<QueryTally, TaskFailure> {
    let mut total = QueryTally::default();
    let mut oracle = SmtProcess::start(command)?;
    for start in (first..first + n_scopes).step_by(SCOPES as usize) {
        let mut trial = Embedded::new();
        let mut comparison = QueryComparison::new(kind, &mut trial, Some(&mut oracle));
        for seed in start..(start + SCOPES).min(first + n_scopes) {
            comparison.scope(seed, QUERIES);
        }
        total.add(comparison.tally);
    }
    Ok(total)
}

fn row(kind: QueryKind, tally: &QueryTally) -> String {
    format!(
        "| {kind:?} | {} | {} | {} | {} | {} | {} | {} | {} |",
        tally.n_satisfiable,
        tally.n_unsatisfiable,
        tally.n_unknown,
        tally.n_not_compared,
        tally.findings.len(),
        tally.n_core_literals,
        tally.n_steps,
        tally.n_damaged
    )
}

/// One of 10^4 queries: assertions of its scope, and assumptions of each of its queries.
type PreparedScope = (Vec<TermId>, Vec<Vec<TermId>>);

/// The cost of 10^4 queries, with and without arrays: 100 scopes of 100 queries each.
fn cost(command: &str) -> Result<bool, TaskFailure> {
    println!("| solver | kind | refuted | unknown | core literals | processor seconds |");
    println!("|---|---|--:|--:|--:|--:|");
    for kind in [QueryKind::Integers, QueryKind::Arrays] {
        let mut queries = RandomQueries::new(kind);
        let scopes: Vec<PreparedScope> = (0..100).map(|seed| prepare(&mut queries, seed)).collect();
        let start = processor_time();
        let mut embedded = Embedded::new();
        let counts = ask(&mut embedded, &mut queries.terms, &scopes);
        print_cost("embedded", kind, &counts, start);
        let start = processor_time();
        let mut process = SmtProcess::start(command)?;
        let counts = ask(&mut process, &mut queries.terms, &scopes);
        // The time of a child counts when it has ended.
        drop(process);
        print_cost(command, kind, &counts, start);
    }
    Ok(true)
}

fn prepare(queries: &mut RandomQueries, seed: u64) -> PreparedScope {
    let scope = queries.scope(seed);
    let assumed = (0..100).map(|_| queries.query(&scope)).collect();
    (scope.assertions, assumed)
}

fn ask(solver: &mut dyn Solver, terms: &mut Terms, scopes: &[PreparedScope]) -> QueryTally {
    let mut tally = QueryTally::default();
    for (assertions, queries) in scopes {
        solver.push();
        assertions.iter().for_each(|&assertion| solver.assert(assertion));
        for query in queries {
            match solver.check(terms, query) {
                SolverAnswer::Satisfiable(_) => tally.n_satisfiable += 1,
                SolverAnswer::Unsatisfiable(refutation) => {
                    tally.n_unsatisfiable += 1;
                    tally.n_core_literals += refutation.core.len() as u64;
                }
                SolverAnswer::Unknown(_) => tally.n_unknown += 1,
            }
        }
        solver.pop();
    }
    tally
}

fn print_cost(name: &str, kind: QueryKind, tally: &QueryTally, start: Duration) {
    let seconds = (processor_time() - start).as_secs_f64();
    let (refuted, unknown) = (tally.n_unsatisfiable, tally.n_unknown);
    let literals = tally.n_core_literals;
    println!("| `{name}` | {kind:?} | {refuted} | {unknown} | {literals} | {seconds:.2} |");
}
