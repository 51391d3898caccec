//! The embedded procedure on random queries, against another solver: z3, or the one that `RESY_SOLVER` names.
//! `RESY_CASES` asks for more scopes of each kind, of five queries each.

use resy_predicate::Embedded;
use resy_symbolic::SmtProcess;
use resy_testkit::queries::{QueryComparison, QueryKind, QueryTally};

/// Scopes between two new starts of the procedure.
const SCOPES: u64 = 50;

fn compare(kind: QueryKind, n_scopes: u64) -> QueryTally {
    let command = std::env::var("RESY_SOLVER").unwrap_or_else(|_| "z3".to_owned());
    let mut oracle = SmtProcess::start(&command).expect("z3 is installed (apt install z3)");
    let mut total = QueryTally::default();
    for start in (0..n_scopes).step_by(SCOPES as usize) {
        let mut trial = Embedded::new();
        let mut comparison = QueryComparison::new(kind, &mut trial, Some(&mut oracle));
        (start..n_scopes.min(start + SCOPES)).for_each(|seed| comparison.scope(seed, 5));
        total.add(comparison.tally);
    }
    total
}

#[test]
fn the_embedded_procedure_agrees_with_z3() {
    let asked = std::env::var("RESY_CASES").ok().and_then(|n| n.parse().ok());
    let n_scopes: u64 = asked.unwrap_or(20);
    for kind in QueryKind::ALL {
        let tally = compare(kind, n_scopes);
        let QueryTally { n_satisfiable, n_unsatisfiable, n_unknown, n_not_compared, .. } = tally;
        println!(
            "{kind:?}: {n_satisfiable} models, {n_unsatisfiable} refuted, {n_unknown} unknown, {n_not_compared} not \
             compared, {} steps, {} wrong",
            tally.n_steps,
            tally.findings.len()
        );
        assert_eq!(tally.findings, Vec::<String>::new());
        assert!(n_unknown <= 2.max(n_scopes / 10), "{kind:?}: {tally:?}");
        assert!(n_unsatisfiable >= 3 && n_satisfiable >= 3, "{kind:?}: {tally:?}");
    }
}
