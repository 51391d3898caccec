//! Conditions that name ids and are symmetric nevertheless, as in "at most one of `a[0]`, `a[1]`, `a[2]`".
//!
//! Two ids are exchanged in the condition. If it is then the same but for the order of operands, exchanging these ids in
//! a state does not change its value.

use super::infer::Inference;
use super::sorts::PlaceId;
use resy_system::{BinaryOp, CellRef, Expr, IndexTerm, Scope};

/// An exchange of two ids of a sort.
pub(super) struct Swap<'a, 'b> {
    pub inference: &'a Inference<'b>,
    pub sort: PlaceId,
    pub ids: (i32, i32),
}

impl Swap<'_, '_> {
    /// Whether a condition of a property stays the same.
    pub fn preserves(&self, condition: &Expr) -> bool {
        normal(&self.expr(condition, None)) == normal(condition)
    }

    /// The expression with the ids exchanged; `place` is where its value is used, if it is an id.
    fn expr(&self, expr: &Expr, place: Option<PlaceId>) -> Expr {
        let same = |e: &Expr| Box::new(self.expr(e, place));
        let other = |e: &Expr| Box::new(self.expr(e, None));
        match expr {
            Expr::Const(c) if place.is_some_and(|p| self.is_it(p)) => Expr::Const(self.swapped(*c)),
            Expr::Load(r) => {
                let owner = match r.scope {
                    Scope::Global => Some(&self.inference.places.globals),
                    _ => None,
                };
                Expr::Load(self.reference(r, owner))
            }
            Expr::Unary(op, e) => Expr::Unary(*op, other(e)),
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let place = self.place_of(a).or_else(|| self.place_of(b));
                let side = |e: &Expr| Box::new(self.expr(e, place));
                Expr::Binary(*op, side(a), side(b))
            }
            Expr::Binary(op, a, b) => Expr::Binary(*op, other(a), other(b)),
            Expr::Cond(c, a, b) => Expr::Cond(other(c), same(a), same(b)),
            Expr::Len(e) => Expr::Len(other(e)),
            Expr::Probe(probe, e) => Expr::Probe(*probe, other(e)),
            Expr::RemoteLocation { proctype, pid } => {
                let place = Some(self.inference.places.pids[*proctype]);
                let pid = pid.as_ref().map(|e| Box::new(self.expr(e, place)));
                Expr::RemoteLocation { proctype: *proctype, pid }
            }
            Expr::RemoteLoad { proctype, pid, place: r } => {
                let place = Some(self.inference.places.pids[*proctype]);
                let pid = pid.as_ref().map(|e| Box::new(self.expr(e, place)));
                let owner = Some(&self.inference.places.locals[*proctype]);
                Expr::RemoteLoad { proctype: *proctype, pid, place: self.reference(r, owner) }
            }
            // Constants in others stay as they are: then they are named.
            other => other.clone(),
        }
    }

    fn reference(&self, r: &CellRef, frame: Option<&super::places::FramePlaces>) -> CellRef {
        let array = frame.and_then(|frame| {
            let array = (*frame.array_of.get(r.offset as usize)?)?;
            Some(&frame.arrays[array])
        });
        let axis = |i: usize| array.map(|array| array.axes[i].2);
        let term = |(i, t): (usize, &IndexTerm)| IndexTerm {
            index: self.expr(&t.index, axis(i)),
            len: t.len,
            stride: t.stride,
        };
        CellRef { indices: r.indices.iter().enumerate().map(term).collect(), ..r.clone() }
    }

    /// The place whose value an expression is.
    fn place_of(&self, expr: &Expr) -> Option<PlaceId> {
        let places = &self.inference.places;
        match expr {
            Expr::Load(r) if r.scope == Scope::Global => {
                places.globals.values.get(r.offset as usize).copied()
            }
            Expr::RemoteLoad { proctype, place, .. } => {
                places.locals[*proctype].values.get(place.offset as usize).copied()
            }
            Expr::Cond(_, a, b) => self.place_of(a).or_else(|| self.place_of(b)),
            _ => None,
        }
    }

    fn is_it(&self, place: PlaceId) -> bool {
        self.inference.sorts.root(place) == self.sort
    }

    fn swapped(&self, c: i32) -> i32 {
        match c {
            _ if c == self.ids.0 => self.ids.1,
            _ if c == self.ids.1 => self.ids.0,
            _ => c,
        }
    }
}

/// The expression with operands in a fixed order, where their order does not matter.
fn normal(expr: &Expr) -> Expr {
    match expr {
        Expr::Binary(op, ..) if commutes(*op) => {
            let (mut operands, mut rest) = (Vec::new(), vec![expr]);
            while let Some(e) = rest.pop() {
                match e {
                    Expr::Binary(other, a, b) if other == op && is_associative(*op) => {
                        rest.extend([&**a, &**b]);
                    }
                    Expr::Binary(other, a, b) if std::ptr::eq(e, expr) && other == op => {
                        operands.extend([normal(a), normal(b)]);
                    }
                    _ => operands.push(normal(e)),
                }
            }
            // Operands that may fail are evaluated in their order.
            if operands.iter().all(cannot_fail) {
                operands.sort();
            } else if is_associative(*op) {
                operands.reverse();
            }
            let join = |a, b| Expr::Binary(*op, Box::new(a), Box::new(b));
            operands.into_iter().reduce(join).unwrap_or(Expr::Const(0))
        }
        Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(normal(a)), Box::new(normal(b))),
        Expr::Unary(op, e) => Expr::Unary(*op, Box::new(normal(e))),
        Expr::Cond(c, a, b) => {
            Expr::Cond(Box::new(normal(c)), Box::new(normal(a)), Box::new(normal(b)))
        }
        other => other.clone(),
    }
}

fn is_associative(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Mul, Or};
    matches!(op, Add | And | BitAnd | BitOr | BitXor | Mul | Or)
}

fn commutes(op: BinaryOp) -> bool {
    is_associative(op) || matches!(op, BinaryOp::Eq | BinaryOp::Ne)
}

/// Whether an expression has a value in every state.
fn cannot_fail(expr: &Expr) -> bool {
    let is_known = |r: &CellRef| {
        r.indices.iter().all(
            |t| matches!(t.index, Expr::Const(c) if (0..i64::from(t.len)).contains(&i64::from(c))),
        )
    };
    !expr.any(|e| match e {
        Expr::Const(_) | Expr::Unary(..) | Expr::Cond(..) | Expr::RemoteLocation { .. } => false,
        Expr::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Mod),
        Expr::Load(r) | Expr::RemoteLoad { place: r, .. } => !is_known(r),
        _ => true,
    })
}
