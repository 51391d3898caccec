//! `resy simulate`: one run of a model, chosen at random, by a trail or by hand.

use crate::Exit;
use crate::args::Simulate;
use crate::load::{load, read};
use crate::outputs::shown;
use crate::random::Random;
use crate::tell::bad_input;
use crate::{control, stroll, walk};
use resy::control::Stop;
use resy::{Control, Interpreter, Moment, Replay, Simulation, Step, Subject, Walk};
use resy_export::Trail;
use resy_export::run::{state_lines, step_line};
use resy_export::spin::{self, FollowedTrail};
use std::io::{BufRead, IsTerminal};
use std::path::Path;

/// Runs the command.
pub fn run(simulate: &Simulate) -> Exit {
    simulation(simulate).unwrap_or_else(|exit| exit)
}

fn simulation(simulate: &Simulate) -> Result<Exit, Exit> {
    // At a prompt Ctrl-C ends the process at once.
    let is_prompting = simulate.interactive || simulate.trail.is_some() && is_watched();
    let control = match is_prompting {
        true => control::uninterrupted(&simulate.resources),
        false => control::of(&simulate.resources, &simulate.common),
    };
    let control = control.map_err(bad_input)?;
    let subject = load(&simulate.file, &simulate.common, None, None, &control)?;
    let program = match &*subject {
        Subject::Program(program) => program,
        Subject::Fsp(model) => return walk::run(simulate, Walk::new(model), &control),
        Subject::Network(file) => {
            return walk::run(simulate, Walk::of_network(&file.network), &control);
        }
    };
    let system = &program.system;
    let run = Simulation::new(system, simulate.semantics.options()).map_err(bad_input)?;
    let mut runner = Runner { run };
    let mut lost = None;
    if let Some(file) = &simulate.trail {
        let (followed, exit) = trail(runner.run.interpreter(), file, &control)?;
        lost = exit;
        if simulate.interactive || is_watched() {
            let (interpreter, quiet) = (runner.run.interpreter(), simulate.common.quiet);
            return Ok(lost.unwrap_or_else(|| stroll::along(interpreter, &followed, quiet)));
        }
        lost = lost.or(runner.follow(followed, &control).map(|_| Exit::Unknown));
    } else if simulate.interactive {
        runner.by_hand(simulate.steps);
    } else {
        let seed = simulate.seed.unwrap_or_else(Random::seed_from_clock);
        println!("seed {seed}");
        let stopped = runner.at_random(Random::new(seed), simulate.steps, &control);
        lost = stopped.map(|_| Exit::Unknown);
    }
    runner.finish(simulate.common.quiet);
    Ok(match lost {
        Some(exit) if exit == Exit::Unknown && runner.run.is_violated() => Exit::Fails,
        Some(exit) => exit,
        None if runner.run.is_violated() => Exit::Fails,
        None => Exit::Holds,
    })
}

/// Whether input and output are a terminal.
fn is_watched() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The run of a trail, and how the command ends if the trail cannot be followed to its end.
fn trail(
    interpreter: &Interpreter<'_>,
    file: &Path,
    control: &Control,
) -> Result<(FollowedTrail, Option<Exit>), Exit> {
    let name = shown(file);
    let text = read(file, control, |error| bad_input(format!("cannot read {name}: {error}")))?;
    let trail = Trail::parse(&text)
        .map_err(|error| bad_input(format!("{name} is not a trail: {error}")))?;
    let followed = spin::followed_while(interpreter, &trail, &mut || control.exceeded().is_none());
    let Some(mut followed) = followed else {
        stopped(control);
        return Err(Exit::Unknown);
    };
    let Some(at) = followed.stopped else {
        spin::finish(interpreter, &mut followed.run);
        return Ok((followed, None));
    };
    let line = trail.lines[at - 1];
    eprintln!(
        "resy: step {at} of the trail cannot be taken: process {}, statement {}",
        line.pid, line.statement
    );
    Ok((followed, Some(Exit::BadInput)))
}

/// The limit that ends the run, if one does; it is printed.
fn stopped(control: &Control) -> Option<Stop> {
    control.exceeded().inspect(|stop| println!("stopped: {stop}"))
}

/// What the user chooses.
enum Choice {
    /// A step, by its number from 0.
    Step(usize),
    /// The last step back.
    Undo,
}

/// A run that is printed as it goes on.
struct Runner<'a> {
    run: Simulation<'a>,
}

impl Runner<'_> {
    /// Takes a step and prints it; whether the run can go on.
    fn take(&mut self, step: Step) -> bool {
        let line = step_line(self.run.interpreter(), self.run.state(), &step);
        println!("{:>5} {line}", self.run.n_taken() + 1);
        print!("{}", step.output);
        if !step.output.is_empty() && !step.output.ends_with('\n') {
            println!();
        }
        for violation in &step.violations {
            let place = self.run.interpreter().system().location(violation.source);
            println!("      {} at {place}", violation.kind);
        }
        // A run whose output nobody reads is over.
        self.run.take(step) && !crate::print::is_gone()
    }

    /// Takes random steps; which limit has ended the run, if one has.
    fn at_random(&mut self, mut random: Random, limit: u64, control: &Control) -> Option<Stop> {
        while self.run.n_taken() < limit {
            if let Some(stop) = stopped(control) {
                return Some(stop);
            }
            let mut choices = self.run.choices();
            if choices.is_empty() {
                return None;
            }
            let chosen = choices.swap_remove(random.below(choices.len()));
            if !self.take(chosen) {
                return None;
            }
        }
        println!("stopped after {limit} steps");
        None
    }

    /// Takes the steps that the user chooses, and back. A run that went wrong or cannot go on waits for the user, too.
    fn by_hand(&mut self, limit: u64) {
        let stdin = std::io::stdin();
        let mut lines = stdin.lock().lines();
        let mut past: Vec<Moment> = Vec::new();
        let mut can_go_on = true;
        while self.run.n_taken() < limit {
            let mut choices = if can_go_on { self.run.choices() } else { Vec::new() };
            for (i, step) in choices.iter().enumerate() {
                let line = step_line(self.run.interpreter(), self.run.state(), step);
                println!("  [{}] {line}", i + 1);
            }
            if choices.is_empty() && past.is_empty() {
                return;
            }
            match self.prompt(&mut lines, choices.len(), !past.is_empty()) {
                Some(Choice::Step(number)) => {
                    past.push(self.run.moment());
                    let is_right = choices[number].violations.is_empty();
                    can_go_on = self.take(choices.swap_remove(number)) && is_right;
                }
                Some(Choice::Undo) => {
                    let Some(moment) = past.pop() else { continue };
                    self.run.return_to(&moment);
                    can_go_on = true;
                    println!("      back after step {}", self.run.n_taken());
                }
                None => return,
            }
        }
    }

    /// Asks for a number or a letter; `None` at the end of the input or for `q`.
    fn prompt(
        &self,
        lines: &mut impl Iterator<Item = std::io::Result<String>>,
        n: usize,
        can_undo: bool,
    ) -> Option<Choice> {
        loop {
            let numbers = if n > 0 { format!("choose 1-{n}, ") } else { "no step, ".to_owned() };
            let undo = if can_undo { "u to undo, " } else { "" };
            print!("{numbers}{undo}s to see the state, q to stop: ");
            // A terminal that is gone shows in the next read.
            crate::print::flush();
            let line = lines.next()?.ok()?;
            match line.trim() {
                "q" => return None,
                "s" => self.print_state(),
                "u" if can_undo => return Some(Choice::Undo),
                text => match text.parse::<usize>() {
                    Ok(i) if (1..=n).contains(&i) => return Some(Choice::Step(i - 1)),
                    _ => println!("`{text}` is not a choice"),
                },
            }
        }
    }

    /// Takes the steps of a trail. Those of its loop are taken twice: after them the run is where the loop began.
    /// Returns the limit that has ended the run, if one has.
    fn follow(&mut self, trail: FollowedTrail, control: &Control) -> Option<Stop> {
        let FollowedTrail { mut run, loop_start, .. } = trail;
        let repeated = run.split_off(loop_start.unwrap_or(run.len()));
        let mut stop = None;
        let mut takes = |runner: &mut Self, step: Step| {
            stop = stopped(control);
            stop.is_none() && runner.take(step)
        };
        if !run.into_iter().all(|Replay { step, .. }| takes(self, step)) {
            return stop;
        }
        let start = self.run.state().clone();
        let (first, n_steps) = (self.run.n_taken() + 1, repeated.len() as u64);
        for round in ["for ever", "once more"].into_iter().take_while(|_| n_steps > 0) {
            println!("      --- steps {first} to {} are repeated {round}:", first + n_steps - 1);
            if !repeated.iter().all(|replay| takes(self, replay.step.clone())) {
                return stop;
            }
            if *self.run.state() != start {
                println!("      --- the state is not the one at the start of the loop");
                return None;
            }
        }
        None
    }

    fn print_state(&self) {
        for line in state_lines(self.run.interpreter().system(), self.run.state()) {
            println!("      {line}");
        }
    }

    /// Says how the run ended.
    fn finish(&mut self, quiet: bool) {
        if self.run.is_stuck() {
            println!("invalid end state");
        }
        if !quiet {
            println!("final state after {} steps:", self.run.n_taken());
            self.print_state();
        }
    }
}
