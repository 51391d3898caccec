//! The values of expressions: 32-bit arithmetic that wraps and truncates, as in LTSA.

use super::fault::{Fault, fault, undefined};
use super::scope::Scope;
use super::value::{Env, Value};
use crate::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::diagnostic::Code;
use std::rc::Rc;

impl Scope<'_> {
    /// The value of an expression.
    pub fn value(&self, expr: &Expr, env: &Env) -> Result<Value, Fault> {
        Ok(match &expr.kind {
            ExprKind::Number(number) => Value::Int(*number),
            ExprKind::Variable(name) => self.variable(name, env)?,
            ExprKind::Constant(name) => self.constant(name, env)?,
            ExprKind::Label(label) => {
                let labels = self.expand(label, env)?;
                let [label] = &labels[..] else {
                    let message = "a value is a single action, not several";
                    return Err(fault(Code::Kind, expr.span, message));
                };
                Value::of_label(&label.text)
            }
            ExprKind::Size(set) => match i32::try_from(self.set(set, env)?.len()) {
                Ok(size) => Value::Int(size),
                Err(_) => return Err(fault(Code::TooLarge, set.span, "the set is too large")),
            },
            ExprKind::Member(set, position) => {
                let members = self.set(set, env)?;
                let at = self.int(position, env)?;
                let member = usize::try_from(at).ok().and_then(|at| members.get(at));
                match member {
                    Some(member) => Value::of_label(member),
                    None => {
                        let message = format!("the set has {} members, no {at}", members.len());
                        return Err(fault(Code::Value, position.span, message));
                    }
                }
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.int(operand, env)?;
                Value::Int(match op {
                    UnaryOp::Plus => operand,
                    UnaryOp::Minus => operand.wrapping_neg(),
                    UnaryOp::Not => i32::from(operand == 0),
                })
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, env)?,
        })
    }

    /// The value of an expression that must be a number.
    pub fn int(&self, expr: &Expr, env: &Env) -> Result<i32, Fault> {
        match self.value(expr, env)? {
            Value::Int(number) => Ok(number),
            Value::Label(label) => {
                let message = format!("a number is needed here, not the action `{label}`");
                Err(fault(Code::Kind, expr.span, message))
            }
        }
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: &Expr, env: &Env) -> Result<bool, Fault> {
        Ok(self.int(condition, env)? != 0)
    }

    fn variable(&self, name: &Name, env: &Env) -> Result<Value, Fault> {
        env.get(&name.text).cloned().ok_or_else(|| {
            let mut fault = undefined("variable", &name.text, name.span, env.names());
            fault.hint.get_or_insert_with(|| {
                format!(
                    "a variable is bound in an action before, as in `a[{}:0..3] -> …`",
                    name.text
                )
            });
            fault
        })
    }

    /// A parameter or a constant; parameters hide constants.
    fn constant(&self, name: &Name, env: &Env) -> Result<Value, Fault> {
        let found = env.get(&name.text).or_else(|| self.constants.get(&*name.text));
        found.cloned().ok_or_else(|| {
            let known = env.names().chain(self.constants.keys().copied());
            undefined("constant or parameter", &name.text, name.span, known)
        })
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, env: &Env) -> Result<Value, Fault> {
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let equal = self.value(left, env)? == self.value(right, env)?;
            return Ok(Value::Int(i32::from(equal == (op == BinaryOp::Eq))));
        }
        let (a, b) = (self.int(left, env)?, self.int(right, env)?);
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && b == 0 {
            return Err(fault(Code::Value, right.span, "division by zero"));
        }
        let shift = (b & 31) as u32;
        Ok(Value::Int(match op {
            BinaryOp::Or => i32::from(a != 0 || b != 0),
            BinaryOp::And => i32::from(a != 0 && b != 0),
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitAnd => a & b,
            BinaryOp::Eq | BinaryOp::Ne => 0,
            BinaryOp::Lt => i32::from(a < b),
            BinaryOp::Le => i32::from(a <= b),
            BinaryOp::Gt => i32::from(a > b),
            BinaryOp::Ge => i32::from(a >= b),
            BinaryOp::Shl => a.wrapping_shl(shift),
            BinaryOp::Shr => a.wrapping_shr(shift),
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem => a.wrapping_rem(b),
        }))
    }

    /// The values of arguments.
    pub fn values(&self, args: &[Expr], env: &Env) -> Result<Rc<[Value]>, Fault> {
        args.iter().map(|arg| self.value(arg, env)).collect()
    }
}
