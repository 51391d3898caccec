//! Taking states out of a graph that are on no violating cycle, by all threads.
//!
//! Two things are done in turns until nothing changes. A state without a predecessor is taken out, and then perhaps its
//! successors are without. Then each state gets the marks of all ways that lead to it, and one that has not all of them
//! is taken out. In what survives, one can go back for ever and meet every mark again and again: it has a cycle with all
//! of them. A cycle with all marks is never touched. The result does not depend on the order of the threads.

use super::Stopped;
use super::graph::CycleGraph;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

/// The states that a thread takes at a time.
const CHUNK: usize = 1024;
/// The states between two looks at the limits.
const PORTION: usize = 1 << 18;

/// The number of states that survive.
pub(super) fn count(
    graph: &CycleGraph,
    pool: &ThreadPool,
    look: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<usize, Stopped> {
    let n = graph.n_states;
    let rounds = Rounds {
        graph,
        pool,
        is_alive: (0..n).map(|_| AtomicBool::new(true)).collect(),
        is_queued: (0..n).map(|_| AtomicBool::new(false)).collect(),
        n_before: (0..n).map(|_| AtomicU32::new(0)).collect(),
        met: (0..n).map(|_| AtomicU64::new(0)).collect(),
    };
    let mut alive: Vec<u32> = (0..n as u32).collect();
    loop {
        rounds.trim(&alive, look)?;
        alive.retain(|&state| rounds.is_alive(state));
        rounds.gather(&alive, look)?;
        let n_before = alive.len();
        alive.retain(|&state| rounds.has_met_all(state));
        if alive.len() == n_before {
            return Ok(n_before);
        }
    }
}

struct Rounds<'g> {
    graph: &'g CycleGraph,
    pool: &'g ThreadPool,
    is_alive: Vec<AtomicBool>,
    /// Whether the state is in the list of those that are visited next.
    is_queued: Vec<AtomicBool>,
    /// The number of edges that lead to a state, from states that are alive.
    n_before: Vec<AtomicU32>,
    /// The marks of the ways that lead to a state.
    met: Vec<AtomicU64>,
}

impl Rounds<'_> {
    fn is_alive(&self, state: u32) -> bool {
        self.is_alive[state as usize].load(Relaxed)
    }

    /// The edges between states that are alive.
    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, u64)> {
        self.graph.edges(state).filter(|&(target, _)| self.is_alive(target))
    }

    /// Visits some states by all threads, and then what they name, until they name nothing more.
    fn spread(
        &self,
        first: &[u32],
        look: &mut dyn FnMut() -> Result<(), Stopped>,
        visit: impl Fn(u32, &mut Vec<u32>) + Sync,
    ) -> Result<(), Stopped> {
        let mut list = first.to_vec();
        while !list.is_empty() {
            let mut next = Vec::new();
            for portion in list.chunks(PORTION) {
                look()?;
                let named = |states: &[u32]| {
                    let mut named = Vec::new();
                    states.iter().for_each(|&state| visit(state, &mut named));
                    named
                };
                // A few states are not worth the others.
                match portion.len() > 2 * CHUNK {
                    true => {
                        let lists: Vec<Vec<u32>> =
                            self.pool.install(|| portion.par_chunks(CHUNK).map(named).collect());
                        lists.iter().for_each(|list| next.extend_from_slice(list));
                    }
                    false => next.extend(named(portion)),
                }
            }
            list = next;
        }
        Ok(())
    }

    /// Takes out what has no predecessor, of the states that are alive.
    fn trim(
        &self,
        alive: &[u32],
        look: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        alive.iter().for_each(|&state| self.n_before[state as usize].store(0, Relaxed));
        self.spread(alive, look, |state, _| {
            for (target, _) in self.edges(state) {
                self.n_before[target as usize].fetch_add(1, Relaxed);
            }
        })?;
        let has_none = |state: &u32| self.n_before[*state as usize].load(Relaxed) == 0;
        let first: Vec<u32> = alive.iter().copied().filter(has_none).collect();
        self.spread(&first, look, |state, next| {
            self.is_alive[state as usize].store(false, Relaxed);
            for (target, _) in self.edges(state) {
                // One thread sees the last predecessor go.
                if self.n_before[target as usize].fetch_sub(1, Relaxed) == 1 {
                    next.push(target);
                }
            }
        })
    }

    /// Gathers the marks of all ways to the states that are alive.
    fn gather(
        &self,
        alive: &[u32],
        look: &mut dyn FnMut() -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        for &state in alive {
            self.met[state as usize].store(0, Relaxed);
            self.is_queued[state as usize].store(true, Relaxed);
        }
        self.spread(alive, look, |state, next| {
            // Marks that come later put the state into the list again.
            self.is_queued[state as usize].swap(false, AcqRel);
            let here = self.met[state as usize].load(Relaxed);
            for (target, mask) in self.edges(state) {
                let (target_met, marks) = (&self.met[target as usize], here | mask);
                if target_met.load(Relaxed) & marks != marks
                    && target_met.fetch_or(marks, AcqRel) & marks != marks
                    && !self.is_queued[target as usize].swap(true, AcqRel)
                {
                    next.push(target);
                }
            }
        })
    }

    /// Whether a state has all marks; else it is taken out.
    fn has_met_all(&self, state: u32) -> bool {
        let has_all = self.graph.all & !self.met[state as usize].load(Relaxed) == 0;
        self.is_alive[state as usize].store(has_all, Relaxed);
        has_all
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{BLOCK, CycleGraph, EdgeBlock};
    use super::*;
    use proptest::prelude::*;

    /// A graph of some states with edges from, to, and what they contribute.
    fn graph(n_states: usize, all: u64, edges: &[(usize, usize, u64)]) -> CycleGraph {
        let mut by_state = vec![Vec::new(); n_states];
        edges.iter().for_each(|&(from, to, mask)| by_state[from].push((to, mask)));
        let blocks = by_state.chunks(BLOCK).map(|states| {
            let mut block =
                EdgeBlock { palette: (0..8).collect(), starts: vec![0], ..EdgeBlock::default() };
            for edges in states {
                block.targets.extend(edges.iter().map(|&(to, _)| to as u32));
                block.kinds.extend(edges.iter().map(|&(_, mask)| mask as u16));
                block.starts.push(block.targets.len() as u32);
            }
            block
        });
        CycleGraph { n_states, all, blocks: blocks.collect() }
    }

    fn pool(n_threads: usize) -> ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads")
    }

    /// By definition: the states that can be reached from a strongly connected set whose edges have all marks.
    fn naive(n_states: usize, all: u64, edges: &[(usize, usize, u64)]) -> usize {
        let mut reaches = vec![vec![false; n_states]; n_states];
        edges.iter().for_each(|&(from, to, _)| reaches[from][to] = true);
        for k in 0..n_states {
            for i in 0..n_states {
                for j in 0..n_states {
                    reaches[i][j] |= reaches[i][k] && reaches[k][j];
                }
            }
        }
        let is_violating = |state: usize| {
            let inside = edges.iter().filter(|&&(from, to, _)| {
                let with = |other: usize| reaches[state][other] && reaches[other][state];
                with(from) && with(to)
            });
            reaches[state][state] && inside.fold(0, |met, edge| met | edge.2) & all == all
        };
        let roots: Vec<usize> = (0..n_states).filter(|&state| is_violating(state)).collect();
        (0..n_states).filter(|&state| roots.iter().any(|&root| reaches[root][state])).count()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn what_survives_is_behind_a_violating_cycle(
            edges in prop::collection::vec((0..9usize, 0..9usize, 0..8u64), 0..22),
            all in 0..8u64,
        ) {
            let pool = pool(1);
            let n = count(&graph(9, all, &edges), &pool, &mut || Ok(()));
            prop_assert_eq!(n, Ok(naive(9, all, &edges)));
        }
    }

    /// A ring with three marks; the same with a gap; and the same without the third mark.
    #[test]
    fn threads_find_one_large_cycle() {
        let n = 3 * BLOCK + 5;
        let ring: Vec<(usize, usize, u64)> =
            (0..n).map(|i| (i, (i + 1) % n, 1 << (i * 3 / n))).collect();
        let chain: Vec<_> = ring[..n - 1].to_vec();
        let lacking: Vec<_> = ring.iter().map(|&(a, b, mask)| (a, b, mask & 3)).collect();
        for n_threads in [1, 2, 5] {
            let pool = pool(n_threads);
            let n_left = |edges: &[_]| count(&graph(n, 7, edges), &pool, &mut || Ok(()));
            assert_eq!(n_left(&ring), Ok(n));
            assert_eq!(n_left(&chain), Ok(0));
            assert_eq!(n_left(&lacking), Ok(0));
        }
    }

    #[test]
    fn a_limit_ends_the_rounds() {
        let graph = graph(3, 1, &[(0, 1, 1), (1, 2, 0), (2, 0, 0)]);
        let (pool, mut n_looks) = (pool(2), 0);
        let stopped = count(&graph, &pool, &mut || {
            n_looks += 1;
            if n_looks > 2 { Err(Stopped::Timeout) } else { Ok(()) }
        });
        assert_eq!(stopped, Err(Stopped::Timeout));
    }
}
