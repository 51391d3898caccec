//! Generated networks with a parameter.

use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_index::{Id, IndexVec};
use std::collections::BTreeMap;

/// A network under construction; actions are found by their names.
#[derive(Default)]
struct Sketch {
    numbers: BTreeMap<String, ActionId>,
    actions: IndexVec<ActionId, Action>,
    components: IndexVec<resy_automata::network::ComponentId, Component>,
}

impl Sketch {
    fn action(&mut self, name: &str) -> ActionId {
        if let Some(&id) = self.numbers.get(name) {
            return id;
        }
        let id = self.actions.push(Action { name: name.to_owned() });
        self.numbers.insert(name.to_owned(), id);
        id
    }

    fn lts(&mut self, transitions: &[(usize, String, usize)]) -> Lts {
        let n_states = transitions.iter().map(|t| t.0.max(t.2) + 1).max().unwrap();
        let mut builder = LtsBuilder::with_states(n_states);
        for (source, name, target) in transitions {
            let label = Label::Visible(self.action(name));
            builder.add_transition(state(*source), label, state(*target));
        }
        builder.finish(state(0), Alphabet::default())
    }

    fn add(&mut self, name: String, transitions: &[(usize, String, usize)]) {
        let lts = self.lts(transitions);
        self.components.push(Component { name, lts, state_names: IndexVec::new() });
    }

    /// With the property that words are good as long as there are transitions for them.
    fn watched(mut self, transitions: &[(usize, String, usize)]) -> Network {
        let good = self.lts(transitions);
        let monitor = Monitor::of_good_words(&good, IndexVec::new()).unwrap();
        Network::new(self.actions, self.components, Some(monitor), Vec::new())
    }
}

fn state(i: usize) -> StateId {
    Id::from_index(i)
}

/// A ring of stations with a circulating token. The station with the token may be critical, and
/// each has private work. No two stations are critical together; if `broken`, one in the middle
/// does not need the token.
pub fn ring(n: usize, broken: bool) -> Network {
    let mut sketch = Sketch::default();
    let other = n / 2;
    for i in 0..n {
        let (get, give) = (format!("pass{i}"), format!("pass{}", (i + 1) % n));
        let [work, rest, enter, leave] =
            ["work", "rest", "enter", "leave"].map(|a| format!("{a}{i}"));
        // Without the token; with it; critical. Each idle or at work.
        let mut transitions = vec![
            (0, get.clone(), 1),
            (1, give.clone(), 0),
            (1, enter.clone(), 2),
            (2, leave.clone(), 1),
            (0, work.clone(), 3),
            (3, rest.clone(), 0),
            (3, get, 4),
            (4, give, 3),
            (1, work, 4),
            (4, rest, 1),
        ];
        if broken && i == other {
            transitions.extend([(0, enter, 5), (5, leave, 0)]);
        }
        if i == 0 {
            // The token is here at first: states 0 and 1 change places.
            let swapped = |s: usize| if s < 2 { 1 - s } else { s };
            transitions.iter_mut().for_each(|t| (t.0, t.2) = (swapped(t.0), swapped(t.2)));
        }
        sketch.add(format!("station{i}"), &transitions);
    }
    let mut good = Vec::new();
    for (k, i) in [0, other].into_iter().enumerate() {
        good.extend([(0, format!("enter{i}"), k + 1), (k + 1, format!("leave{i}"), 0)]);
    }
    sketch.watched(&good)
}

/// A ring of stations with a circulating token, each with a byte that counts the tokens it has. For each
/// byte alone 256 values are possible. The first station and one in the middle are not critical together.
pub fn counting_ring(n: usize) -> Network {
    const VALUES: usize = 256;
    let mut sketch = Sketch::default();
    for i in 0..n {
        let (get, give) = (format!("pass{i}"), format!("pass{}", (i + 1) % n));
        let [enter, leave] = ["enter", "leave"].map(|a| format!("{a}{i}"));
        // Idle; critical.
        let station =
            [(0, enter.clone(), 1), (1, leave, 0), (0, get.clone(), 0), (0, give.clone(), 0)];
        sketch.add(format!("station{i}"), &station);
        let up = |v: usize| (v, get.clone(), v + 1);
        let down = |v: usize| (v + 1, give.clone(), v);
        let mut byte: Vec<_> = (0..VALUES - 1).flat_map(|v| [up(v), down(v)]).collect();
        byte.extend((1..VALUES).map(|v| (v, enter.clone(), v)));
        if i == 0 {
            // It has the token at first: values 0 and 1 change places.
            let swapped = |v: usize| if v < 2 { 1 - v } else { v };
            byte.iter_mut().for_each(|t| (t.0, t.2) = (swapped(t.0), swapped(t.2)));
        }
        sketch.add(format!("byte{i}"), &byte);
    }
    let mut good = Vec::new();
    for (k, i) in [0, n / 2].into_iter().enumerate() {
        good.extend([(0, format!("enter{i}"), k + 1), (k + 1, format!("leave{i}"), 0)]);
    }
    sketch.watched(&good)
}

const COLOURS: [&str; 3] = ["white", "red", "blue"];

/// A chain of one-place buffers between a source, which sends white ones with one red and then one blue between them,
/// and a sink. They come out in this order; if `broken`, the buffer in the middle may lose one.
pub fn chain(n: usize, broken: bool) -> Network {
    let mut sketch = Sketch::default();
    let put = |colour: &str, i: usize| format!("{colour}{i}");
    let order = |i: usize| {
        let mut transitions: Vec<_> = (0..3).map(|s| (s, put("white", i), s)).collect();
        transitions.extend([(0, put("red", i), 1), (1, put("blue", i), 2)]);
        transitions
    };
    sketch.add("source".to_owned(), &order(0));
    for i in 0..n {
        let mut transitions = Vec::new();
        for (k, colour) in COLOURS.iter().enumerate() {
            transitions.extend([(0, put(colour, i), k + 1), (k + 1, put(colour, i + 1), 0)]);
        }
        if broken && i == n / 2 {
            transitions.push((2, "loss".to_owned(), 0));
        }
        sketch.add(format!("buffer{i}"), &transitions);
    }
    sketch.watched(&order(n))
}

/// Readers that count themselves up and down, each by its own actions, and a writer that writes
/// when there are none. The first reader does not read while the writer writes; if `broken`, the
/// last one may sign off without having signed on.
pub fn readers(n: usize, broken: bool) -> Network {
    const VALUES: usize = 1024;
    let mut sketch = Sketch::default();
    let [up, down] = ["up", "down"].map(|a| move |i: usize| format!("{a}{i}"));
    let text = |a: &str| a.to_owned();
    let (mut counter, mut flag) = (vec![(0, text("write"), 0)], vec![(0, text("write"), 1)]);
    flag.push((1, text("rest"), 0));
    for i in 0..n {
        let mut reader = vec![(0, up(i), 1), (1, down(i), 0)];
        if broken && i == n - 1 {
            reader.push((0, down(i), 0));
        }
        sketch.add(format!("reader{i}"), &reader);
        flag.push((0, up(i), 0));
        counter.extend((1..VALUES).map(|v| (v - 1, up(i), v)));
        counter.extend((1..VALUES).map(|v| (v, down(i), v - 1)));
    }
    sketch.add(text("writer"), &[(0, text("write"), 1), (1, text("rest"), 0)]);
    sketch.add(text("flag"), &flag);
    sketch.add(text("counter"), &counter);
    sketch.watched(&[(0, up(0), 1), (1, down(0), 0), (0, text("write"), 2), (2, text("rest"), 0)])
}

/// Two components for which "rest" is like "go" where the second one is asked. But "rest" changes
/// no relevant component, and the third one, which is irrelevant, never takes part in it.
pub fn refused() -> Network {
    let mut sketch = Sketch::default();
    let step = |from: usize, by: &str, to: usize| (from, by.to_owned(), to);
    let first = [step(1, "rest", 1), step(0, "go", 1), step(1, "go", 1), step(1, "end", 1)];
    sketch.add("first".to_owned(), &first);
    let second = [step(0, "rest", 0), step(0, "go", 0), step(0, "end", 1), step(1, "end", 0)];
    sketch.add("second".to_owned(), &second);
    sketch.add("third".to_owned(), &[step(1, "rest", 1), step(0, "sleep", 0)]);
    sketch.watched(&[step(0, "end", 1)])
}
