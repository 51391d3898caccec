//! Finding the symmetry of a system.

use super::SymmetryReport;
use super::assemble::assemble;
use super::infer::Inference;
use super::places::Places;
use super::roles::OwnerKey;
use super::sorts::{PlaceId, Sorts};
use super::start::{ends, reachable, settled};
use super::swap::Swap;
use crate::access::{each_command, stores};
use crate::live::add_cells;
use crate::observed::Visible;
use fixedbitset::FixedBitSet;
use resy_index::IndexVec;
use resy_system::{CellInit, Command, Edge, Expr, LocationId, Proctype, ProctypeId, System};

/// Sorts have at most this many ids: ordering them takes time in every state.
const MOST_IDS: i32 = 64;

/// The symmetry of a system that these properties do not notice. Processes that are exchanged lose their values where they
/// end, which changes the system and no verdict.
pub fn find_symmetry(system: &mut System, visible: &Visible) -> SymmetryReport {
    let several = several(system);
    if several.is_empty() {
        return SymmetryReport::default();
    }
    let found = match hopeless(system, visible) {
        Some(why) => Err(why),
        None => infer(system, visible).map(|inference| {
            let settled = system.proctypes.iter().map(settled).collect();
            let choice = Choice::make(&inference, &several, settled);
            let Inference { sorts, places, .. } = inference;
            (sorts, places, choice)
        }),
    };
    match found {
        Err(why) => SymmetryReport { symmetry: None, refused: vec![format!("symmetry: {why}")] },
        Ok((sorts, places, choice)) => {
            let refused = choice.refused.clone();
            let symmetry = assemble(system, visible, &sorts, &places, choice);
            SymmetryReport { symmetry, refused }
        }
    }
}

/// The proctypes of which there may be several processes.
fn several(system: &System) -> Vec<ProctypeId> {
    let mut times: IndexVec<ProctypeId, usize> = system.proctypes.iter().map(|_| 0).collect();
    system.instances.iter().for_each(|instance| times[instance.proctype] += 1);
    for edge in system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()) {
        edge.command.walk(&mut |e| {
            if let Expr::Run { proctype, .. } = e {
                // A `run` may be in a loop.
                times[*proctype] += 2;
            }
        });
    }
    times.iter_enumerated().filter(|(_, n)| **n > 1).map(|(id, _)| id).collect()
}

/// Why no symmetry is looked for.
fn hopeless(system: &System, visible: &Visible) -> Option<String> {
    let reasons = [
        (system.uses_last, "`_last` tells processes apart"),
        (system.uses_priority, "priorities tell processes apart"),
        (system.trace.is_some(), "a trace watches channels by their names"),
        (visible.accept_labels || visible.enabledness, "infinite runs tell processes apart"),
    ];
    reasons.iter().find(|(holds, _)| *holds).map(|(_, why)| (*why).to_owned())
}

/// What statements do with values; an error if nothing is symmetric.
fn infer<'a>(system: &'a System, visible: &Visible) -> Result<Inference<'a>, String> {
    let mut sorts = Sorts::default();
    let places = Places::of(system, &visible.expressions, &mut sorts)
        .ok_or("variables overlap in a way that is not understood")?;
    let mut inference = Inference::new(system, sorts, places);
    inference.frames();
    // Channels that are passed on may become known late.
    for _ in 0..3 {
        each_edge(system, |id, _, edge, is_start| {
            if is_start {
                inference.edge(id, edge, true);
            }
        });
    }
    let mut picks = Vec::new();
    for (id, proctype) in system.proctypes.iter_enumerated() {
        let (settled, reached) = (settled(proctype), reachable(proctype));
        for (at, edges) in proctype.edges.iter_enumerated() {
            if !settled[at] || !reached[at] {
                continue;
            }
            edges.iter().for_each(|edge| inference.edge(id, edge, false));
            let named = std::mem::take(&mut inference.named);
            let root = |&(place, _): &(PlaceId, i32)| inference.sorts.root(place);
            let is_one = named.windows(2).all(|pair| root(&pair[0]) == root(&pair[1]));
            match is_one && is_pick(edges) {
                true => picks.push(named),
                false => name(&mut inference, named),
            }
        }
        proctype.provided.iter().for_each(|e| inference.condition(Some(id), e));
    }
    let named = std::mem::take(&mut inference.named);
    name(&mut inference, named);
    name_by_picks(&mut inference, picks);
    name_by_conditions(&mut inference, &visible.expressions);
    let is_mixed = |&id: &PlaceId| {
        let facts = inference.sorts.facts(id);
        facts.is_chan && facts.plain.is_some()
    };
    let mixed = inference.sorts.roots().find(is_mixed);
    let why = mixed.and_then(|id| inference.sorts.facts(id).plain.clone());
    match inference.refused.clone().or(why) {
        Some(why) => Err(why),
        None => Ok(inference),
    }
}

fn each_edge(system: &System, mut visit: impl FnMut(ProctypeId, LocationId, &Edge, bool)) {
    for (id, proctype) in system.proctypes.iter_enumerated() {
        let settled = settled(proctype);
        for (at, edges) in proctype.edges.iter_enumerated() {
            edges.iter().for_each(|edge| visit(id, at, edge, !settled[at]));
        }
    }
}

fn name(inference: &mut Inference<'_>, named: Vec<(PlaceId, i32)>) {
    for (place, c) in named {
        inference.sorts.facts_mut(place).named.insert(c);
    }
}

/// Whether a process stores any of several constants into one variable here: it picks one, and which one makes no
/// difference if these are all ids of a sort.
fn is_pick(edges: &[Edge]) -> bool {
    let place = |edge: &Edge| match &edge.command {
        Command::Assign(place, Expr::Const(_)) if place.indices.is_empty() => Some(place.clone()),
        _ => None,
    };
    let Some(first) = edges.first() else { return false };
    let fits = |edge: &Edge| {
        place(edge).is_some()
            && place(edge) == place(first)
            && (edge.target, edge.atomic, edge.escape) == (first.target, first.atomic, first.escape)
            && edge.resets == first.resets
    };
    edges.len() > 1 && first.escape.is_none() && edges.iter().all(fits)
}

/// A pick names its constants, unless all ids of the sort are among them.
fn name_by_picks(inference: &mut Inference<'_>, mut picks: Vec<Vec<(PlaceId, i32)>>) {
    loop {
        let names = |inference: &Inference<'_>, pick: &Vec<(PlaceId, i32)>| {
            let Some(&(place, _)) = pick.first() else { return false };
            let mut ids = ids(&inference.sorts, place);
            ids.any(|id| !pick.iter().any(|&(_, c)| c == id))
        };
        let Some(at) = picks.iter().position(|pick| names(inference, pick)) else { return };
        let pick = picks.swap_remove(at);
        name(inference, pick);
    }
}

/// A condition names its constants, unless it does not change when two ids are exchanged.
fn name_by_conditions(inference: &mut Inference<'_>, conditions: &[Expr]) {
    let mut by_condition = Vec::new();
    for condition in conditions {
        inference.condition(None, condition);
        by_condition.push((condition, std::mem::take(&mut inference.named)));
    }
    for (condition, named) in by_condition {
        for &(place, c) in &named {
            let sort = inference.sorts.root(place);
            let all: Vec<i32> = ids(&inference.sorts, sort).collect();
            let preserves = |pair: &[i32]| {
                let swap = Swap { inference: &*inference, sort, ids: (pair[0], pair[1]) };
                swap.preserves(condition)
            };
            if !all.windows(2).all(preserves) {
                inference.sorts.facts_mut(place).named.insert(c);
            }
        }
    }
}

/// The ids of a sort that are interchangeable, if it is one of ids.
pub(super) fn ids(sorts: &Sorts, place: PlaceId) -> impl Iterator<Item = i32> {
    let facts = sorts.facts(place);
    (0..bound(sorts, place)).filter(|id| !facts.named.contains(id))
}

pub(super) fn bound(sorts: &Sorts, place: PlaceId) -> i32 {
    let facts = sorts.facts(place);
    let len = facts.len.map_or(MOST_IDS, |len| i32::try_from(len).unwrap_or(i32::MAX));
    let bound = len.min(facts.greatest.saturating_add(1)).min(MOST_IDS);
    if facts.least > 0 { 0 } else { bound }
}

/// Which processes are exchanged, and by which ids.
pub(super) struct Choice {
    pub owners: Vec<(ProctypeId, PlaceId, OwnerKey)>,
    pub refused: Vec<String>,
    pub settled: IndexVec<ProctypeId, IndexVec<LocationId, bool>>,
}

impl Choice {
    fn make(
        inference: &Inference<'_>,
        several: &[ProctypeId],
        settled: IndexVec<ProctypeId, IndexVec<LocationId, bool>>,
    ) -> Self {
        let mut choice = Self { owners: Vec::new(), refused: Vec::new(), settled };
        for id in inference.system.proctypes.ids() {
            match choice.owner(inference, id) {
                Ok((place, key)) if several.contains(&id) => choice.owners.push((id, place, key)),
                Err(why) if several.contains(&id) => {
                    let name = &inference.system.proctypes[id].name;
                    choice.refused.push(format!("processes `{name}` are told apart: {why}"));
                }
                _ => {}
            }
        }
        choice.drop_pairs(inference);
        choice
    }

    /// If processes of two proctypes belong to one id, their ends would come in an order of their own.
    fn drop_pairs(&mut self, inference: &Inference<'_>) {
        let owners = self.owners.clone();
        self.owners.retain(|&(id, place, _)| {
            let proctype = &inference.system.proctypes[id];
            let is_alone = owners.iter().filter(|(_, other, _)| *other == place).count() == 1;
            let stays = is_alone || !ends_somewhere(proctype);
            if !stays {
                let why = "they may end, and share their number with others";
                let name = &proctype.name;
                self.refused.push(format!("processes `{name}` are told apart: {why}"));
            }
            stays
        });
    }

    /// The sort that the processes of a proctype belong to, or why they are not exchanged.
    fn owner(
        &self,
        inference: &Inference<'_>,
        id: ProctypeId,
    ) -> Result<(PlaceId, OwnerKey), String> {
        let (sorts, proctype) = (&inference.sorts, &inference.system.proctypes[id]);
        let pid = sorts.root(inference.places.pids[id]);
        let facts = sorts.facts(pid);
        if let Some(why) = &facts.plain {
            return Err(why.clone());
        }
        if !self.settled[id][proctype.start] {
            return Err("they create processes".to_owned());
        }
        may_end(inference, id)?;
        let is_bare = facts.n_places == 0
            && facts.len.is_none()
            && facts.named.is_empty()
            && facts.pids.len() == 1;
        let offset = inference.offsets.get(&id).copied().unwrap_or(0);
        if !is_bare {
            return Ok((pid, OwnerKey::Pid(offset)));
        }
        if let Some(found) = constant_id(inference, id) {
            return Ok(found);
        }
        match told_apart(inference, id) {
            Some(why) => Err(why),
            None => Ok((pid, OwnerKey::Pid(offset))),
        }
    }
}

/// An error if the processes may end and something would notice the order in which they do.
fn may_end(inference: &Inference<'_>, id: ProctypeId) -> Result<(), String> {
    let proctype = &inference.system.proctypes[id];
    if !ends_somewhere(proctype) {
        return Ok(());
    }
    let creates = |init: &CellInit| matches!(init, CellInit::Channel(..));
    let why = if inference.remote.contains(&id) {
        "remote references read them"
    } else if proctype.frame.init.iter().any(creates) {
        "they have channels"
    } else if proctype.provided.is_some() {
        "they have a `provided` clause"
    } else if let Some(what) = inference.counts {
        what
    } else {
        return Ok(());
    };
    Err(format!("they may end, and {why}"))
}

/// Whether a process may come to its end.
fn ends_somewhere(proctype: &Proctype) -> bool {
    let (reached, ends) = (reachable(proctype), ends(proctype));
    reached.iter().zip(&ends).any(|(reached, end)| *reached && *end)
}

/// A variable of the processes that holds an id and never changes: their number.
fn constant_id(inference: &Inference<'_>, id: ProctypeId) -> Option<(PlaceId, OwnerKey)> {
    let (sorts, proctype) = (&inference.sorts, &inference.system.proctypes[id]);
    let places = &inference.places.locals[id];
    let written = written_later(proctype);
    (0..proctype.frame.cells.len()).find_map(|cell| {
        let place = sorts.root(places.values[cell]);
        let facts = sorts.facts(place);
        let is_id = facts.plain.is_none() && !facts.is_chan && facts.pids.is_empty();
        let fits = is_id
            && places.array_of[cell].is_none()
            && !written.contains(cell)
            && (facts.len.is_some() || facts.n_places > 1)
            && ids(sorts, place).nth(1).is_some();
        fits.then_some((place, OwnerKey::Cell(cell as u32)))
    })
}

/// Why processes without ids are never alike: a parameter that does not change has a different value in each.
fn told_apart(inference: &Inference<'_>, id: ProctypeId) -> Option<String> {
    let (system, proctype) = (inference.system, &inference.system.proctypes[id]);
    let written = written_later(proctype);
    let mut calls: Vec<&[Expr]> = Vec::new();
    for edge in system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()) {
        edge.command.walk(&mut |e| {
            if let Expr::Run { proctype, args, .. } = e
                && *proctype == id
            {
                calls.push(args);
            }
        });
    }
    let differs = |cell: usize| {
        let mut values = calls.iter().map(|args| args.get(cell));
        let first = values.next().flatten();
        !matches!(first, Some(Expr::Const(_))) || values.any(|value| value != first)
    };
    let mut parameters = 0..proctype.frame.n_params as usize;
    let cell = parameters.find(|&cell| !written.contains(cell) && differs(cell))?;
    let place = inference.places.locals[id].values[cell];
    let why = inference.sorts.facts(place).plain.clone();
    Some(why.unwrap_or_else(|| "they have different parameters".to_owned()))
}

/// The cells that a process writes after the start.
fn written_later(proctype: &Proctype) -> FixedBitSet {
    let mut written = FixedBitSet::with_capacity(proctype.frame.cells.len());
    let settled = settled(proctype);
    for (at, edges) in proctype.edges.iter_enumerated() {
        for edge in edges.iter().filter(|_| settled[at]) {
            each_command(&edge.command, &mut |c| {
                stores(c).iter().for_each(|r| add_cells(r, &mut written));
            });
        }
    }
    written
}
