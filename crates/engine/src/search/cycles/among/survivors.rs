//! Taking states out of a graph of several hosts that are on no violating cycle.
//!
//! The rounds are those of [threads](super::super::rounds), with messages where an edge leads to a state of another host.

use super::Stopped;
use super::graph::{SharedEdge, SharedGraph};
use crate::search::workers::exchange::{Ask, Exchange};

/// The most edges that are followed between two exchanges.
const PORTION: usize = 1 << 18;

/// The number of states that survive, of all hosts.
pub(super) fn count(
    graph: &SharedGraph,
    exchange: &mut Exchange,
    ask: &mut Ask<'_>,
) -> Result<u64, Stopped> {
    let n = graph.n_states;
    let mut rounds = Rounds {
        graph,
        out: vec![Vec::new(); exchange.n()],
        exchange,
        is_alive: vec![true; n],
        is_queued: vec![false; n],
        n_before: vec![0; n],
        met: vec![0; n],
    };
    let mut alive: Vec<u32> = (0..n as u32).collect();
    loop {
        rounds.trim(&alive, ask)?;
        alive.retain(|&state| rounds.is_alive[state as usize]);
        let n_before = rounds.sum(alive.len(), ask)?;
        rounds.gather(&alive, ask)?;
        alive.retain(|&state| rounds.has_met_all(state));
        let n_left = rounds.sum(alive.len(), ask)?;
        if n_left == n_before {
            return Ok(n_left);
        }
    }
}

struct Rounds<'g> {
    graph: &'g SharedGraph,
    exchange: &'g mut Exchange,
    /// What is sent to each host next.
    out: Vec<Vec<u8>>,
    is_alive: Vec<bool>,
    /// Whether the state is in the list of those that are visited next.
    is_queued: Vec<bool>,
    /// The number of edges that lead to a state, from states that are alive.
    n_before: Vec<u32>,
    /// The marks of the ways that lead to a state.
    met: Vec<u64>,
}

/// What an edge does to the state that it leads to; whether that state is visited next.
type Arrive = fn(&mut Rounds<'_>, u32, u64) -> bool;

impl Rounds<'_> {
    fn sum(&mut self, number: usize, ask: &mut Ask<'_>) -> Result<u64, Stopped> {
        ask()?;
        let words = self.exchange.exchange(number as u64, &mut self.out, ask)?.words;
        Ok(words.into_iter().sum())
    }

    /// Follows the edges of some states, and of those that are to be visited next, on all hosts. `leave` tells the
    /// word that goes along each edge of a state.
    fn spread(
        &mut self,
        mut queue: Vec<u32>,
        leave: fn(&mut Self, u32) -> u64,
        with_mask: bool,
        arrive: Arrive,
        ask: &mut Ask<'_>,
    ) -> Result<(), Stopped> {
        let (graph, me) = (self.graph, self.exchange.me() as u32);
        loop {
            let mut n_followed = 0;
            while n_followed < PORTION
                && let Some(state) = queue.pop()
            {
                let word = leave(self, state);
                for &SharedEdge { host, target, mask } in graph.edges(state) {
                    n_followed += 1;
                    let word = if with_mask { word | mask } else { word };
                    if host != me {
                        let out = &mut self.out[host as usize];
                        out.extend_from_slice(&target.to_le_bytes());
                        out.extend_from_slice(&word.to_le_bytes());
                    } else if arrive(self, target, word) {
                        queue.push(target);
                    }
                }
            }
            ask()?;
            let n_sent: usize = self.out.iter().map(Vec::len).sum();
            let word = (queue.len() + n_sent) as u64;
            let received = self.exchange.exchange(word, &mut self.out, ask)?;
            for message in received.bytes.iter().flat_map(|bytes| bytes.as_chunks::<12>().0) {
                let (target, word) = message.split_first_chunk().expect("four of twelve bytes");
                let word = word.first_chunk().map_or(0, |&word| u64::from_le_bytes(word));
                let target = u32::from_le_bytes(*target);
                if (target as usize) < graph.n_states && arrive(self, target, word) {
                    queue.push(target);
                }
            }
            if received.words.iter().all(|&word| word == 0) {
                return Ok(());
            }
        }
    }

    /// Takes out what has no predecessor, of the states that are alive.
    fn trim(&mut self, alive: &[u32], ask: &mut Ask<'_>) -> Result<(), Stopped> {
        alive.iter().for_each(|&state| self.n_before[state as usize] = 0);
        let count: Arrive = |rounds, target, _| {
            rounds.n_before[target as usize] += 1;
            false
        };
        self.spread(alive.to_vec(), |_, _| 0, false, count, ask)?;
        let has_none = |state: &u32| self.n_before[*state as usize] == 0;
        let first: Vec<u32> = alive.iter().copied().filter(has_none).collect();
        let leave = |rounds: &mut Self, state: u32| {
            rounds.is_alive[state as usize] = false;
            0
        };
        let uncount: Arrive = |rounds, target, _| {
            let target = target as usize;
            // What was taken out before is not counted any more.
            if !rounds.is_alive[target] || rounds.n_before[target] == 0 {
                return false;
            }
            rounds.n_before[target] -= 1;
            rounds.n_before[target] == 0
        };
        self.spread(first, leave, false, uncount, ask)
    }

    /// Gathers the marks of all ways to the states that are alive.
    fn gather(&mut self, alive: &[u32], ask: &mut Ask<'_>) -> Result<(), Stopped> {
        for &state in alive {
            self.met[state as usize] = 0;
            self.is_queued[state as usize] = true;
        }
        let leave = |rounds: &mut Self, state: u32| {
            rounds.is_queued[state as usize] = false;
            rounds.met[state as usize]
        };
        let meet: Arrive = |rounds, target, word| {
            let target = target as usize;
            let is_new = rounds.is_alive[target] && rounds.met[target] & word != word;
            rounds.met[target] |= word;
            is_new && !std::mem::replace(&mut rounds.is_queued[target], true)
        };
        self.spread(alive.to_vec(), leave, true, meet, ask)
    }

    /// Whether a state has all marks; else it is taken out.
    fn has_met_all(&mut self, state: u32) -> bool {
        let has_all = self.graph.all & !self.met[state as usize] == 0;
        self.is_alive[state as usize] = has_all;
        has_all
    }
}
