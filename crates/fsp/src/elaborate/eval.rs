//! The values of expressions: 32-bit arithmetic that wraps and truncates, as in LTSA.

use super::fault::{Fault, fault, undefined};
use super::scope::Scope;
use super::value::{Env, Value};
use crate::ast::{Name, ValueBinary, ValueExpr, ValueExprKind, ValueUnary};
use crate::diagnostic::Code;
use std::rc::Rc;

impl Scope<'_> {
    /// The value of an expression.
    pub fn value(&self, expr: &ValueExpr, env: &Env) -> Result<Value, Fault> {
        Ok(match &expr.kind {
            ValueExprKind::Number(number) => Value::Int(*number),
            ValueExprKind::Variable(name) => self.variable(name, env)?,
            ValueExprKind::Constant(name) => self.constant(name, env)?,
            ValueExprKind::Label(label) => {
                let labels = self.expand(label, env)?;
                let [label] = &labels[..] else {
                    let message = "a value is a single action, not several";
                    return Err(fault(Code::Kind, expr.span, message));
                };
                Value::of_label(&label.text)
            }
            ValueExprKind::Size(set) => match i32::try_from(self.set(set, env)?.len()) {
                Ok(size) => Value::Int(size),
                Err(_) => return Err(fault(Code::TooLarge, set.span, "the set is too large")),
            },
            ValueExprKind::Member(set, position) => {
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
            ValueExprKind::Unary(op, operand) => {
                let operand = self.int(operand, env)?;
                Value::Int(match op {
                    ValueUnary::Plus => operand,
                    ValueUnary::Minus => operand.wrapping_neg(),
                    ValueUnary::Not => i32::from(operand == 0),
                })
            }
            ValueExprKind::Binary(op, left, right) => self.binary(*op, left, right, env)?,
        })
    }

    /// The value of an expression that must be a number.
    pub fn int(&self, expr: &ValueExpr, env: &Env) -> Result<i32, Fault> {
        match self.value(expr, env)? {
            Value::Int(number) => Ok(number),
            Value::Label(label) => {
                let message = format!("a number is needed here, not the action `{label}`");
                Err(fault(Code::Kind, expr.span, message))
            }
        }
    }

    /// Whether a condition holds.
    pub fn holds(&self, condition: &ValueExpr, env: &Env) -> Result<bool, Fault> {
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
            let mut fault = undefined("constant or parameter", &name.text, name.span, known);
            fault.hint.get_or_insert_with(|| format!("define it: `const {} = 3`", name.text));
            fault
        })
    }

    fn binary(
        &self,
        op: ValueBinary,
        left: &ValueExpr,
        right: &ValueExpr,
        env: &Env,
    ) -> Result<Value, Fault> {
        if matches!(op, ValueBinary::Eq | ValueBinary::Ne) {
            let equal = self.value(left, env)? == self.value(right, env)?;
            return Ok(Value::Int(i32::from(equal == (op == ValueBinary::Eq))));
        }
        let (a, b) = (self.int(left, env)?, self.int(right, env)?);
        if matches!(op, ValueBinary::Div | ValueBinary::Rem) && b == 0 {
            return Err(fault(Code::Value, right.span, "division by zero"));
        }
        let shift = (b & 31) as u32;
        Ok(Value::Int(match op {
            ValueBinary::Or => i32::from(a != 0 || b != 0),
            ValueBinary::And => i32::from(a != 0 && b != 0),
            ValueBinary::BitOr => a | b,
            ValueBinary::BitXor => a ^ b,
            ValueBinary::BitAnd => a & b,
            ValueBinary::Eq | ValueBinary::Ne => 0,
            ValueBinary::Lt => i32::from(a < b),
            ValueBinary::Le => i32::from(a <= b),
            ValueBinary::Gt => i32::from(a > b),
            ValueBinary::Ge => i32::from(a >= b),
            ValueBinary::Shl => a.wrapping_shl(shift),
            ValueBinary::Shr => a.wrapping_shr(shift),
            ValueBinary::Add => a.wrapping_add(b),
            ValueBinary::Sub => a.wrapping_sub(b),
            ValueBinary::Mul => a.wrapping_mul(b),
            ValueBinary::Div => a.wrapping_div(b),
            ValueBinary::Rem => a.wrapping_rem(b),
        }))
    }

    /// The values of arguments.
    pub fn values(&self, args: &[ValueExpr], env: &Env) -> Result<Rc<[Value]>, Fault> {
        args.iter().map(|arg| self.value(arg, env)).collect()
    }
}
