//! Templates of new processes: their records and channels, ready to be copied.

use crate::vector::{Layout, Width};
use resy_index::{Id, IndexVec};
use resy_system::{CellInit, CellType, Expr, ProctypeId, System};

/// The bytes of a new process of one proctype.
struct Template {
    bytes: Vec<u8>,
    /// The positions of the numbers of its own channels, in order.
    channels: Vec<u32>,
    /// The positions of the arguments, with their types.
    params: Vec<(u32, Width, CellType)>,
}

/// The templates of all proctypes.
pub struct Templates(IndexVec<ProctypeId, Template>);

impl Templates {
    /// The templates of a system.
    pub fn new(system: &System, layout: &Layout) -> Templates {
        let of = |(i, _)| template(system, layout, ProctypeId::from_index(i));
        Templates(IndexVec::from_vec(system.proctypes.iter().enumerate().map(of).collect()))
    }

    /// Writes a new process to the start of `bytes`.
    pub fn fill(&self, proctype: ProctypeId, bytes: &mut [u8], n_channels: usize, args: &[i32]) {
        let template = &self.0[proctype];
        bytes[..template.bytes.len()].copy_from_slice(&template.bytes);
        for (&(at, width, ty), &value) in template.params.iter().zip(args) {
            width.store(bytes, at, ty.truncate(value));
        }
        for (i, &at) in template.channels.iter().enumerate() {
            Width::U16.store(bytes, at, (n_channels + i + 1) as i32);
        }
    }
}

/// Whether the initial values of a proctype's variables are constants.
pub fn constant_frame(system: &System, proctype: ProctypeId) -> bool {
    let frame = &system.proctypes[proctype].frame;
    frame.init.iter().all(|init| matches!(init, CellInit::Channel(..)) || constant(init).is_some())
}

fn constant(init: &CellInit) -> Option<(u32, i32)> {
    match init {
        CellInit::Value(cell, Expr::Const(value)) => Some((*cell, *value)),
        _ => None,
    }
}

fn template(system: &System, layout: &Layout, proctype: ProctypeId) -> Template {
    let declared = &system.proctypes[proctype];
    let frame = &layout.proctypes[proctype];
    let channels_len: u32 = frame.channels.iter().map(|&c| layout.channels[c].len).sum();
    let mut bytes = vec![0; (frame.len + channels_len) as usize];
    let mut put = |f: crate::vector::VectorField, value| f.width.store(&mut bytes, f.offset, value);
    put(layout.proctype, proctype.index() as i32);
    put(layout.location, declared.start.index() as i32);
    let mut channels = Vec::new();
    for init in &declared.frame.init {
        match init {
            CellInit::Channel(cell, _) => channels.push(frame.cells[*cell as usize].offset),
            CellInit::Value(..) => {
                if let Some((cell, value)) = constant(init) {
                    let ty = declared.frame.cells[cell as usize];
                    put(frame.cells[cell as usize], ty.truncate(value));
                }
            }
        }
    }
    let params = (0..declared.frame.n_params as usize)
        .map(|i| (frame.cells[i].offset, frame.cells[i].width, declared.frame.cells[i]))
        .collect();
    Template { bytes, channels, params }
}
