//! Ownership: from a system to a cut.

use crate::cut::refusal::{CutObstacle, CutRefusal};
use crate::cut::start::{Start, elaborate};
use crate::cut::support::{Item, Support};
use crate::cut::uses::{
    Finder, Uses, observes_lives, reachable, starts_process, written_globals, written_locals,
};
use crate::cut::{ChannelHome, Cut, Home, Part, PartId, ProcessSlot, Role, Users, WatchedClaim};
use crate::step::reply::split;
use resy_index::{Id, IndexVec};
use resy_system::{
    Cell, ChannelTypeId, ClaimMonitor, Command, Edge, Expr, Interpreter, Process, ProctypeId,
    SourcePlace, State, System, channels_of, for_each_command,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The options of a cut.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// Model deaths even if no process can observe them; the product is then isomorphic to the
    /// state graph of the program.
    pub strict: bool,
    /// Let `timeout` hold at any time, instead of asking all processes whether they can move.
    pub loose: bool,
    /// Bound the components by the local states that occur, if the program has few states: a step that leads to
    /// another one is an error.
    pub within: bool,
    /// For a program that creates processes after its start, the places for all its processes, by pid.
    pub slots: Vec<ProcessSlot>,
    /// Channels that are split into pieces.
    pub rings: Vec<usize>,
    /// Counters that are split into shares.
    pub sums: Vec<Cell>,
    /// Cells that become components of their own although a single process uses them.
    pub apart: Vec<Cell>,
    /// Shared cells and channels, each with the process that owns it.
    pub given: Vec<(Item, usize)>,
}

impl<'a> Cut<'a> {
    /// Cuts a system into components, watched by claims.
    pub fn of(
        interpreter: Interpreter<'a>,
        monitors: Vec<ClaimMonitor>,
        manner: &Manner,
    ) -> Result<Self, CutRefusal> {
        Self::of_while(interpreter, monitors, manner, &mut || true)
    }

    /// Like [`of`](Self::of); refused as [`CutObstacle::Stopped`] if `go_on` says no.
    pub fn of_while(
        interpreter: Interpreter<'a>,
        monitors: Vec<ClaimMonitor>,
        manner: &Manner,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Self, CutRefusal> {
        let system = interpreter.system();
        if let Some(source) = moving_priority(system, manner) {
            return Err(CutRefusal { why: CutObstacle::Priorities, source });
        }
        if monitors.iter().any(|monitor| monitor.may_have_no_value(system)) {
            let source = SourcePlace::default();
            return Err(CutRefusal { why: CutObstacle::NoValue, source });
        }
        let in_order = monitors.iter().any(ClaimMonitor::counts_steps);
        let start = begin(&interpreter, in_order, manner, go_on)?;
        let mut cut = unowned(interpreter, start.state.clone(), manner);
        cut.start.clone_from(&start.moves);
        let stopped = CutRefusal { why: CutObstacle::Stopped, source: SourcePlace::default() };
        let uses = uses_of_processes(&cut, go_on).ok_or(stopped)?;
        // A claim that counts steps also counts deaths.
        let is_strict =
            manner.strict || manner.within || !manner.slots.is_empty() || system.uses_priority;
        cut.deaths = is_strict || in_order || observes_deaths(system, &monitors);
        cut.receivers = receivers(&cut, &uses);
        cut.users = users(&uses);
        // With priorities, a process asks those of higher priority whether they can move.
        let careless = system.uses_priority || uses.iter().any(|uses| uses.all);
        distribute(&mut cut, careless, manner);
        add_watchers(&mut cut, monitors, &start);
        Ok(cut)
    }
}

/// Where a priority is set, or where a process that may have any priority is created late.
fn moving_priority(system: &System, manner: &Manner) -> Option<SourcePlace> {
    if !system.uses_priority {
        return None;
    }
    let sets = |edge: &&Edge| {
        let mut found = !manner.slots.is_empty() && starts_process(&edge.command);
        for_each_command(&edge.command, &mut |c| found |= matches!(c, Command::SetPriority(..)));
        found
    };
    let mut edges = system.proctypes.iter().flat_map(|p| p.edges.iter().flatten());
    edges.find(sets).map(|edge| edge.source)
}

/// The start of the program. If processes are created later, nothing is executed.
fn begin(
    interpreter: &Interpreter<'_>,
    in_order: bool,
    manner: &Manner,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Start, CutRefusal> {
    if manner.slots.is_empty() {
        return elaborate(interpreter, in_order, go_on);
    }
    let system = interpreter.system();
    let fits = |slot: &ProcessSlot| {
        let frames = slot.proctypes.iter().map(|&id| system.proctypes.get(id).map(|p| &p.frame));
        let lists = frames.map(|frame| frame.map(|f| channels_of(f).collect::<Vec<_>>()));
        let lists: BTreeSet<_> = lists.collect();
        lists.len() == 1 && !lists.contains(&None)
    };
    let refused = |why| CutRefusal { why, source: SourcePlace::default() };
    if !manner.slots.iter().all(fits) {
        return Err(refused(CutObstacle::LateRun));
    }
    let state = interpreter.initial().map_err(|kind| refused(CutObstacle::BadStart(kind)))?;
    let has_place = |(pid, process): (usize, &Process)| {
        manner.slots.get(pid).is_some_and(|slot| slot.proctypes.contains(&process.proctype))
    };
    if !state.processes().iter().enumerate().all(has_place) {
        return Err(refused(CutObstacle::LateRun));
    }
    Ok(Start { state, before: Vec::new(), moves: Vec::new() })
}

/// The cut before distribution: constants are known, everything else has no owner yet.
fn unowned<'a>(interpreter: Interpreter<'a>, initial: State, manner: &Manner) -> Cut<'a> {
    let system = interpreter.system();
    let runs: Vec<Vec<ProctypeId>> = match manner.slots.is_empty() {
        true => initial.processes().iter().map(|p| vec![p.proctype]).collect(),
        false => manner.slots.iter().map(|slot| slot.proctypes.clone()).collect(),
    };
    let proctypes: Vec<ProctypeId> = runs.iter().map(|runs| runs[0]).collect();
    let no_owner = PartId::from_index(u32::MAX as usize - 1);
    let home = |written: &BTreeSet<u32>, offset: usize, value: i32| {
        if written.contains(&(offset as u32)) {
            Home::At(no_owner, 0)
        } else {
            Home::Constant(value)
        }
    };
    // Processes may share a proctype; each proctype is analysed once.
    let running: BTreeSet<ProctypeId> = runs.iter().flatten().copied().collect();
    let mut written = BTreeSet::new();
    let mut written_inside = FxHashMap::default();
    for &id in &running {
        written.append(&mut written_globals(&system.proctypes[id]));
        written_inside.insert(id, written_locals(&system.proctypes[id]));
    }
    let globals = initial.globals(system).iter().enumerate();
    let globals = globals.map(|(offset, &value)| home(&written, offset, value)).collect();
    let of_start = |(pid, process): (usize, &Process)| {
        let cells = initial.locals(system, pid).iter().enumerate();
        let written = &written_inside[&process.proctype];
        cells.map(|(offset, &value)| home(written, offset, value)).collect()
    };
    let of_slot = |slot: &ProcessSlot| {
        let n_cells = slot.proctypes.iter().map(|&id| system.proctypes[id].frame.cells.len());
        let written: BTreeSet<u32> =
            slot.proctypes.iter().flat_map(|id| written_inside[id].iter().copied()).collect();
        let value = |offset: usize| {
            slot.constants.iter().find(|(other, _)| *other as usize == offset).map(|c| c.1)
        };
        let cells = 0..n_cells.max().unwrap_or_default();
        let home = |offset: usize| match value(offset) {
            Some(value) => home(&written, offset, value),
            None => Home::At(no_owner, 0),
        };
        cells.map(home).collect()
    };
    let locals = match manner.slots.is_empty() {
        true => initial.processes().iter().enumerate().map(of_start).collect(),
        false => manner.slots.iter().map(of_slot).collect(),
    };
    let channels = channels(system, &proctypes, no_owner);
    Cut {
        start: Vec::new(),
        initial,
        manner: manner.clone(),
        parts: IndexVec::new(),
        globals,
        locals,
        receivers: vec![Vec::new(); channels.len()],
        channels,
        processes: vec![no_owner; proctypes.len()],
        proctypes,
        runs,
        last: None,
        trace: None,
        claims: Vec::new(),
        deaths: false,
        sums: Vec::new(),
        users: FxHashMap::default(),
        interpreter,
    }
}

/// The channels of all frames, in the order of their numbers.
fn channels(system: &System, proctypes: &[ProctypeId], no_owner: PartId) -> Vec<ChannelHome> {
    let home = |ty: ChannelTypeId, frame| {
        let width = system.channel_types[ty].fields.len() as u32;
        ChannelHome { ty, part: no_owner, base: 0, ring: None, width, frame }
    };
    let mut channels: Vec<_> = channels_of(&system.globals).map(|ty| home(ty, None)).collect();
    for (pid, &proctype) in proctypes.iter().enumerate() {
        let frame = &system.proctypes[proctype].frame;
        channels.extend(channels_of(frame).map(|ty| home(ty, Some(pid))));
    }
    channels
}

/// Asking takes as long as a few locations.
const ASK_EVERY: usize = 64;

/// What each process may access from its initial location on; `None` if `go_on` says no.
fn uses_of_processes(cut: &Cut<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Uses>> {
    let mut n_locations = 0_usize;
    let mut uses = Vec::new();
    for pid in 0..cut.proctypes.len() {
        let mut finder = Finder::new(cut, pid);
        for (id, begin) in cut.begins(pid) {
            let proctype = &cut.system().proctypes[id];
            if let Some(provided) = &proctype.provided {
                finder.condition(provided);
            }
            for location in reachable(proctype, begin) {
                n_locations += 1;
                if n_locations.is_multiple_of(ASK_EVERY) && !go_on() {
                    return None;
                }
                proctype.edges[location].iter().for_each(|edge| finder.command(&edge.command));
            }
        }
        uses.push(finder.uses);
    }
    Some(uses)
}

/// For each item, its users and writers.
fn users(uses: &[Uses]) -> FxHashMap<Item, Users> {
    let mut found: FxHashMap<Item, Users> = FxHashMap::default();
    for (pid, uses) in uses.iter().enumerate() {
        uses.items.iter().for_each(|&item| found.entry(item).or_default().users.push(pid));
        uses.writes.iter().for_each(|&item| found.entry(item).or_default().writers.push(pid));
    }
    found
}

fn receivers(cut: &Cut<'_>, uses: &[Uses]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); cut.channels.len()];
    for (pid, uses) in uses.iter().enumerate() {
        uses.receives.iter().for_each(|&chan| found[chan].push(pid));
    }
    found
}

/// Whether some expression distinguishes a dead process from one at its last location.
fn observes_deaths(system: &System, monitors: &[ClaimMonitor]) -> bool {
    let mut seen = monitors.iter().flat_map(|m| &m.propositions).any(|e| e.any(observes_lives));
    for proctype in system.proctypes.iter() {
        seen |= proctype.provided.as_ref().is_some_and(|e| e.any(observes_lives));
        // A channel dies with its process, and other processes may hold its id.
        seen |= channels_of(&proctype.frame).next().is_some();
        for edge in proctype.edges.iter().flatten() {
            // A process that can die can move, so that `timeout` does not hold.
            edge.command.walk(&mut |e| seen |= observes_lives(e) || matches!(e, Expr::Timeout));
        }
    }
    seen
}

/// Gives every item that changes an owner. If some process may access anything (`careless`), every
/// item is shared.
fn distribute(cut: &mut Cut<'_>, careless: bool, manner: &Manner) {
    add_processes(cut, manner);
    manner.sums.iter().for_each(|&cell| cut.share_out(cell));
    let users = std::mem::take(&mut cut.users);
    let owner = |item: Item| {
        let given = manner.given.iter().find(|(other, _)| *other == item);
        if matches!(item, Item::Cell(cell) if manner.apart.contains(&cell)) {
            return Owner::Itself;
        }
        match (given, users.get(&item).map(|users| &users.users[..])) {
            (Some(&(_, pid)), _) => Owner::Process(pid),
            (None, None | Some([])) => Owner::Unused,
            (None, Some(&[pid])) if !careless => Owner::Process(pid),
            (None, Some(_)) => Owner::Itself,
        }
    };
    distribute_globals(cut, owner);
    distribute_channels(cut, manner, owner);
    cut.users = users;
}

/// Creates a component for each process, with the cells of its frame that stay with it, and
/// components for the local cells that are set apart.
fn add_processes(cut: &mut Cut<'_>, manner: &Manner) {
    for pid in 0..cut.proctypes.len() {
        let name = cut.process_name(pid);
        let part = cut.parts.push(Part { name, process: Some(pid), width: 1, ..Part::default() });
        cut.processes[pid] = part;
        for offset in 0..cut.locals[pid].len() {
            let cell = Cell::Local(pid as u32, offset as u32);
            if let Home::At(..) = cut.locals[pid][offset]
                && !manner.apart.contains(&cell)
            {
                give_cell(cut, cell, part);
            }
        }
    }
    for &cell in manner.apart.iter().filter(|cell| matches!(cell, Cell::Local(..))) {
        let name = cut.cell_name(cell);
        let part = cut.parts.push(Part { name, ..Part::default() });
        give_cell(cut, cell, part);
    }
}

fn distribute_globals(cut: &mut Cut<'_>, owner: impl Fn(Item) -> Owner) {
    for offset in 0..cut.globals.len() {
        let cell = Cell::Global(offset as u32);
        if let Home::Constant(_) | Home::Sum(_) = cut.globals[offset] {
            continue;
        }
        let part = match owner(Item::Cell(cell)) {
            Owner::Process(pid) => cut.processes[pid],
            Owner::Unused => {
                cut.globals[offset] = Home::Constant(cut.initial.globals(cut.system())[offset]);
                continue;
            }
            Owner::Itself => {
                let name = cut.cell_name(cell);
                cut.parts.push(Part { name, ..Part::default() })
            }
        };
        give_cell(cut, cell, part);
    }
}

fn distribute_channels(cut: &mut Cut<'_>, manner: &Manner, owner: impl Fn(Item) -> Owner) {
    for chan in 0..cut.channels.len() {
        if manner.rings.contains(&chan) {
            cut_to_pieces(cut, chan);
            continue;
        }
        let part = match owner(Item::Channel(chan)) {
            Owner::Process(pid) => cut.processes[pid],
            Owner::Unused | Owner::Itself => {
                let name = cut.channel_name(chan);
                cut.parts.push(Part { name, ..Part::default() })
            }
        };
        let n_cells = cut.system().channel_types[cut.channels[chan].ty].n_cells() as u32;
        cut.channels[chan].part = part;
        cut.channels[chan].base = cut.parts[part].width;
        cut.parts[part].width += n_cells;
        cut.parts[part].channels.push(chan);
    }
}

/// Creates a component for each slot of a channel, and one for its ends.
fn cut_to_pieces(cut: &mut Cut<'_>, chan: usize) {
    let name = cut.channel_name(chan);
    let width = cut.channels[chan].width;
    let capacity = cut.system().channel_types[cut.channels[chan].ty].capacity as usize;
    cut.channels[chan].part = cut.parts.push(Part {
        name: name.clone(),
        width: 2,
        role: Role::Ends(chan),
        ..Part::default()
    });
    cut.channels[chan].base = 1;
    for slot in 0..capacity {
        let name = format!("{name} slot {slot}");
        let role = Role::Slot(chan, slot);
        let part = cut.parts.push(Part { name, width, role, ..Part::default() });
        cut.channels[chan].ring.get_or_insert(part);
    }
}

enum Owner {
    Process(usize),
    Itself,
    Unused,
}

fn give_cell(cut: &mut Cut<'_>, cell: Cell, part: PartId) {
    let owner = &mut cut.parts[part];
    let home = Home::At(part, owner.width);
    owner.width += 1;
    owner.cells.push(cell);
    match cell {
        Cell::Global(offset) => cut.globals[offset as usize] = home,
        Cell::Local(pid, offset) => cut.locals[pid as usize][offset as usize] = home,
    }
}

/// Creates the watching components: `_last`, the event trace, the claims.
fn add_watchers(cut: &mut Cut<'_>, monitors: Vec<ClaimMonitor>, start: &Start) {
    let watcher = |name: &str, role| Part { name: name.to_owned(), role, ..Part::default() };
    if cut.system().uses_last {
        cut.last = Some(cut.parts.push(watcher("_last", Role::Last)));
    }
    if cut.system().trace.is_some() {
        cut.trace = Some(cut.parts.push(watcher("trace", Role::Trace)));
    }
    for (claim, monitor) in monitors.into_iter().enumerate() {
        let part = cut.parts.push(watcher(&monitor.name, Role::Claim(claim)));
        let supports = monitor.propositions.iter().map(|condition| {
            let mut finder = Finder::new(cut, usize::MAX);
            finder.condition(condition);
            let Uses { items, all, .. } = finder.uses;
            Support { items: items.into_iter().collect(), all }
        });
        let supports = supports.collect();
        let initial = initial_claim_state(cut, &monitor, start);
        cut.claims.push(WatchedClaim { monitor, part, supports, initial });
    }
}

/// The local state of a claim's monitor after the states of the start. A tracker has not read the last one: its
/// automaton reads a state with the step that leaves it.
fn initial_claim_state(cut: &Cut<'_>, monitor: &ClaimMonitor, start: &Start) -> Vec<i32> {
    let valuation = |state: &State| {
        let conditions = monitor.propositions.iter().enumerate();
        conditions.fold(0, |bits, (i, condition)| {
            bits | u64::from(cut.interpreter.holds(state, condition) == Ok(true)) << i
        })
    };
    let mut set = monitor.initial();
    let last = (monitor.tracked().is_none()).then_some(&start.state);
    for state in start.before.iter().chain(last) {
        if !monitor.is_bad(set) {
            set = monitor.step(set, valuation(state));
        }
    }
    let ((a, b), (c, d)) = (split(valuation(&start.state)), split(set));
    vec![a, b, c, d]
}
