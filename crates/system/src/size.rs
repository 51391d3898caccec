//! Whether the states of a system have a size that can be searched.

use crate::layout::Frame;
use crate::state::channels_of;
use crate::system::System;

/// The cells of a state at the start; a state of more is refused.
pub const MAX_CELLS: u64 = 1 << 20;
/// Channels have numbers of sixteen bits.
pub const MAX_CHANNELS: u64 = u16::MAX as u64;
/// So have the edges of a location.
pub const MAX_EDGES: usize = u16::MAX as usize;

/// Says what is too large, by the name of its declaration.
pub fn check_size(system: &System) -> Result<(), String> {
    let instances = system.instances.iter().map(|i| &system.proctypes[i.proctype].frame);
    let frames = || std::iter::once(&system.globals).chain(instances.clone());
    let n_cells: u64 = frames().map(|f| cells(system, f)).sum();
    if n_cells > MAX_CELLS {
        let (name, n) = largest(system, frames());
        return Err(format!(
            "a state would have {n_cells} cells, of which `{name}` takes {n}; at most \
             {MAX_CELLS} are possible"
        ));
    }
    let n_channels = frames().map(|f| channels_of(f).count() as u64).sum::<u64>();
    if n_channels > MAX_CHANNELS {
        return Err(format!(
            "there are {n_channels} channels; at most {MAX_CHANNELS} are possible"
        ));
    }
    for proctype in &system.proctypes {
        if let Some(edges) = proctype.edges.iter().find(|e| e.len() > MAX_EDGES) {
            let (name, n) = (&proctype.name, edges.len());
            return Err(format!("a selection of `{name}` has {n} options; at most {MAX_EDGES}"));
        }
    }
    Ok(())
}

fn cells(system: &System, frame: &Frame) -> u64 {
    let channels = channels_of(frame).map(|ty| system.channel_types[ty].n_cells() as u64);
    frame.cells.len() as u64 + channels.sum::<u64>()
}

/// The declaration that takes the most cells, all its channels together.
fn largest<'a>(system: &'a System, frames: impl Iterator<Item = &'a Frame>) -> (&'a str, u64) {
    let mut best = ("", 0);
    for frame in frames {
        let variables = frame.variables.iter().map(|v| (v.name.as_str(), u64::from(v.n_cells)));
        let types = system.channel_types.iter_enumerated().map(|(id, ty)| {
            let n = channels_of(frame).filter(|&c| c == id).count() as u64;
            (ty.name.as_str(), n * ty.n_cells() as u64)
        });
        best = variables.chain(types).fold(best, |a, b| if b.1 > a.1 { b } else { a });
    }
    best
}
