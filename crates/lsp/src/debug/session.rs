//! Requests about a recording.

use super::Wire;
use super::expression::{self, Values};
use super::recording::{Halt, Recording, moves};
use super::simulation::{Beyond, PossibleSteps, Wish};
use resy::State;
use resy_export::run::{Run, ScopedValue, process_name, scoped_values_of, standing, value_text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The number of steps to which a line leads, at most.
const MAX_TARGETS: usize = 100;

/// Where a client wants to stop.
#[derive(Default)]
pub(super) struct Marks {
    /// Lines: a file of the system, and a line.
    pub lines: BTreeSet<(u32, u32)>,
    /// Variables.
    pub watched: BTreeSet<String>,
}

/// A run that is being debugged.
pub(super) struct Session<'a> {
    recording: Recording<'a>,
    /// The values that the client can ask for, each by its number from one.
    values: Vec<Vec<(String, Value, String)>>,
    stops_at_start: bool,
    /// The steps that are possible at each place, if the run is chosen step by step.
    choices: Option<&'a dyn PossibleSteps>,
}

impl<'a> Session<'a> {
    /// A session at the start of a run.
    pub fn new(run: &'a Run<'a>, arguments: &Value) -> Self {
        let (lines, watched) = (BTreeSet::new(), BTreeSet::new());
        let recording = Recording { run, is_open: false, at: 0, lines, watched };
        let stops_at_start = arguments["stopOnEntry"] != false;
        Self { recording, values: Vec::new(), stops_at_start, choices: None }
    }

    /// A session at the end of a run that is chosen step by step.
    pub fn simulated(run: &'a Run<'a>, choices: &'a dyn PossibleSteps, marks: Marks) -> Self {
        let (at, is_open) = (run.events.len(), choices.is_open());
        let Marks { lines, watched } = marks;
        let recording = Recording { run, is_open, at, lines, watched };
        Self { recording, values: Vec::new(), stops_at_start: true, choices: Some(choices) }
    }

    /// Where the client wants to stop.
    pub fn into_marks(self) -> Marks {
        Marks { lines: self.recording.lines, watched: self.recording.watched }
    }

    /// Answers requests until the client leaves, or asks for a step that is not in the run.
    pub fn serve(&mut self, wire: &mut Wire<'_>) -> Option<Beyond> {
        while let Some(request) = wire.next() {
            let command = request["command"].as_str().unwrap_or_default();
            let arguments = &request["arguments"];
            match command {
                "disconnect" | "terminate" => {
                    wire.answer(&request, Value::Null);
                    wire.event("terminated", json!({}));
                    return None;
                }
                "configurationDone" => {
                    wire.answer(&request, Value::Null);
                    let halt = match self.stops_at_start {
                        true => Halt::Entry,
                        false => self.recording.forwards(),
                    };
                    self.tell(wire, &halt, 0, None);
                }
                "continue" if self.is_over() => {
                    wire.answer(&request, json!({ "allThreadsContinued": true }));
                    wire.event("terminated", json!({}));
                }
                "continue" | "reverseContinue" | "next" | "stepIn" | "stepOut" | "stepBack"
                | "goto" => {
                    let before = self.recording.at;
                    if let Some(wish) = self.beyond(command, arguments) {
                        return Some(Beyond { wish, at: self.recording.at, before, request });
                    }
                    let (halt, thread) = self.walk(command, arguments);
                    wire.answer(&request, json!({ "allThreadsContinued": true }));
                    self.tell(wire, &halt, before, thread);
                }
                _ => match self.reply(command, arguments) {
                    Ok(body) => wire.answer(&request, body),
                    Err(why) => wire.refuse(&request, &why),
                },
            }
        }
        None
    }

    /// What a simulation must do for a request, if the run has no such step; `continue` has gone to the end of the run.
    fn beyond(&mut self, command: &str, arguments: &Value) -> Option<Wish> {
        self.choices.as_ref()?;
        let life = arguments["threadId"].as_u64().and_then(|id| (id as usize).checked_sub(1));
        let life = life.unwrap_or_default();
        let next = self.recording.next_event();
        match command {
            "stepIn" => match arguments["targetId"].as_u64() {
                Some(target) => Some(Wish::Choice(target as usize)),
                None => next.is_none().then_some(Wish::Of(life)),
            },
            "next" => (!next.is_some_and(|e| moves(e, life))).then_some(Wish::Only(life)),
            "continue" | "stepOut" if self.recording.is_open => {
                let start = self.recording.at;
                let halt = self.recording.forwards();
                let is_free = halt == Halt::Step && self.recording.at == self.recording.n_steps();
                if !is_free {
                    self.recording.at = start;
                }
                is_free.then_some(Wish::Run)
            }
            _ => None,
        }
    }

    /// Whether there is nothing more to come.
    fn is_over(&self) -> bool {
        let recording = &self.recording;
        recording.at == recording.n_steps()
            && !recording.is_open
            && recording.run.loop_start.is_none_or(|s| s >= recording.at)
    }

    /// Goes to another place of the run; the process to look at, if the client chose one.
    fn walk(&mut self, command: &str, arguments: &Value) -> (Halt, Option<usize>) {
        let thread = arguments["threadId"].as_u64().and_then(|id| (id as usize).checked_sub(1));
        let life = thread.unwrap_or_default();
        match command {
            "continue" | "stepOut" => (self.recording.forwards(), None),
            "reverseContinue" => (self.recording.backwards(), None),
            "next" => (self.recording.step_of(life), thread),
            "stepBack" => (self.recording.back_of(life), thread),
            "goto" => {
                let step = arguments["targetId"].as_u64().unwrap_or(0) as usize;
                self.recording.at = step.min(self.recording.n_steps());
                (Halt::Step, None)
            }
            _ => (self.recording.step(), None),
        }
    }

    /// Tells the output of the steps that were gone forwards, and why it stops here.
    pub fn tell(&mut self, wire: &mut Wire<'_>, halt: &Halt, before: usize, thread: Option<usize>) {
        self.values.clear();
        let run = self.recording.run;
        for event in run.events.get(before..self.recording.at).unwrap_or_default() {
            if !event.output.is_empty() {
                wire.event("output", json!({ "category": "stdout", "output": event.output }));
            }
        }
        let why = &run.why;
        let (reason, words) = match halt {
            Halt::Entry => ("entry", "the start of the run".to_owned()),
            Halt::Step => ("step", format!("after step {}", self.recording.at)),
            Halt::Blocked => ("pause", "it cannot move here".to_owned()),
            Halt::Line => ("breakpoint", "before a marked line".to_owned()),
            Halt::Changed(name) => ("data breakpoint", format!("{name} has changed")),
            Halt::LoopStart => ("step", "the start of the loop".to_owned()),
            Halt::LoopEnd => ("step", "back at the start of the loop".to_owned()),
            Halt::End => ("exception", format!("{}: {}", why.property, why.reason)),
        };
        let alive = self.alive();
        let looked_at = thread.filter(|life| alive.contains(life)).or(self.recording.focus());
        let looked_at = looked_at.filter(|life| alive.contains(life)).or(alive.first().copied());
        let body = json!({
            "reason": reason,
            "description": words,
            "text": words,
            "threadId": looked_at.map(|life| life + 1),
            "allThreadsStopped": true,
        });
        wire.event("stopped", body);
    }

    /// The state at the present place; the one before a step that has no successor state.
    fn state(&self) -> &State {
        let run = self.recording.run;
        run.state(self.recording.at).unwrap_or_else(|| run.last_state())
    }

    /// The processes that exist at the present place.
    fn alive(&self) -> Vec<usize> {
        let run = self.recording.run;
        let n = self.state().processes().len();
        let at = self.recording.at;
        let of_pid = |pid: usize| {
            let lives = run.lives.iter().enumerate().rev();
            lives.filter(|(_, life)| life.pid == pid && life.born <= at).map(|(i, _)| i).next()
        };
        (0..n).filter_map(of_pid).collect()
    }

    fn reply(&mut self, command: &str, arguments: &Value) -> Result<Value, String> {
        Ok(match command {
            "threads" => {
                let run = self.recording.run;
                let thread = |life: usize| json!({ "id": life + 1, "name": run.lives[life].name });
                json!({ "threads": self.alive().into_iter().map(thread).collect::<Vec<_>>() })
            }
            "stackTrace" => self.stack(arguments)?,
            "scopes" => self.scopes(arguments),
            "variables" => self.variables(arguments),
            "evaluate" => self.evaluate(arguments)?,
            "setBreakpoints" => self.set_lines(arguments),
            "dataBreakpointInfo" => self.data_info(arguments),
            "setDataBreakpoints" => {
                let list = arguments["breakpoints"].as_array().cloned().unwrap_or_default();
                let ids = list.iter().filter_map(|b| b["dataId"].as_str().map(str::to_owned));
                self.recording.watched = ids.collect();
                let verified = vec![json!({ "verified": true }); list.len()];
                json!({ "breakpoints": verified })
            }
            "setExceptionBreakpoints" => json!({ "breakpoints": [] }),
            "gotoTargets" => self.goto_targets(arguments),
            "stepInTargets" => self.step_targets(arguments),
            "exceptionInfo" => {
                let why = &self.recording.run.why;
                json!({ "exceptionId": why.property, "description": why.reason, "breakMode": "always" })
            }
            "source" | "pause" => Value::Null,
            _ => return Err(format!("no command `{command}`")),
        })
    }

    fn stack(&self, arguments: &Value) -> Result<Value, String> {
        let life = arguments["threadId"].as_u64().unwrap_or(0) as usize;
        let life = life.checked_sub(1).filter(|life| self.alive().contains(life));
        let life = life.ok_or("there is no such process now")?;
        let run = self.recording.run;
        let here = standing(run.system, self.state(), run.lives[life].pid);
        let next = self.recording.next_event();
        let acts = next.into_iter().flat_map(|e| std::iter::once(&e.actor).chain(&e.partner));
        let act = acts.into_iter().find(|act| act.life == life);
        let (place, statement) = match act {
            Some(act) => (act.place, act.statement.clone()),
            None => (here.place, here.statements.join(" | ")),
        };
        let statement = if statement.is_empty() { "at its end".to_owned() } else { statement };
        let mut frame = json!({
            "id": life + 1,
            "name": format!("{}: {statement}", run.lives[life].name),
            "line": place.line,
            "column": place.column.max(1),
        });
        if place.line > 0 {
            frame["source"] = self.source(place.file);
        }
        Ok(json!({ "stackFrames": [frame], "totalFrames": 1 }))
    }

    fn source(&self, file: u32) -> Value {
        let name = self.recording.run.system.files.get(file as usize).map_or("", String::as_str);
        let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
        let short = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
        json!({ "name": short, "path": path })
    }

    fn scopes(&mut self, arguments: &Value) -> Value {
        let life = (arguments["frameId"].as_u64().unwrap_or(1) as usize).saturating_sub(1);
        let run = self.recording.run;
        let pid = run.lives.get(life).map(|life| life.pid);
        // The run outlives the session, so that its states can be kept while values are noted.
        let state = run.state(self.recording.at).unwrap_or_else(|| run.last_state());
        let all = scoped_values_of(run.system, state);
        let mut scope = |name: &str, is_in: &dyn Fn(&ScopedValue) -> bool| {
            let values = all.iter().filter(|v| is_in(v)).map(|v| {
                let id = data_id(run, state, v);
                let name = match v.pid {
                    Some(_) if v.pid != pid => id.clone(),
                    _ => v.name.clone(),
                };
                (name, v.value.clone(), id)
            });
            self.values.push(values.collect());
            json!({ "name": name, "variablesReference": self.values.len(), "expensive": false })
        };
        let locals = scope("Locals", &|v| v.pid.is_some() && v.pid == pid && !v.is_channel);
        let globals = scope("Globals", &|v| v.pid.is_none() && !v.is_channel);
        let channels = scope("Channels", &|v| v.is_channel);
        json!({ "scopes": [locals, globals, channels] })
    }

    fn variables(&mut self, arguments: &Value) -> Value {
        let number =
            (arguments["variablesReference"].as_u64().unwrap_or(0) as usize).checked_sub(1);
        let values = number.and_then(|i| self.values.get(i)).cloned().unwrap_or_default();
        let shown = values.into_iter().map(|(name, value, id)| {
            let reference = match &value {
                Value::Array(list) => {
                    let elements = list.iter().enumerate();
                    let element = |(i, v): (usize, &Value)| {
                        (format!("[{i}]"), v.clone(), format!("{id}[{i}]"))
                    };
                    self.values.push(elements.map(element).collect());
                    self.values.len()
                }
                _ => 0,
            };
            json!({
                "name": name,
                "value": value_text(&value),
                "variablesReference": reference,
                "evaluateName": id,
            })
        });
        json!({ "variables": shown.collect::<Vec<_>>() })
    }

    /// The value of an expression in the present state; a name is first that of a variable of the chosen process.
    fn evaluate(&self, arguments: &Value) -> Result<Value, String> {
        let wanted = arguments["expression"].as_str().unwrap_or_default().trim();
        let life = arguments["frameId"].as_u64().and_then(|id| (id as usize).checked_sub(1));
        let run = self.recording.run;
        let pid = life.and_then(|life| run.lives.get(life)).map(|life| life.pid);
        let state = self.state();
        let known = Known { run, state, pid, all: scoped_values_of(run.system, state) };
        let value = expression::evaluate(wanted, &known)?;
        Ok(json!({ "result": value_text(&value), "variablesReference": 0 }))
    }

    fn file_of(&self, source: &Value) -> Option<u32> {
        let path = std::path::absolute(source["path"].as_str()?).ok()?;
        let files = &self.recording.run.system.files;
        let same = |name: &String| std::path::absolute(name).is_ok_and(|name| name == path);
        files.iter().position(same).and_then(|i| u32::try_from(i).ok())
    }

    fn set_lines(&mut self, arguments: &Value) -> Value {
        let file = self.file_of(&arguments["source"]);
        let list = arguments["breakpoints"].as_array().cloned().unwrap_or_default();
        let lines = list.iter().map(|b| b["line"].as_u64().unwrap_or(0) as u32);
        if let Some(file) = file {
            self.recording.lines.retain(|(of, _)| *of != file);
            self.recording.lines.extend(lines.clone().map(|line| (file, line)));
        }
        let told = lines.map(|line| {
            let is_reached = match &self.choices {
                Some(_) => file.is_some_and(|f| has_statement(self.recording.run, f, line)),
                None => file.is_some_and(|f| !self.recording.places_of(f, line).is_empty()),
            };
            let message = match (is_reached, &self.choices) {
                (true, _) => Value::Null,
                (false, Some(_)) => "there is no statement here".into(),
                (false, None) => "this run never executes it".into(),
            };
            json!({ "verified": is_reached, "line": line, "message": message })
        });
        json!({ "breakpoints": told.collect::<Vec<_>>() })
    }

    fn data_info(&self, arguments: &Value) -> Value {
        let name = arguments["name"].as_str().unwrap_or_default();
        let number =
            (arguments["variablesReference"].as_u64().unwrap_or(0) as usize).checked_sub(1);
        let list = number.and_then(|i| self.values.get(i));
        match list.and_then(|list| list.iter().find(|(n, ..)| n == name)) {
            Some((_, _, id)) => {
                json!({ "dataId": id, "description": format!("{id} changes"), "accessTypes": ["write"] })
            }
            None => json!({ "dataId": null, "description": format!("no variable `{name}`") }),
        }
    }

    /// The steps that are possible here, those of the chosen process first; of a recording, the next one.
    fn step_targets(&self, arguments: &Value) -> Value {
        let life = (arguments["frameId"].as_u64().unwrap_or(1) as usize).saturating_sub(1);
        let run = self.recording.run;
        let targets = match (&self.choices, self.recording.next_event()) {
            (Some(choices), _) => {
                choices.targets(self.recording.at, run.lives.get(life).map(|life| life.pid))
            }
            (None, Some(event)) => {
                let act = &event.actor;
                let label = format!("{}: {}", run.life(act).name, act.statement);
                vec![json!({ "id": 0, "label": label, "line": act.place.line })]
            }
            (None, None) => Vec::new(),
        };
        json!({ "targets": targets })
    }

    fn goto_targets(&self, arguments: &Value) -> Value {
        let line = arguments["line"].as_u64().unwrap_or(0) as u32;
        let file = self.file_of(&arguments["source"]);
        let steps = file.map(|f| self.recording.places_of(f, line)).unwrap_or_default();
        let targets = steps.into_iter().take(MAX_TARGETS).map(|step| {
            json!({ "id": step, "label": format!("before step {}", step + 1), "line": line })
        });
        json!({ "targets": targets.collect::<Vec<_>>() })
    }
}

/// The values of a state, as a process sees them.
struct Known<'a> {
    run: &'a Run<'a>,
    state: &'a State,
    pid: Option<usize>,
    all: Vec<ScopedValue>,
}

impl Values for Known<'_> {
    fn get(&self, name: &str) -> Option<Value> {
        let own = self.all.iter().find(|v| v.name == name && v.pid.is_some() && v.pid == self.pid);
        let found = own
            .or_else(|| self.all.iter().find(|v| v.name == name && v.pid.is_none()))
            .or_else(|| self.all.iter().find(|v| data_id(self.run, self.state, v) == name));
        found.map(|found| found.value.clone())
    }

    fn is_constant(&self, name: &str) -> bool {
        self.run.system.mtypes.iter().any(|mtype| mtype.names.iter().any(|n| n == name))
    }
}

/// Whether a statement begins in a line.
fn has_statement(run: &Run<'_>, file: u32, line: u32) -> bool {
    let edges = run.system.proctypes.iter().flat_map(|p| p.edges.iter().flatten());
    edges.map(|edge| edge.source).any(|at| at.file == file && at.line == line)
}

/// The name of a value in the whole state, as changes name it.
fn data_id(run: &Run<'_>, state: &State, value: &ScopedValue) -> String {
    match value.pid {
        None => value.name.clone(),
        Some(pid) => format!("{}:{}", process_name(run.system, state, pid), value.name),
    }
}
