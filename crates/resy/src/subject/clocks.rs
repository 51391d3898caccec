//! What a program may do with clocks: compare them and set them to a number. Only time moves them.
//!
//! The conditions of progress are upper bounds of clocks. Such a condition holds while time passes if it
//! holds after it has passed, so that no quantifier is needed.

use resy_symbolic::{DataDeclarations, DataKind};
use resy_system::{BinaryOp, Command, Expr, Instruction, ProctypeId, Scope, System, UnaryOp};

/// The clocks of a program: proctype and offset.
pub(super) struct Clocks(Vec<(Option<ProctypeId>, u32, String)>);

impl Clocks {
    pub fn of(declarations: &DataDeclarations) -> Self {
        let clocks = declarations.variables.iter().filter(|v| v.cell.kind == DataKind::Clock);
        Self(clocks.map(|v| (v.proctype, v.offset, v.name.clone())).collect())
    }

    /// Whether statements of a proctype do with clocks what they may.
    pub fn check_statements(&self, system: &System) -> Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        for (proctype, declared) in system.proctypes.iter_enumerated() {
            for edge in declared.edges.iter().flatten() {
                self.check_command(&edge.command, proctype)?;
            }
        }
        Ok(())
    }

    fn check_command(&self, command: &Command, proctype: ProctypeId) -> Result<(), String> {
        match command {
            Command::Assign(place, value) => {
                let is_clock = self.find(place.scope, place.offset, proctype).is_some();
                match self.mentioned(value, proctype) {
                    Some(clock) => {
                        Err(format!("the clock `{clock}` is stored: it may only be compared"))
                    }
                    None if is_clock && !matches!(value, Expr::Const(0..)) => {
                        Err("a clock may only be set to a number that is not negative".to_owned())
                    }
                    None => Ok(()),
                }
            }
            Command::Send { args, .. } => match args
                .iter()
                .find_map(|e| self.mentioned(e, proctype))
            {
                Some(clock) => Err(format!("the clock `{clock}` is sent: it may only be compared")),
                None => Ok(()),
            },
            Command::DStep(d_step) => d_step.code.iter().try_for_each(|i| match i {
                Instruction::Run { command, .. } => self.check_command(command, proctype),
                _ => Ok(()),
            }),
            _ => Ok(()),
        }
    }

    fn find(&self, scope: Scope, offset: u32, proctype: ProctypeId) -> Option<&str> {
        let owner = match scope {
            Scope::Global => None,
            Scope::Local => Some(proctype),
            Scope::Nowhere => return None,
        };
        self.0.iter().find(|c| (c.0, c.1) == (owner, offset)).map(|c| c.2.as_str())
    }

    fn mentioned(&self, expr: &Expr, proctype: ProctypeId) -> Option<&str> {
        let mut found = None;
        expr.walk(&mut |e| match e {
            Expr::Load(place) => found = found.or(self.find(place.scope, place.offset, proctype)),
            Expr::RemoteLoad { proctype, place, .. } => {
                found = found.or(self.find(Scope::Local, place.offset, *proctype));
            }
            _ => {}
        });
        found
    }

    /// The clock in an expression outside processes.
    fn outside(&self, expr: &Expr) -> bool {
        expr.any(|e| match e {
            Expr::Load(place) => self.0.iter().any(|c| (c.0, c.1) == (None, place.offset)),
            Expr::RemoteLoad { proctype, place, .. } => {
                self.0.iter().any(|c| (c.0, c.1) == (Some(*proctype), place.offset))
            }
            _ => false,
        })
    }

    /// Whether a condition of progress consists of upper bounds of clocks.
    pub fn check_progress(&self, condition: &Expr) -> Result<(), String> {
        match self.is_bound(condition, true) {
            true => Ok(()),
            false => Err("a condition of progress has upper bounds of clocks only".to_owned()),
        }
    }

    fn is_bound(&self, e: &Expr, positive: bool) -> bool {
        use BinaryOp::{And, Ge, Gt, Le, Lt, Or};
        if !self.outside(e) {
            return true;
        }
        match e {
            Expr::Unary(UnaryOp::Not, a) => self.is_bound(a, !positive),
            Expr::Binary(And | Or, a, b) => {
                self.is_bound(a, positive) && self.is_bound(b, positive)
            }
            Expr::Binary(op, a, b) => {
                let is_clock = |e: &Expr| matches!(e, Expr::Load(_) | Expr::RemoteLoad { .. });
                match (self.outside(a), self.outside(b)) {
                    (true, false) if is_clock(a) => match op {
                        Le | Lt => positive,
                        Ge | Gt => !positive,
                        _ => false,
                    },
                    (false, true) if is_clock(b) => match op {
                        Ge | Gt => positive,
                        Le | Lt => !positive,
                        _ => false,
                    },
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
