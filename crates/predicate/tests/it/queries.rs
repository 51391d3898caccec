//! The embedded procedure on random queries, against z3.

use resy_predicate::{Embedded, SmtProcess};
use resy_testkit::queries::{QueryComparison, QueryKind, QueryTally};

fn compare(kind: QueryKind, n_scopes: u64) -> QueryTally {
    let mut trial = Embedded::new();
    let mut oracle = SmtProcess::start("z3").expect("z3 is installed (apt install z3)");
    let mut comparison = QueryComparison::new(kind, &mut trial, Some(&mut oracle));
    (0..n_scopes).for_each(|seed| comparison.scope(seed, 5));
    comparison.tally
}

#[test]
fn the_embedded_procedure_agrees_with_z3() {
    for kind in QueryKind::ALL {
        let tally = compare(kind, 20);
        assert_eq!(tally.findings, Vec::<String>::new());
        assert!(tally.n_unknown <= 2, "{kind:?}: {tally:?}");
        assert!(tally.n_unsatisfiable >= 3 && tally.n_satisfiable >= 3, "{kind:?}: {tally:?}");
        println!("{kind:?}: {tally:?}");
    }
}
