//! `resy simulate` for FSP and for networks: a walk along the actions, at random, by a list of actions or by hand.

use crate::Exit;
use crate::args::Simulate;
use crate::load::read;
use crate::outputs::shown;
use crate::random::Random;
use crate::tell::bad_input;
use resy::{Control, Walk, WalkEnd, WalkStep};
use std::io::BufRead;
use std::path::Path;

const HELP: &str = "  NUMBER, ACTION  the step
  u               the last step back
  l               the steps so far
  s               the states of all processes
  q               the end";

/// More participants are counted, not listed.
const MAX_PARTICIPANTS: usize = 4;

/// Walks as the call asks.
pub fn run(simulate: &Simulate, walk: Walk<'_>, control: &Control) -> Result<Exit, Exit> {
    let mut stroll = Actions { walk, n_shown: 0 };
    let mut exit = None;
    if let Some(file) = &simulate.trail {
        exit = stroll.along(file, control)?;
    }
    match simulate.interactive {
        true if exit.is_none() => stroll.by_hand(simulate.steps),
        false if simulate.trail.is_none() => {
            let seed = simulate.seed.unwrap_or_else(Random::seed_from_clock);
            println!("seed {seed}");
            exit = stroll.at_random(Random::new(seed), simulate.steps, control);
        }
        _ => {}
    }
    let is_wrong = stroll.finish(simulate.common.quiet);
    Ok(match exit {
        Some(Exit::BadInput) => Exit::BadInput,
        _ if is_wrong => Exit::Fails,
        Some(exit) => exit,
        None => Exit::Holds,
    })
}

/// A walk that is printed as it goes on.
struct Actions<'a> {
    walk: Walk<'a>,
    n_shown: usize,
}

/// What is asked for at the prompt.
enum Asked {
    Step(WalkStep),
    Undo,
    End,
}

impl Actions<'_> {
    /// Prints the steps that were not printed yet.
    fn show(&mut self) {
        self.show_while(&mut || true);
    }

    /// Prints the steps that were not printed yet, unless `go_on` says no; whether all are printed.
    fn show_while(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        let width = self.walk.taken().map(|step| step.name.chars().count()).max().unwrap_or(0);
        for (i, step) in self.walk.taken().enumerate().skip(self.n_shown) {
            if !go_on() {
                return false;
            }
            println!("{:>5}  {:width$}  {}", i + 1, step.name, participants(step));
        }
        self.n_shown = self.walk.taken().len();
        true
    }

    fn take(&mut self, step: WalkStep) {
        self.walk.take(step);
        self.show();
    }

    /// Follows a list of actions; how the command ends if that is not possible.
    fn along(&mut self, file: &Path, control: &Control) -> Result<Option<Exit>, Exit> {
        let name = shown(file);
        let text = read(file, control, |error| bad_input(format!("cannot read {name}: {error}")))?;
        let actions: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        let go_on = &mut || control.may_go_on();
        if !self.walk.follow_while(&actions, go_on) || !self.show_while(go_on) {
            control.exceeded().inspect(|stop| println!("stopped: {stop}"));
            return Ok(Some(Exit::Unknown));
        }
        let at = self.walk.taken().len();
        Ok(actions.get(at).map(|action| {
            eprintln!("resy: step {} of {name} cannot be taken: `{action}`", at + 1);
            Exit::BadInput
        }))
    }

    fn at_random(&mut self, mut random: Random, limit: u64, control: &Control) -> Option<Exit> {
        while (self.walk.taken().len() as u64) < limit {
            if let Some(stop) = control.exceeded() {
                println!("stopped: {stop}");
                return Some(Exit::Unknown);
            }
            let mut choices = self.walk.choices();
            if choices.is_empty() || crate::print::is_gone() {
                return None;
            }
            let chosen = choices.swap_remove(random.below(choices.len()));
            self.take(chosen);
        }
        println!("stopped after {limit} steps");
        None
    }

    fn by_hand(&mut self, limit: u64) {
        let mut lines = std::io::stdin().lock().lines();
        while (self.walk.taken().len() as u64) < limit {
            let choices = self.walk.choices();
            if choices.is_empty() {
                println!("no step is possible");
            }
            for (i, step) in choices.iter().enumerate() {
                let same = choices.iter().filter(|other| other.name == step.name).count();
                let to = if same > 1 { self.told_apart(step) } else { String::new() };
                println!("  [{}] {}  {}{to}", i + 1, step.name, participants(step));
            }
            match self.prompt(&mut lines, &choices) {
                Some(Asked::Step(step)) => self.take(step),
                Some(Asked::Undo) if self.walk.undo() => self.n_shown -= 1,
                Some(Asked::Undo) => println!("this is the start"),
                Some(Asked::End) | None => return,
            }
        }
    }

    fn told_apart(&self, step: &WalkStep) -> String {
        let changes = self.walk.changes(step).into_iter();
        let changes: Vec<String> = changes.map(|(who, to)| format!("{who} in {to}")).collect();
        format!(" → {}", changes.join(", "))
    }

    /// Asks for a step; `None` at the end of the input.
    fn prompt(
        &self,
        lines: &mut impl Iterator<Item = std::io::Result<String>>,
        choices: &[WalkStep],
    ) -> Option<Asked> {
        loop {
            print!("choose 1-{}, u to undo, ? for help: ", choices.len());
            crate::print::flush();
            // A terminal that is gone shows in the next read.
            let line = lines.next()?.ok()?;
            let text = line.trim();
            match text {
                "q" => return Some(Asked::End),
                "u" => return Some(Asked::Undo),
                "s" => self.print_states(),
                "l" => self.list(),
                "?" => println!("{HELP}"),
                _ => {
                    let number = text.parse::<usize>().ok().and_then(|i| i.checked_sub(1));
                    let by_number = number.and_then(|i| choices.get(i));
                    let chosen = by_number.or_else(|| choices.iter().find(|c| c.name == text));
                    match chosen {
                        Some(step) => return Some(Asked::Step(step.clone())),
                        None => println!("`{text}` is not a choice"),
                    }
                }
            }
        }
    }

    fn list(&self) {
        for (i, step) in self.walk.taken().enumerate() {
            println!("{:>5}  {}  {}", i + 1, step.name, participants(step));
        }
    }

    fn print_states(&self) {
        let states = self.walk.states();
        let width = states.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, state) in states {
            println!("      {name:width$}  {state}");
        }
    }

    /// Says how the walk ended; whether something is wrong.
    fn finish(&self, quiet: bool) -> bool {
        let end = self.walk.end();
        match &end {
            Some(WalkEnd::Error(name)) => println!("error: {name}"),
            Some(WalkEnd::Deadlock) => println!("deadlock"),
            Some(WalkEnd::Ended) => println!("all processes have ended"),
            Some(WalkEnd::Stopped) => println!("no step is possible"),
            None => {}
        }
        if !quiet {
            println!("final states after {} steps:", self.walk.taken().len());
            self.print_states();
        }
        matches!(end, Some(WalkEnd::Error(_) | WalkEnd::Deadlock))
    }
}

/// Who takes part in a step.
fn participants(step: &WalkStep) -> String {
    let listed = step.participants.iter().take(MAX_PARTICIPANTS).map(String::as_str);
    let listed = listed.collect::<Vec<_>>().join(", ");
    match step.participants.len().saturating_sub(MAX_PARTICIPANTS) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}
