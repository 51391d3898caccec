//! From a run of the network to a run of the program.
//!
//! The product of the components is the state graph of the program. So both are followed side by
//! side: the network takes its next step in all possible ways, the program takes all its steps, and
//! pairs with equal views are kept. Of several ways of the network, one is chosen first, component by
//! component, because their combinations may be many. Where `timeout` is taken to hold at any time, the program may
//! have no such run. The result is a candidate only: whether it violates the property is decided by
//! replaying it in the program, not here.

pub mod view;

use crate::build::Components;
use crate::cut::start::MovePair;
use crate::cut::{Cut, PartId};
use crate::retrace::view::View;
use resy_automata::lts::StateId;
use resy_automata::network::ComponentId;
use resy_automata::product::{Explorer, ProductStep};
use resy_automata::words::path;
use resy_index::{Id, IndexVec};
use resy_system::{Control, State};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The moves of the program, from its very start, that correspond to these steps of the network, if
/// `is_wanted` accepts them. The last step may be incomplete, because an error may end it.
pub fn retrace(
    cut: &Cut<'_>,
    components: &Components,
    steps: &[ProductStep],
    mut is_wanted: impl FnMut(&[MovePair]) -> bool,
) -> Option<Vec<MovePair>> {
    let Some((last, before)) = steps.split_last() else {
        return Some(cut.start.clone()).filter(|moves| is_wanted(moves));
    };
    let follow = Follow::new(cut, components);
    let chosen = follow.tuples_along(steps);
    let mut manners = chosen.iter().map(|tuples| Some(&tuples[..])).chain([None]);
    manners.find_map(|chosen| {
        let points = follow.points(before, chosen);
        let ends = points.iter().flat_map(|point| follow.ends(point, *last));
        ends.map(|way| Way::moves(&way, cut)).find(|moves| is_wanted(moves))
    })
}

/// A state of the network and a state of the program with the same view.
struct Point {
    tuple: Vec<StateId>,
    state: State,
    way: Rc<Way>,
}

/// The moves to a state, as a list from the last to the first.
enum Way {
    Start,
    Then(Rc<Way>, Vec<MovePair>),
}

impl Way {
    fn moves(way: &Rc<Self>, cut: &Cut<'_>) -> Vec<MovePair> {
        let mut steps = Vec::new();
        let mut now = way;
        while let Self::Then(before, moves) = &**now {
            steps.push(moves);
            now = before;
        }
        cut.start.iter().chain(steps.into_iter().rev().flatten()).copied().collect()
    }
}

/// A path of the program from one stored state: its moves, and the next stored state, if an error
/// does not leave it without one.
struct Path {
    moves: Vec<MovePair>,
    end: Option<State>,
}

struct Follow<'a> {
    cut: &'a Cut<'a>,
    components: &'a Components,
    explorer: Explorer<'a>,
    kept: FxHashSet<PartId>,
}

impl<'a> Follow<'a> {
    fn new(cut: &'a Cut<'a>, components: &'a Components) -> Self {
        let explorer = Explorer::new(components.network.systems());
        let kept = components.parts.iter().copied().collect();
        Self { cut, components, explorer, kept }
    }

    fn start(&self) -> Point {
        let (tuple, state) = (self.explorer.initial(), self.cut.initial.clone());
        Point { tuple, state, way: Rc::new(Way::Start) }
    }

    /// For each step the states of all systems after it, along one path of each system. The monitor's
    /// leads to its error.
    fn tuples_along(&self, steps: &[ProductStep]) -> Option<Vec<Vec<StateId>>> {
        let systems = self.components.network.systems();
        let error = self.components.network.monitor.as_ref().map(|monitor| monitor.error);
        let n_components = self.components.network.components.len();
        let mut now = self.explorer.initial();
        let mut tuples = vec![now.clone(); steps.len()];
        for (i, lts) in systems.into_iter().enumerate() {
            let takes_part = |step: &ProductStep| match *step {
                ProductStep::Tau(component) => component.index() == i,
                ProductStep::Action(action) => lts.alphabet().contains(action),
            };
            let own = steps.iter().filter(|step| takes_part(step));
            let end = error.filter(|_| i == n_components);
            let mut path = path(lts, own.map(|step| step.label()), end)?.into_iter();
            for (tuple, step) in tuples.iter_mut().zip(steps) {
                if takes_part(step) {
                    now[i] = path.next()?;
                }
                tuple[i] = now[i];
            }
        }
        Some(tuples)
    }

    /// The points after some steps, through these states of the network if they are given.
    fn points(&self, steps: &[ProductStep], through: Option<&[Vec<StateId>]>) -> Vec<Point> {
        let mut points = vec![self.start()];
        for (i, &step) in steps.iter().enumerate() {
            let mut seen = FxHashSet::default();
            let is_chosen = |p: &Point| through.is_none_or(|tuples| tuples[i] == p.tuple);
            let next = points.iter().flat_map(|point| self.after(point, step)).filter(is_chosen);
            points = next.filter(|p| seen.insert((p.tuple.clone(), p.state.clone()))).collect();
        }
        points
    }

    /// The points that a step may lead to.
    fn after(&self, point: &Point, step: ProductStep) -> Vec<Point> {
        let tuples = self.tuples(point, step);
        let views: Vec<View> = tuples.iter().map(|tuple| self.view_of_tuple(tuple)).collect();
        let drivers = self.processes_in(step);
        let mut found = Vec::new();
        for Path { moves, end } in self.paths(&point.state, Some(&drivers)) {
            let Some(state) = end else { continue };
            let view = self.view_of_state(&state);
            let same = tuples.iter().zip(&views).filter(|(_, other)| **other == view);
            let way = Rc::new(Way::Then(point.way.clone(), moves));
            found.extend(same.map(|(tuple, _)| Point {
                tuple: tuple.clone(),
                state: state.clone(),
                way: way.clone(),
            }));
        }
        found
    }

    /// The possible last steps, those with a matching view first.
    fn ends(&self, point: &Point, step: ProductStep) -> Vec<Rc<Way>> {
        let right = self.after(point, step).into_iter().map(|point| point.way);
        let any = self.paths(&point.state, None).into_iter();
        right.chain(any.map(|path| Rc::new(Way::Then(point.way.clone(), path.moves)))).collect()
    }

    /// The processes that take part in a step.
    fn processes_in(&self, step: ProductStep) -> Vec<usize> {
        let takes_part = |component: ComponentId| match step {
            ProductStep::Tau(other) => other == component,
            ProductStep::Action(action) => {
                self.components.network.components[component].lts.alphabet().contains(action)
            }
        };
        let parts = self.components.parts.iter_enumerated();
        let own = parts.filter(|(component, _)| takes_part(*component));
        own.filter_map(|(_, &part)| self.cut.parts[part].process).collect()
    }

    fn tuples(&self, point: &Point, step: ProductStep) -> Vec<Vec<StateId>> {
        let mut tuples = Vec::new();
        self.explorer.successors_by(step, &point.tuple, |to| tuples.push(to.to_vec()));
        tuples
    }

    /// All paths from a stored state to the next, or only those whose first step belongs to one of
    /// `drivers`. Paths through an atomic block that meet are merged.
    fn paths(&self, state: &State, drivers: Option<&[usize]>) -> Vec<Path> {
        let interpreter = &self.cut.interpreter;
        let steps = |state: &State, control: Control| match drivers {
            Some(pids) if control == Control::Free => self.steps_of(state, pids),
            _ => interpreter.steps(state, control).steps,
        };
        let mut paths = Vec::new();
        let mut inside = FxHashSet::default();
        let mut todo = vec![(state.clone(), Control::Free, Vec::new())];
        while let Some((state, control, moves)) = todo.pop() {
            for step in steps(&state, control) {
                let mut moves: Vec<MovePair> = moves.clone();
                moves.push((step.actor, step.partner));
                if !step.violations.is_empty() {
                    paths.push(Path { moves: moves.clone(), end: None });
                }
                let Some((next, control)) = step.next else { continue };
                if control == Control::Free || interpreter.steps(&next, control).steps.is_empty() {
                    paths.push(Path { moves, end: Some(next) });
                } else if inside.insert((next.clone(), control)) {
                    todo.push((next, control, moves));
                }
            }
        }
        paths
    }

    /// The steps of some processes. If there are none, `timeout` may be needed, which depends on
    /// the whole system.
    fn steps_of(&self, state: &State, pids: &[usize]) -> Vec<resy_system::Step> {
        let interpreter = &self.cut.interpreter;
        let own = pids.iter().flat_map(|&pid| interpreter.steps_of(state, pid, false).steps);
        let own: Vec<resy_system::Step> = own.collect();
        match own.is_empty() {
            true => interpreter.steps(state, Control::Free).steps,
            false => own,
        }
    }

    fn view_of_state(&self, state: &State) -> View {
        View::of_state(self.cut, state).restricted_to(|part| self.kept.contains(&part))
    }

    fn view_of_tuple(&self, tuple: &[StateId]) -> View {
        let parts = self.cut.parts.ids();
        let mut locals: IndexVec<PartId, Vec<i32>> =
            parts.map(|part| self.cut.initial_local(part)).collect();
        for ((component, &part), &state) in self.components.parts.iter_enumerated().zip(tuple) {
            locals[part] = self.components.locals[component][state].to_vec();
        }
        View::of_locals(self.cut, locals).restricted_to(|part| self.kept.contains(&part))
    }
}
