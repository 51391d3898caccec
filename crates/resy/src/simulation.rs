//! One run of a program, chosen step by step.

use crate::pursue::choices;
use resy_system::{Control as Hold, Interpreter, Options, State, Step, System};

/// A run in progress.
pub struct Simulation<'a> {
    interpreter: Interpreter<'a>,
    state: State,
    hold: Hold,
    n_taken: u64,
    is_violated: bool,
}

/// A place of a run, to which it can return.
#[derive(Clone, Debug)]
pub struct Moment {
    state: State,
    hold: Hold,
    n_taken: u64,
    is_violated: bool,
}

impl<'a> Simulation<'a> {
    /// A run at its beginning; a message if there is no initial state.
    pub fn new(system: &'a System, semantics: Options) -> Result<Self, String> {
        let interpreter = Interpreter::new(system, semantics);
        match interpreter.initial() {
            Ok(state) => {
                let (hold, n_taken, is_violated) = (Hold::Free, 0, false);
                Ok(Self { interpreter, state, hold, n_taken, is_violated })
            }
            Err(kind) => Err(format!("the initial values cannot be computed: {kind}")),
        }
    }

    /// The reference semantics.
    pub fn interpreter(&self) -> &Interpreter<'a> {
        &self.interpreter
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The number of steps so far.
    pub fn n_taken(&self) -> u64 {
        self.n_taken
    }

    /// Whether a step was wrong, or the run is stuck.
    pub fn is_violated(&mut self) -> bool {
        self.is_violated || self.is_stuck()
    }

    /// The steps that are possible now.
    pub fn choices(&mut self) -> Vec<Step> {
        choices(&self.interpreter, &self.state, &mut self.hold)
    }

    /// Takes a step; whether the run can go on after it.
    pub fn take(&mut self, step: Step) -> bool {
        self.n_taken += 1;
        self.is_violated |= !step.violations.is_empty();
        match step.next {
            Some(next) => {
                (self.state, self.hold) = next;
                true
            }
            None => false,
        }
    }

    /// The present place.
    pub fn moment(&self) -> Moment {
        let Self { state, hold, n_taken, is_violated, .. } = self;
        Moment { state: state.clone(), hold: *hold, n_taken: *n_taken, is_violated: *is_violated }
    }

    /// Returns to an earlier place of this run, or of another run of the same program.
    pub fn return_to(&mut self, moment: &Moment) {
        self.state.clone_from(&moment.state);
        (self.hold, self.n_taken) = (moment.hold, moment.n_taken);
        self.is_violated = moment.is_violated;
    }

    /// Whether no step is possible although a process is not at its end.
    pub fn is_stuck(&mut self) -> bool {
        is_stuck(&self.interpreter, &self.state)
    }
}

/// Whether no step is possible although a process is not at its end.
pub fn is_stuck(interpreter: &Interpreter<'_>, state: &State) -> bool {
    !interpreter.is_valid_end(state) && interpreter.steps(state, Hold::Free).steps.is_empty()
}
