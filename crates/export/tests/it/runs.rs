//! Laws of runs, on random walks through all models and through random programs.

use crate::common::{program, program_of};
use crate::shown;
use resy_export::run::{ChartMark, Glyphs, Level, Passage, Run, ViolatedProperty};
use resy_system::{Control, Interpreter, Options, State, Step, System};
use resy_testkit::fixtures::fixtures;
use resy_testkit::generate::{generate, print};
use std::path::Path;

/// The number of steps of a walk.
const STEPS: usize = 60;

/// Calls `law` with random walks through every model, with and without loss of messages.
fn for_every_walk(law: impl Fn(&Run<'_>, &Interpreter<'_>)) {
    let mut n_walks = 0;
    let mut walk_through = |system: &System, seed: u64| {
        let options = Options { loss: seed % 2 == 1, ..Options::default() };
        let interpreter = Interpreter::new(system, options);
        let steps = walk(&interpreter, seed);
        let why = ViolatedProperty {
            property: "assertions".into(),
            kind: if seed.is_multiple_of(3) { "end-state" } else { "assertion" }.into(),
            reason: "it <ends> here; #1 & \"2\"".into(),
        };
        let steps = steps.iter().map(|(before, step)| (before, step));
        let Some(run) = Run::new(&interpreter, steps, why) else { return };
        law(&run, &interpreter);
        n_walks += 1;
    };
    for fixture in fixtures() {
        let program = program_of(&fixture);
        (0..4).for_each(|seed| walk_through(&program.system, seed));
    }
    for seed in 0..60 {
        if let Some(program) = program("seed.pml", print(&generate(seed)), &[], Path::new(".")) {
            walk_through(&program.system, seed);
        }
    }
    assert!(n_walks > 500, "only {n_walks} walks");
}

fn walk(interpreter: &Interpreter<'_>, seed: u64) -> Vec<(State, Step)> {
    let Ok(mut state) = interpreter.initial() else { return Vec::new() };
    let (mut control, mut walk, mut number) = (Control::Free, Vec::new(), seed);
    while walk.len() < STEPS {
        let mut steps = interpreter.steps(&state, control).steps;
        if steps.is_empty() {
            steps = interpreter.steps(&state, Control::Free).steps;
        }
        if steps.is_empty() {
            break;
        }
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let step = steps.swap_remove((number >> 33) as usize % steps.len());
        let next = step.next.clone();
        walk.push((state, step));
        let Some(next) = next else { break };
        (state, control) = next;
    }
    walk
}

#[test]
fn a_receive_is_linked_to_an_earlier_send_of_the_same_values() {
    for_every_walk(|run, _| {
        let mut waiting = 0;
        for (now, event) in run.events.iter().enumerate() {
            for passing in &event.passings {
                match passing.passage {
                    Passage::Received(sent) => {
                        assert!(sent <= now, "sent before it is received");
                        let is_it = |p: &&resy_export::run::Passing| {
                            p.passage == Passage::Sent(Some(now))
                                && (&p.channel, &p.values) == (&passing.channel, &passing.values)
                        };
                        assert!(run.events[sent].passings.iter().any(|p| is_it(&p)), "{passing:?}");
                    }
                    Passage::Sent(None) => waiting += 1,
                    Passage::Sent(Some(_)) | Passage::Rendezvous | Passage::Lost => {}
                }
            }
        }
        let state = run.last_state();
        let left: usize =
            (0..state.channels().len()).map(|c| state.messages(run.system, c).len()).sum();
        // A channel disappears with its process, and so do the messages in it.
        assert!(left <= waiting, "{left} messages are in channels, {waiting} were not received");
        if state.processes().len() == run.lives.len() {
            assert_eq!(left, waiting);
        }
    });
}

#[test]
fn arrows_of_a_chart_join_the_ends_of_one_message() {
    for_every_walk(|run, _| {
        for chart in [run.whole_chart(), run.chart()] {
            for (number, row) in chart.rows.iter().enumerate() {
                if let ChartMark::Receive { from, to, sent, round } = row.mark {
                    let origin = &chart.rows[sent];
                    assert!(sent < number && origin.label == row.label);
                    assert_eq!(origin.mark, ChartMark::Send { from, to: Some(to) });
                    assert!(origin.steps[round] <= row.steps[0], "sent before it is received");
                }
            }
        }
    });
}

/// Calls `law` with the run of a program's first step.
fn first_step(text: &str, law: impl FnOnce(&Run<'_>)) {
    let program = program("p.pml", text.to_owned(), &[], Path::new(".")).expect("a program");
    let interpreter = Interpreter::new(&program.system, Options::default());
    let before = interpreter.initial().expect("a first state");
    let step = interpreter.steps(&before, Control::Free).steps.swap_remove(0);
    let why =
        ViolatedProperty { property: "p".into(), kind: "assertion".into(), reason: "r".into() };
    law(&Run::new(&interpreter, [(&before, &step)], why).expect("a run"));
}

#[test]
fn what_comes_and_goes_inside_a_d_step_is_seen() {
    let sent_to = |passage| matches!(passage, Passage::Sent(_));
    let text = "chan c = [2] of { byte }; active proctype P() { byte x;
        d_step { c!1; c!2; c?x; c!3; c?x } }";
    first_step(text, |run| {
        let told = run.events[0].passings.iter().map(|p| (p.values[0].to_string(), p.passage));
        let told: Vec<(String, Passage)> = told.collect();
        let (here, left) = (Passage::Sent(Some(0)), Passage::Sent(None));
        let received = Passage::Received(0);
        let expected = [("1", here), ("2", here), ("1", received), ("3", left), ("2", received)];
        assert_eq!(told, expected.map(|(value, passage)| (value.to_owned(), passage)));
        assert_eq!(run.chart().rows.len(), 6, "and how it ends");
    });
    // The step sends and then blocks. There is no state after it, but the message was sent.
    first_step("chan c = [1] of { byte }; active proctype P() { d_step { c!1; c!2 } }", |run| {
        assert!(run.is_wrecked());
        assert!(run.events[0].passings.iter().map(|p| p.passage).all(sent_to));
        assert_eq!(run.events[0].passings.len(), 1);
    });
}

#[test]
fn a_folded_chart_unfolds_to_the_whole_one() {
    let n_folded = std::cell::Cell::new(0);
    for_every_walk(|run, _| {
        let (folded, whole) = (run.chart(), run.whole_chart());
        assert_eq!(shown::chart::unfolded(&folded), whole.rows);
        assert!(folded.rows.len() + 4 * folded.loops.len() <= whole.rows.len(), "it is shorter");
        n_folded.set(n_folded.get() + usize::from(!folded.loops.is_empty()));
    });
    assert!(n_folded.get() > 50, "only {} charts had loops", n_folded.get());
}

#[test]
fn a_part_of_a_chart_keeps_its_arrows() {
    for_every_walk(|run, _| {
        let chart = run.chart().only(|step| !(10..=40).contains(&step));
        for row in &chart.rows {
            let is_shown = |step: &usize| !(10..=40).contains(step);
            assert!(row.steps.is_empty() || row.steps.iter().any(is_shown));
            if let ChartMark::Receive { sent, round, .. } = row.mark {
                assert_eq!(chart.rows[sent].label, row.label);
                assert!(chart.rows[sent].steps[round] <= row.steps[0]);
            }
        }
        assert!(chart.loops.iter().all(|rows| rows.end <= chart.rows.len()));
        shown::xml::check(&chart.to_svg());
    });
}

#[test]
fn a_run_replays_from_its_trail() {
    for_every_walk(|run, interpreter| {
        let mut lines = run.trail().lines.into_iter();
        let (mut state, mut control) =
            (interpreter.initial().expect("a first state"), Control::Free);
        for number in 0..run.events.len() {
            let mut steps = interpreter.steps(&state, control).steps;
            if steps.is_empty() {
                steps = interpreter.steps(&state, Control::Free).steps;
            }
            let line = lines.next().expect("a line for each step");
            let partner = run.events[number].partner.as_ref().and_then(|_| lines.next());
            let next = run.state(number + 1);
            // Two edges may belong to one statement; the state tells which was taken.
            let is_it = |step: &Step| {
                let statement = |m| interpreter.edge(&state, m).id;
                (step.actor.pid, statement(step.actor)) == (line.pid, line.statement)
                    && step.partner.map(|p| (p.pid, statement(p)))
                        == partner.map(|p| (p.pid, p.statement))
                    && step.next.as_ref().map(|(after, _)| after) == next
            };
            let step = steps.into_iter().find(is_it).expect("the step is possible");
            let Some(next) = step.next else { break };
            (state, control) = next;
        }
        assert_eq!(lines.next(), None);
    });
}

#[test]
fn a_folded_table_unfolds_to_the_whole_one() {
    for_every_walk(|run, _| {
        let (folded, whole) = (run.table(400), run.whole_table());
        assert_eq!(shown::table::unfolded(&folded), shown::table::steps(&whole), "{folded}");
    });
}

#[test]
fn a_table_keeps_to_its_page() {
    for_every_walk(|run, _| {
        for line in run.table(100).lines().filter(|line| !line.contains("  > ")) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    });
}

#[test]
fn charts_are_ascii_where_nothing_else_is_known() {
    for_every_walk(|run, _| {
        let chart = run.chart();
        let text = chart.to_text(&Glyphs::ASCII);
        assert!(text.is_ascii(), "{text}");
        let n_lines = chart.rows.len() + chart.loops.len() + 2;
        assert_eq!(text.lines().count(), n_lines);
        assert_eq!(chart.to_text(&Glyphs::UNICODE).lines().count(), n_lines);
    });
}

#[test]
fn pictures_are_well_formed() {
    for_every_walk(|run, _| shown::xml::check(&run.chart().to_svg()));
}

#[test]
fn mermaid_can_read_its_diagrams() {
    for_every_walk(|run, _| shown::mermaid::check(&run.chart().to_mermaid()));
}

#[test]
fn every_state_of_an_itf_trace_has_all_variables_in_their_types() {
    for_every_walk(|run, _| {
        let n_states = run.events.len() + 1 - usize::from(run.is_wrecked());
        shown::itf::check(&run.to_itf("model.pml", "1.0"), n_states);
    });
}

#[test]
fn findings_are_sarif() {
    for_every_walk(|run, _| {
        let log = resy_export::run::sarif(
            &[run.finding()],
            "1.0",
            true,
            &[(Level::Note, "a note".to_owned())],
        );
        shown::sarif::check(&log, run.events.len());
    });
}
