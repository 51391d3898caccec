//! Limits on the size of states.

use crate::layout::Frame;
use crate::state::channels_of;
use crate::system::{ProctypeId, System};

/// The maximal number of cells of a state.
pub const MAX_CELLS: u64 = 1 << 20;
/// The maximal number of channels: their numbers have sixteen bits.
pub const MAX_CHANNELS: u64 = u16::MAX as u64;
/// The maximal number of edges of a location: their indices have sixteen bits.
pub const MAX_EDGES: usize = u16::MAX as usize;

/// What is too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// A sentence without a full stop.
    pub what: String,
    /// The proctype to which the declaration belongs; `None` for a global one.
    pub proctype: Option<ProctypeId>,
    /// The variable that takes the most; `None` if it is the proctype itself.
    pub variable: Option<String>,
}

/// Checks the size of the initial state, and names the declaration that takes the most. (The
/// size is checked again when a process is created.)
pub fn check_size(system: &System) -> Result<(), TooLarge> {
    let owner = |id: ProctypeId| (Some(id), &system.proctypes[id].frame);
    let instances = system.instances.iter().map(|i| owner(i.proctype));
    let frames: Vec<Owned<'_>> =
        std::iter::once((None, &system.globals)).chain(instances).collect();
    let n_cells: u64 = frames.iter().map(|(_, f)| cells(system, f)).sum();
    if n_cells > MAX_CELLS {
        let (n, proctype, name) = largest(system, &frames, |ty| ty, true);
        let what = format!(
            "a state would have {n_cells} cells, of which `{name}` takes {n}; at most \
             {MAX_CELLS} are possible"
        );
        return Err(TooLarge { what, proctype, variable: Some(name) });
    }
    let n_channels = frames.iter().map(|(_, f)| channels_of(f).count() as u64).sum::<u64>();
    if n_channels > MAX_CHANNELS {
        let (n, proctype, name) = largest(system, &frames, |_| 1, false);
        let what = format!(
            "there would be {n_channels} channels, of which `{name}` makes {n}; at most \
             {MAX_CHANNELS} are possible"
        );
        return Err(TooLarge { what, proctype, variable: Some(name) });
    }
    for (id, proctype) in system.proctypes.iter_enumerated() {
        if let Some(edges) = proctype.edges.iter().find(|e| e.len() > MAX_EDGES) {
            let (name, n) = (&proctype.name, edges.len());
            let what = format!(
                "a selection of `{name}` has {n} options; at most {MAX_EDGES} are possible"
            );
            return Err(TooLarge { what, proctype: Some(id), variable: None });
        }
    }
    Ok(())
}

/// A frame and its owner.
type Owned<'a> = (Option<ProctypeId>, &'a Frame);

fn cells(system: &System, frame: &Frame) -> u64 {
    let channels = channels_of(frame).map(|ty| system.channel_types[ty].n_cells() as u64);
    frame.cells.len() as u64 + channels.sum::<u64>()
}

/// The declaration with the greatest size, where `of_channel` maps the cells of a channel to
/// its size and `variables` says whether the cells of variables count too.
fn largest(
    system: &System,
    frames: &[Owned<'_>],
    of_channel: impl Fn(u64) -> u64,
    variables: bool,
) -> (u64, Option<ProctypeId>, String) {
    let mut best = (0, None, String::new());
    for &(owner, frame) in frames {
        let variables = frame.variables.iter().filter(|_| variables);
        let variables = variables.map(|v| (u64::from(v.n_cells), &v.name));
        let types = system.channel_types.iter_enumerated().map(|(id, ty)| {
            let n = channels_of(frame).filter(|&c| c == id).count() as u64;
            (n * of_channel(ty.n_cells() as u64), &ty.name)
        });
        for (n, name) in variables.chain(types) {
            if n > best.0 {
                best = (n, owner, name.clone());
            }
        }
    }
    best
}
