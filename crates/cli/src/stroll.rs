//! Walking along a run by hand, forwards and back.

use crate::Exit;
use resy::{Interpreter, Replay, State};
use resy_export::run::{state_lines, step_line};
use resy_export::spin::FollowedTrail;
use std::io::BufRead;

const HELP: &str = "  n, Enter  the next step
  p         the step before
  NUMBER    to the step with this number; 0 is the start
  s         the whole state
  l         all steps
  q         the end";

/// What is asked for.
enum Wish {
    Next,
    Previous,
    To(usize),
    State,
    List,
    Help,
    End,
}

/// Lets the user walk along a run; ends as the run does.
pub fn along(interpreter: &Interpreter<'_>, trail: &FollowedTrail, quiet: bool) -> Exit {
    let FollowedTrail { run, loop_start, .. } = trail;
    let stroll = Stroll { interpreter, run };
    let mut at = 0;
    println!("{} steps; ? explains the keys", run.len());
    let repeated = loop_start.filter(|&start| start < run.len());
    if let Some(start) = repeated {
        println!("steps {} to {} are repeated for ever", start + 1, run.len());
    }
    let mut lines = std::io::stdin().lock().lines();
    loop {
        print!("[{at}/{}] ", run.len());
        crate::print::flush();
        // A terminal that is gone shows in the next read.
        let Some(Ok(line)) = lines.next() else { break };
        match wish(&line) {
            Some(Wish::Next) if at == run.len() => match repeated {
                Some(start) => at = stroll.go_to(start + 1),
                None => println!("this is the end"),
            },
            Some(Wish::Next) => at = stroll.go_to(at + 1),
            Some(Wish::Previous) if at == 0 => println!("this is the start"),
            Some(Wish::Previous) => at = stroll.go_to(at - 1),
            Some(Wish::To(number)) if number <= run.len() => at = stroll.go_to(number),
            Some(Wish::To(_)) => println!("there are {} steps", run.len()),
            Some(Wish::State) => stroll.print_state(at),
            Some(Wish::List) => (1..=run.len()).for_each(|i| stroll.print_step(i)),
            Some(Wish::Help) => println!("{HELP}"),
            Some(Wish::End) => break,
            None => println!("`{}` means nothing here\n{HELP}", line.trim()),
        }
    }
    if !quiet {
        println!();
    }
    if stroll.is_violated() { Exit::Fails } else { Exit::Holds }
}

fn wish(line: &str) -> Option<Wish> {
    match line.trim() {
        "" | "n" => Some(Wish::Next),
        "p" => Some(Wish::Previous),
        "s" => Some(Wish::State),
        "l" => Some(Wish::List),
        "?" | "h" => Some(Wish::Help),
        "q" => Some(Wish::End),
        text => text.trim_start_matches("g ").parse().ok().map(Wish::To),
    }
}

struct Stroll<'a> {
    interpreter: &'a Interpreter<'a>,
    run: &'a [Replay],
}

impl Stroll<'_> {
    /// Shows the step that leads to a place.
    fn go_to(&self, number: usize) -> usize {
        match number {
            0 => println!("      the start"),
            _ => self.print_step(number),
        }
        number
    }

    fn print_step(&self, number: usize) {
        let Replay { before, step } = &self.run[number - 1];
        println!("{number:>5} {}", step_line(self.interpreter, before, step));
        step.output.lines().for_each(|line| println!("      > {line}"));
        for violation in &step.violations {
            let place = self.interpreter.system().location(violation.source);
            println!("      {} at {place}", violation.kind);
        }
    }

    /// The state after so many steps; the last one, if there is none.
    fn state(&self, number: usize) -> Option<State> {
        let after = |replay: &Replay| replay.step.next.as_ref().map(|(after, _)| after.clone());
        match number.checked_sub(1) {
            None => self.interpreter.initial().ok(),
            Some(i) => after(&self.run[i]).or_else(|| Some(self.run[i].before.clone())),
        }
    }

    fn print_state(&self, number: usize) {
        let Some(state) = self.state(number) else { return };
        for line in state_lines(self.interpreter.system(), &state) {
            println!("      {line}");
        }
    }

    fn is_violated(&self) -> bool {
        let Some(state) = self.state(self.run.len()) else { return false };
        self.run.iter().any(|replay| !replay.step.violations.is_empty())
            || resy::is_stuck(self.interpreter, &state)
    }
}
