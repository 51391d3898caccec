//! Well-formedness of a system: one list, checked after every transformation.

use crate::command::{Command, Instruction};
use crate::expr::{CellRef, Expr, Scope};
use crate::layout::Frame;
use crate::system::{Edge, LocationId, Proctype, System};
use resy_index::Id;

/// Checks the invariants that the interpreter relies on; the error names the
/// first one that does not hold. A violation is a bug of the code that made the system.
pub fn validate(system: &System) -> Result<(), String> {
    for instance in &system.instances {
        system.proctypes.get(instance.proctype).ok_or("an instance of no proctype")?;
    }
    for proctype in &system.proctypes {
        let check = Check { system, frame: &proctype.frame };
        check.proctype(proctype).map_err(|e| format!("{}: {e}", proctype.name))?;
    }
    Ok(())
}

struct Check<'a> {
    system: &'a System,
    frame: &'a Frame,
}

impl Check<'_> {
    fn proctype(&self, proctype: &Proctype) -> Result<(), String> {
        let n = proctype.edges.len();
        let in_range = |l: LocationId| {
            if l.index() < n { Ok(()) } else { Err(format!("{l:?} of {n}")) }
        };
        in_range(proctype.start)?;
        let labels =
            [&proctype.end_locations, &proctype.accept_locations, &proctype.progress_locations];
        if labels.iter().any(|locations| locations.len() != n) {
            return Err("label tables and edges differ in length".into());
        }
        for edge in proctype.edges.iter().flatten() {
            edge.target.map_or(Ok(()), in_range)?;
            self.edge(edge)?;
        }
        Ok(())
    }

    fn edge(&self, edge: &Edge) -> Result<(), String> {
        if edge.target.is_none() != matches!(edge.command, Command::Exit) {
            return Err(format!("edge {} without a target", edge.text));
        }
        if edge.resets.iter().any(|&cell| cell as usize >= self.frame.cells.len()) {
            return Err(format!("edge {} resets a cell that is not there", edge.text));
        }
        let mut result = Ok(());
        edge.command.walk(&mut |e| {
            if let Err(error) = self.expr(e) {
                result = Err(error);
            }
        });
        if let Command::Assign(place, _) = &edge.command {
            self.place(place)?;
        }
        if let Command::DStep(d_step) = &edge.command {
            let n = d_step.code.len();
            let inside = d_step.code.iter().all(|i| match i {
                Instruction::Run { next, .. } | Instruction::Jump(next) => *next < n,
                Instruction::Choose(options, _) => options.iter().all(|o| o.next < n),
                Instruction::End => true,
            });
            if !inside {
                return Err(format!("{}: a jump out of the d_step", edge.text));
            }
        }
        result
    }

    fn expr(&self, expr: &Expr) -> Result<(), String> {
        match expr {
            Expr::Load(place) => self.place(place),
            Expr::Run { proctype, args, .. } => {
                let frame = &self.system.proctypes[*proctype].frame;
                if args.len() == frame.n_params as usize {
                    Ok(())
                } else {
                    Err("run with the wrong number of arguments".into())
                }
            }
            _ => Ok(()),
        }
    }

    fn place(&self, place: &CellRef) -> Result<(), String> {
        let cells = match place.scope {
            Scope::Global => &self.system.globals.cells,
            Scope::Local => &self.frame.cells,
            Scope::Nowhere => return Ok(()),
        };
        let last = place.indices.iter().map(|t| (t.len - 1) * t.stride).sum::<u32>() + place.offset;
        if (last as usize) < cells.len() {
            Ok(())
        } else {
            Err(format!("cell {last} of a frame of {}", cells.len()))
        }
    }
}
