//! `resy simulate`: one run of a model, chosen at random, by a trail or by hand.

use crate::Exit;
use crate::args::Simulate;
use crate::follow;
use crate::load::{load, read};
use crate::random::Random;
use crate::{stroll, trace};
use resy_engine::search::Replay;
use resy_export::Trail;
use resy_system::{Control, Interpreter, Options, State, Step, System};
use std::io::{BufRead, IsTerminal};
use std::path::Path;

/// Runs the command.
pub fn run(simulate: &Simulate) -> Exit {
    match load(&simulate.file, &simulate.common) {
        Ok(system) => simulation(simulate, &system),
        Err(exit) => exit,
    }
}

fn simulation(simulate: &Simulate, system: &System) -> Exit {
    let semantics = simulate.semantics;
    let options = Options { loss: semantics.loss, empty_channels: semantics.empty_channels };
    let interpreter = Interpreter::new(system, options);
    let state = match interpreter.initial() {
        Ok(state) => state,
        Err(kind) => {
            eprintln!("resy: the initial values cannot be computed: {kind}");
            return Exit::BadInput;
        }
    };
    let mut runner =
        Runner { interpreter, state, control: Control::Free, taken: 0, violated: false };
    let mut lost = None;
    if let Some(file) = &simulate.trail {
        let (run, exit) = match trail(&runner.interpreter, file) {
            Ok(found) => found,
            Err(exit) => return exit,
        };
        lost = exit;
        if simulate.interactive || is_watched() {
            let (interpreter, quiet) = (&runner.interpreter, simulate.common.quiet);
            return lost.unwrap_or_else(|| stroll::along(interpreter, &run, quiet));
        }
        runner.follow(run);
    } else if simulate.interactive {
        runner.by_hand(simulate.steps);
    } else {
        let seed = simulate.seed.unwrap_or_else(Random::seed_from_clock);
        println!("seed {seed}");
        runner.at_random(Random::new(seed), simulate.steps);
    }
    runner.finish(simulate.common.quiet);
    match lost {
        Some(exit) => exit,
        None if runner.violated => Exit::Fails,
        None => Exit::Holds,
    }
}

/// Whether somebody sits there who can press keys.
fn is_watched() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The run of a trail, and how the command ends if the trail cannot be followed to its end.
fn trail(interpreter: &Interpreter<'_>, file: &Path) -> Result<(Vec<Replay>, Option<Exit>), Exit> {
    let text = read(file).map_err(|error| {
        eprintln!("resy: cannot read {}: {error}", file.display());
        Exit::BadInput
    })?;
    let trail = Trail::parse(&text).map_err(|error| {
        eprintln!("resy: {} is not a trail: {error}", file.display());
        Exit::BadInput
    })?;
    let (mut run, stopped) = follow::run_of(interpreter, &trail);
    let Some(at) = stopped else {
        follow::finish(interpreter, &mut run);
        return Ok((run, None));
    };
    let line = trail.lines[at - 1];
    eprintln!(
        "resy: step {at} of the trail cannot be taken: process {}, statement {}",
        line.pid, line.statement
    );
    Ok((run, Some(Exit::BadInput)))
}

/// A run in progress.
struct Runner<'a> {
    interpreter: Interpreter<'a>,
    state: State,
    control: Control,
    taken: u64,
    violated: bool,
}

impl Runner<'_> {
    /// The steps that are possible now; losing control inside an `atomic` is not
    /// a step.
    fn choices(&mut self) -> Vec<Step> {
        follow::choices(&self.interpreter, &self.state, &mut self.control)
    }

    /// Takes a step and prints it; says whether the run can go on.
    fn take(&mut self, step: Step) -> bool {
        self.taken += 1;
        let line = trace::step_line(&self.interpreter, &self.state, &step);
        println!("{:>5} {line}", self.taken);
        print!("{}", step.output);
        if !step.output.is_empty() && !step.output.ends_with('\n') {
            println!();
        }
        for violation in &step.violations {
            let place = self.interpreter.system().location(violation.source);
            println!("      {} at {place}", violation.kind);
            self.violated = true;
        }
        match step.next {
            Some((state, control)) => {
                (self.state, self.control) = (state, control);
                // A run that nobody watches is over.
                !crate::print::is_gone()
            }
            None => false,
        }
    }

    fn at_random(&mut self, mut random: Random, limit: u64) {
        while self.taken < limit {
            let mut choices = self.choices();
            if choices.is_empty() {
                return;
            }
            let chosen = choices.swap_remove(random.below(choices.len()));
            if !self.take(chosen) {
                return;
            }
        }
        println!("stopped after {limit} steps");
    }

    fn by_hand(&mut self, limit: u64) {
        let stdin = std::io::stdin();
        let mut lines = stdin.lock().lines();
        while self.taken < limit {
            let mut choices = self.choices();
            if choices.is_empty() {
                return;
            }
            for (i, step) in choices.iter().enumerate() {
                let line = trace::step_line(&self.interpreter, &self.state, step);
                println!("  [{}] {line}", i + 1);
            }
            let Some(choice) = self.prompt(&mut lines, choices.len()) else { return };
            let chosen = choices.swap_remove(choice);
            if !self.take(chosen) {
                return;
            }
        }
    }

    /// Asks for a number; `None` at the end of the input or for `q`.
    fn prompt(
        &self,
        lines: &mut impl Iterator<Item = std::io::Result<String>>,
        n: usize,
    ) -> Option<usize> {
        loop {
            print!("choose 1-{n}, s to see the state, q to stop: ");
            // A terminal that is gone shows in the next read.
            crate::print::flush();
            let line = lines.next()?.ok()?;
            match line.trim() {
                "q" => return None,
                "s" => self.print_state(),
                text => match text.parse::<usize>() {
                    Ok(i) if (1..=n).contains(&i) => return Some(i - 1),
                    _ => println!("`{text}` is not a choice"),
                },
            }
        }
    }

    fn follow(&mut self, run: Vec<Replay>) {
        for replay in run {
            if !self.take(replay.step) {
                return;
            }
        }
    }

    fn print_state(&self) {
        for line in trace::state_lines(self.interpreter.system(), &self.state) {
            println!("      {line}");
        }
    }

    /// Says how the run ended.
    fn finish(&mut self, quiet: bool) {
        if self.choices().is_empty() && !self.interpreter.is_valid_end(&self.state) {
            println!("invalid end state");
            self.violated = true;
        }
        if !quiet {
            println!("final state after {} steps:", self.taken);
            self.print_state();
        }
    }
}
