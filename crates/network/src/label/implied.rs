//! Tests that a label need not mention, because another test of the same value says as much.

use crate::step::request::{Exchange, Reply, Request};
use resy_system::{BinaryOp, Cell};
use std::rc::Rc;

/// What a test found out about a cell: how its value compares to a number.
type Fact = (BinaryOp, i64);

/// Whether another exchange with the same value of the cell implies what this test found out.
pub(super) fn is_implied(log: &[Rc<Exchange>], at: usize) -> bool {
    let Some((cell, said)) = found_out(&log[at]) else { return false };
    let of_value = |exchange: &&Rc<Exchange>| !changes(exchange, cell);
    let before = log[..at].iter().rev().take_while(of_value);
    let after = log[at + 1..].iter().take_while(of_value);
    let known = |exchange: &Rc<Exchange>| {
        found_out(exchange).filter(|known| known.0 == cell).map(|known| known.1)
    };
    // Of two that say the same, the first is mentioned.
    before.filter_map(known).any(|known| implies(known, said))
        || after.filter_map(known).any(|known| implies(known, said) && !implies(said, known))
}

fn found_out(exchange: &Exchange) -> Option<(Cell, Fact)> {
    match (&exchange.request, &exchange.reply) {
        (Request::Load(cell), Reply::Number(value)) => {
            Some((*cell, (BinaryOp::Eq, (*value).into())))
        }
        (Request::Test(cell, op, value), Reply::Bool(yes)) => {
            let op = if *yes { *op } else { op.negated() };
            Some((*cell, (op, (*value).into())))
        }
        _ => None,
    }
}

fn changes(exchange: &Exchange, cell: Cell) -> bool {
    matches!(&exchange.request, Request::Store(c, _) | Request::Compute(c, ..) if *c == cell)
}

/// Whether every number of which the first is true has the second property.
fn implies(known: Fact, said: Fact) -> bool {
    match (closed(known), closed(said)) {
        ((BinaryOp::Eq, a), (op, b)) => match op {
            BinaryOp::Eq => a == b,
            BinaryOp::Ne => a != b,
            BinaryOp::Le => a <= b,
            BinaryOp::Ge => a >= b,
            _ => false,
        },
        ((BinaryOp::Le, a), (BinaryOp::Le, b)) => a <= b,
        ((BinaryOp::Le, a), (BinaryOp::Ne, b)) => a < b,
        ((BinaryOp::Ge, a), (BinaryOp::Ge, b)) => a >= b,
        ((BinaryOp::Ge, a), (BinaryOp::Ne, b)) => a > b,
        (known, said) => known == said,
    }
}

/// A comparison without `<` and `>`.
fn closed((op, value): Fact) -> Fact {
    match op {
        BinaryOp::Lt => (BinaryOp::Le, value - 1),
        BinaryOp::Gt => (BinaryOp::Ge, value + 1),
        _ => (op, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(value: i64, (op, number): Fact) -> bool {
        match op {
            BinaryOp::Lt => value < number,
            BinaryOp::Le => value <= number,
            BinaryOp::Gt => value > number,
            BinaryOp::Ge => value >= number,
            BinaryOp::Eq => value == number,
            _ => value != number,
        }
    }

    #[test]
    fn implication_is_inclusion() {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let facts =
            || [Lt, Le, Gt, Ge, Eq, Ne].into_iter().flat_map(|op| (0..5).map(move |n| (op, n)));
        for (known, said) in facts().flat_map(|known| facts().map(move |said| (known, said))) {
            let included = (-3..8).all(|value| !holds(value, known) || holds(value, said));
            assert_eq!(implies(known, said), included, "{known:?} {said:?}");
        }
    }
}
