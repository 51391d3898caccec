//! The named values of a state: variables, and the messages in channels.

use resy_index::Id;
use resy_system::{CellInit, CellType, Frame, ProctypeId, State, System, Variable};
use serde_json::Value;

/// The maximal number of elements of an array or channel in text for people.
const MAX_SHOWN: usize = 32;

/// The name of a process: its proctype and its pid.
pub fn process_name(system: &System, state: &State, pid: usize) -> String {
    name(system, state.processes()[pid].proctype, pid)
}

fn name(system: &System, proctype: ProctypeId, pid: usize) -> String {
    format!("{}({pid})", system.proctypes[proctype].name.trim_matches(':'))
}

/// A value as text for people.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Array(list) => format!("[{}]", join(list)),
        other => other.to_string(),
    }
}

fn join(list: &[Value]) -> String {
    let one = |v: &Value| match v {
        Value::Array(fields) => format!("({})", join(fields)),
        other => text(other),
    };
    let mut parts: Vec<String> = list.iter().take(MAX_SHOWN).map(one).collect();
    if list.len() > MAX_SHOWN {
        parts.push(format!("... {} more", list.len() - MAX_SHOWN));
    }
    parts.join(", ")
}

/// The changes of a step: variables, single elements of arrays, and channels. For a new process and its
/// channels, everything that is not zero or empty. Names are built only for what changed, because a state
/// may have thousands of variables.
pub fn changes(system: &System, before: &State, after: &State) -> Vec<(String, Value)> {
    let names = Names::of(system, after);
    let old_parts = parts(system, before);
    let mut out = Vec::new();
    for (part, new) in names.parts.iter().enumerate() {
        let old = old_parts.get(part).filter(|old| old.process == new.process);
        let old = |cell: usize| old.map_or(0, |old| old.cells[cell]);
        for variable in &new.frame.variables {
            for i in 0..variable.n_cells {
                let cell = (variable.offset + i) as usize;
                if new.cells[cell] != old(cell) && !names.owns(part, cell) {
                    let name = format!("{}{}", new.prefix(system), element(variable, i));
                    out.push((name, names.value(system, variable, new.cells[cell])));
                }
            }
        }
    }
    for i in 0..names.channels.len() {
        let old = if i < before.channels().len() { before.messages(system, i) } else { vec![] };
        if after.messages(system, i) != old {
            out.extend(names.channel(system, i).map(|name| (name, messages(system, after, i))));
        }
    }
    out
}

/// The name and the value of a cell of the shared variables; `None` for a channel.
pub fn global(system: &System, state: &State, cell: u32) -> Option<(String, Value)> {
    let holds = |v: &&Variable| (v.offset..v.offset + v.n_cells).contains(&cell);
    let variable = system.globals.variables.iter().find(holds)?;
    if variable.cell == CellType::Chan {
        return None;
    }
    let value = *state.globals(system).get(cell as usize)?;
    let value = match variable.cell {
        CellType::Mtype => mtype(system, variable.mtype.as_deref(), value),
        _ if variable.is_bool => truth(value),
        _ => value.into(),
    };
    Some((element(variable, cell - variable.offset), value))
}

/// All values of a state: arrays as lists, channels as lists of messages.
pub fn all(system: &System, state: &State) -> Vec<(String, Value)> {
    let names = Names::of(system, state);
    let mut out = Vec::new();
    for (number, part) in names.parts.iter().enumerate() {
        for variable in &part.frame.variables {
            let first = variable.offset as usize;
            if names.owns(number, first) {
                continue;
            }
            let cells = &part.cells[first..first + variable.n_cells as usize];
            let mut values = cells.iter().map(|&v| names.value(system, variable, v));
            let value = match variable.is_array {
                true => values.collect(),
                false => values.next().unwrap_or_default(),
            };
            out.push((format!("{}{}", part.prefix(system), variable.name), value));
        }
    }
    let channels = (0..names.channels.len())
        .filter_map(|i| Some((names.channel(system, i)?, messages(system, state, i))));
    out.extend(channels);
    out
}

/// A value of a state, for a debugger.
#[derive(Clone, Debug, PartialEq)]
pub struct ScopedValue {
    /// The process whose variable it is; `None` for a global one.
    pub pid: Option<usize>,
    /// The name inside of the process.
    pub name: String,
    /// The value; an array or the messages of a channel are a list.
    pub value: Value,
    /// Whether it is a channel with its messages.
    pub is_channel: bool,
}

/// All values of a state with their scopes.
pub fn scoped(system: &System, state: &State) -> Vec<ScopedValue> {
    let names = Names::of(system, state);
    let mut out = Vec::new();
    for (number, part) in names.parts.iter().enumerate() {
        let pid = part.process.map(|(pid, _)| pid);
        for variable in &part.frame.variables {
            let first = variable.offset as usize;
            if names.owns(number, first) {
                continue;
            }
            let cells = &part.cells[first..first + variable.n_cells as usize];
            let mut values = cells.iter().map(|&v| names.value(system, variable, v));
            let value = match variable.is_array {
                true => values.collect(),
                false => values.next().unwrap_or_default(),
            };
            out.push(ScopedValue { pid, name: variable.name.clone(), value, is_channel: false });
        }
    }
    for channel in 0..names.channels.len() {
        let part = &names.parts[names.channels[channel].0];
        let Some(name) = names.channel(system, channel) else { continue };
        let name = name.strip_prefix(&part.prefix(system)).unwrap_or(&name).to_owned();
        let value = messages(system, state, channel);
        let pid = part.process.map(|(pid, _)| pid);
        out.push(ScopedValue { pid, name, value, is_channel: true });
    }
    out
}

/// The messages of a channel. A message with one field is represented by that field.
fn messages(system: &System, state: &State, channel: usize) -> Value {
    let one = |fields: &[i32]| {
        let mut fields = message(system, state, channel, fields);
        if fields.len() == 1 { fields.remove(0) } else { fields.into() }
    };
    state.messages(system, channel).into_iter().map(one).collect()
}

/// The fields of a message of a channel.
pub fn message(system: &System, state: &State, channel: usize, fields: &[i32]) -> Vec<Value> {
    let ty = &system.channel_types[state.channels()[channel].ty];
    let field = |(number, (&value, &cell)): (usize, (&i32, &CellType))| match cell {
        CellType::Mtype => mtype(system, None, value),
        _ if ty.bools.binary_search(&number).is_ok() => truth(value),
        _ => value.into(),
    };
    fields.iter().zip(&ty.fields).enumerate().map(field).collect()
}

/// The value of a `bool`. An element of an array may have others than 0 and 1.
fn truth(value: i32) -> Value {
    match value {
        0 => false.into(),
        1 => true.into(),
        other => other.into(),
    }
}

/// The name of a channel: the variable that it was created for.
pub fn channel_name(system: &System, state: &State, channel: usize) -> String {
    Names::of(system, state).channel(system, channel).unwrap_or_default()
}

fn mtype(system: &System, subtype: Option<&str>, value: i32) -> Value {
    system.mtype_name(subtype, value).map_or_else(|| value.into(), Value::from)
}

fn element(variable: &Variable, i: u32) -> String {
    match variable.is_array {
        true => format!("{}[{i}]", variable.name),
        false => variable.name.clone(),
    }
}

/// The values of one frame: the globals, or the variables of a process.
struct FrameCells<'a> {
    /// The process, by pid and proctype.
    process: Option<(usize, ProctypeId)>,
    frame: &'a Frame,
    cells: &'a [i32],
}

impl FrameCells<'_> {
    /// The prefix of its variables' names.
    fn prefix(&self, system: &System) -> String {
        let named = |(pid, proctype)| format!("{}:", name(system, proctype, pid));
        self.process.map(named).unwrap_or_default()
    }
}

fn parts<'a>(system: &'a System, state: &'a State) -> Vec<FrameCells<'a>> {
    let globals =
        FrameCells { process: None, frame: &system.globals, cells: state.globals(system) };
    let process = |(pid, p): (usize, &resy_system::Process)| FrameCells {
        process: Some((pid, p.proctype)),
        frame: &system.proctypes[p.proctype].frame,
        cells: state.locals(system, pid),
    };
    std::iter::once(globals).chain(state.processes().iter().enumerate().map(process)).collect()
}

/// The names of channels. A channel is named after the variable that it was created for.
struct Names<'a> {
    parts: Vec<FrameCells<'a>>,
    /// For each channel the frame and the cell of that variable.
    channels: Vec<(usize, u32)>,
    /// The frames and cells that still hold their own channel, sorted.
    owners: Vec<(usize, usize)>,
}

impl<'a> Names<'a> {
    fn of(system: &'a System, state: &'a State) -> Self {
        let parts = parts(system, state);
        let (mut channels, mut owners) = (Vec::new(), Vec::new());
        for (number, part) in parts.iter().enumerate() {
            for init in &part.frame.init {
                let CellInit::Channel(cell, _) = init else { continue };
                channels.push((number, *cell));
                if part.cells[*cell as usize] as usize == channels.len() {
                    owners.push((number, *cell as usize));
                }
            }
        }
        Self { parts, channels, owners }
    }

    /// The name of a channel.
    fn channel(&self, system: &System, channel: usize) -> Option<String> {
        let &(part, cell) = self.channels.get(channel)?;
        let part = &self.parts[part];
        let holds = |v: &&Variable| (v.offset..v.offset + v.n_cells).contains(&cell);
        let variable = part.frame.variables.iter().find(holds);
        let name = variable.map(|v| element(v, cell - v.offset)).unwrap_or_default();
        Some(format!("{}{name}", part.prefix(system)))
    }

    /// Whether a cell holds the channel that was created for it. Then the channel's messages are shown
    /// instead of the cell.
    fn owns(&self, part: usize, cell: usize) -> bool {
        self.owners.binary_search(&(part, cell)).is_ok()
    }

    fn value(&self, system: &System, variable: &Variable, value: i32) -> Value {
        match variable.cell {
            CellType::Mtype => mtype(system, variable.mtype.as_deref(), value),
            CellType::Chan => {
                let index = usize::try_from(value).ok().and_then(|v| v.checked_sub(1));
                let name = index.and_then(|i| self.channel(system, i));
                name.map_or_else(|| value.into(), Value::from)
            }
            _ if variable.is_bool => truth(value),
            _ => value.into(),
        }
    }
}

/// A variable of a state whose value has the same type in all states.
pub struct Typed {
    /// Its name.
    pub name: String,
    /// Its value: numbers and strings, lists of them, and tuples for messages with several fields.
    pub value: Value,
    /// The value in states where the variable does not exist.
    pub blank: Value,
}

/// All variables and channels of a state, and the location of each process (`_pc`, in spin's numbering).
pub fn typed(system: &System, state: &State) -> Vec<Typed> {
    let names = Names::of(system, state);
    let mut out = Vec::new();
    for (number, part) in names.parts.iter().enumerate() {
        let prefix = part.prefix(system);
        if let Some((pid, _)) = part.process {
            let location = state.processes()[pid].location;
            let (name, value) = (format!("{prefix}_pc"), location.index().into());
            out.push(Typed { name, value, blank: 0.into() });
        }
        let declared: Vec<&str> = part.frame.variables.iter().map(|v| &*v.name).collect();
        for (place, variable) in part.frame.variables.iter().enumerate() {
            let first = variable.offset as usize;
            if names.owns(number, first) {
                continue;
            }
            let is_word = matches!(variable.cell, CellType::Mtype | CellType::Chan);
            let one = |cell: &i32| match is_word {
                true => text(&names.value(system, variable, *cell)).into(),
                false => Value::from(*cell),
            };
            let blank: Value = if is_word { "0".into() } else { 0.into() };
            let cells = &part.cells[first..first + variable.n_cells as usize];
            let (value, blank) = match variable.is_array {
                true => (cells.iter().map(one).collect(), vec![blank; cells.len()].into()),
                false => (one(&cells[0]), blank),
            };
            let name = format!("{prefix}{}", unique_name(&declared, place));
            out.push(Typed { name, value, blank });
        }
    }
    for channel in 0..names.channels.len() {
        let name = names.channel(system, channel).unwrap_or_default();
        let messages = state.messages(system, channel).into_iter();
        let value = messages.map(|fields| tuple(system, state, channel, fields)).collect();
        out.push(Typed { name, value, blank: Value::Array(Vec::new()) });
    }
    out
}

/// Blocks of one process may declare variables of the same name: the second `x` becomes `x#2`.
fn unique_name(declared: &[&str], place: usize) -> String {
    let name = declared[place];
    match declared[..place].iter().filter(|earlier| **earlier == name).count() {
        0 => name.to_owned(),
        n => format!("{name}#{}", n + 1),
    }
}

/// A message as a tuple. A message with one field is represented by that field.
fn tuple(system: &System, state: &State, channel: usize, fields: &[i32]) -> Value {
    let types = &system.channel_types[state.channels()[channel].ty].fields;
    let words = message(system, state, channel, fields).into_iter();
    let values = words.zip(fields.iter().zip(types));
    let mut values: Vec<Value> = values
        .map(|(word, (&value, ty))| match ty {
            CellType::Mtype => text(&word).into(),
            _ => value.into(),
        })
        .collect();
    if values.len() == 1 { values.remove(0) } else { serde_json::json!({ "#tup": values }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_one_name_are_told_apart() {
        let names = ["x", "y", "x"];
        let unique: Vec<String> = (0..3).map(|place| unique_name(&names, place)).collect();
        assert_eq!(unique, ["x", "y", "x#2"]);
    }
}
