//! Workers at a queue: a cluster that grows around the queue stays small.

use super::{FoldLimits, Folding, fold_in_turns, hub};
use crate::fold::decide;
use crate::requirement::Conclusion;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_certificate::Of;
use resy_index::{Id, IndexVec};

const PLAIN: usize = 0;
const MARKED: usize = 1;
/// A worker takes a plain job or the marked one, puts it back, or reports it.
const OF_A_WORKER: usize = 6;

/// The actions of a worker: what it does, times two, with which job.
fn of(worker: usize, what: usize, job: usize) -> usize {
    2 + worker * OF_A_WORKER + 2 * what + job
}

fn lts(n_states: usize, transitions: &[(usize, usize, usize)]) -> Lts {
    let mut builder = LtsBuilder::with_states(n_states);
    let mut alphabet: Vec<ActionId> = Vec::new();
    for &(source, action, target) in transitions {
        let action = Id::from_index(action);
        alphabet.push(action);
        builder.add_transition(
            Id::from_index(source),
            Label::Visible(action),
            Id::from_index(target),
        );
    }
    builder.finish(Id::from_index(0), alphabet.into_iter().collect::<Alphabet>())
}

/// A master, a queue for two jobs, and workers; the marked job must be reported once at most.
fn workers(n: usize, is_broken: bool) -> Network {
    const TAKE: usize = 0;
    const BACK: usize = 1;
    const DONE: usize = 2;
    // Contents of the queue: none, plain, marked, and the four pairs, of which both marked is none.
    let put = [(0, PLAIN, 1), (0, MARKED, 2), (1, PLAIN, 3), (1, MARKED, 4), (2, PLAIN, 5)];
    let taken = [(1, PLAIN, 0), (2, MARKED, 0), (3, PLAIN, 1), (4, PLAIN, 2), (5, MARKED, 1)];
    let mut queue = put.to_vec();
    let mut once = Vec::new();
    let mut all = vec![lts(2, &[(0, PLAIN, 0), (0, MARKED, 1), (1, PLAIN, 1)])];
    for worker in 0..n {
        queue.extend(taken.map(|(from, job, to)| (from, of(worker, TAKE, job), to)));
        queue.extend(put.map(|(from, job, to)| (from, of(worker, BACK, job), to)));
        let job = |job: usize| {
            let has = 1 + job;
            [TAKE, BACK, DONE].map(|what| match what {
                TAKE => (0, of(worker, what, job), has),
                _ => (has, of(worker, what, job), 0),
            })
        };
        let mut steps = [job(PLAIN), job(MARKED)].concat();
        if is_broken && worker == 0 {
            // It reports the marked job, and keeps it.
            steps.push((2, of(worker, DONE, MARKED), 2));
        }
        all.push(lts(3, &steps));
        once.extend([(0, of(worker, DONE, MARKED), 1), (1, of(worker, DONE, MARKED), 2)]);
    }
    all.push(lts(6, &queue));
    let component = |(i, lts): (usize, Lts)| Component {
        name: i.to_string(),
        lts,
        state_names: IndexVec::new(),
    };
    let actions = (0..2 + n * OF_A_WORKER).map(|i| Action { name: i.to_string() }).collect();
    let monitor =
        Monitor { lts: lts(3, &once), error: Id::from_index(2), state_names: IndexVec::new() };
    Network::new(
        actions,
        all.into_iter().enumerate().map(component).collect(),
        Some(monitor),
        Vec::new(),
    )
}

#[test]
fn a_queue_absorbs_its_workers() {
    let limits = FoldLimits::default();
    for n in [12, 24, 48] {
        let network = workers(n, false);
        let start = Folding::start(&network, None, limits, |_| true);
        let hub = hub(&start.forest).unwrap();
        assert_eq!(hub.index(), n + 1);
        let mut around = start.around(hub, limits);
        assert!(around.run(usize::MAX, |_| true));
        let mut grown = hub;
        for (id, cluster) in around.forest.clusters.iter_enumerated() {
            if let Of::Product(parts, _) = &cluster.of {
                assert!(parts.contains(&grown), "{n} workers: {parts:?} without {grown:?}");
                grown = id;
            }
        }
        let folded = around.folded();
        assert_eq!(folded.network.components.len(), 1);
        assert!(folded.n_states <= 7 * n, "{n} workers, {} states", folded.n_states);
    }
}

#[test]
fn turns_of_any_length_end_with_one_cluster_and_the_same_verdict() {
    let limits = FoldLimits::default();
    for first_turn in [0, 1, 1_000, 30_000, 1 << 40] {
        for (n, is_broken) in [(1, false), (6, false), (6, true)] {
            let network = workers(n, is_broken);
            let folded = fold_in_turns(&network, limits, first_turn, |_| true);
            assert_eq!(folded.network.components.len(), 1, "{n} workers, {first_turn}");
            let decided = decide(folded, limits, |_| true).unwrap();
            assert_eq!(
                decided.verdict == Conclusion::Holds,
                !is_broken,
                "{n} workers, {first_turn}"
            );
        }
    }
}
