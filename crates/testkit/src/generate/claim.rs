//! never, ltl, trace and notrace blocks. Claims are compiled out of the counted
//! run but must be read; trace blocks take part in it.

use super::builder::Builder;
use super::feature::Feature;
use super::print::expression_text;
use super::scope::Channel;
use super::tree::Claim;

impl Builder {
    /// The blocks at the end of a program.
    pub fn claims(&mut self) {
        if self.has(Feature::Claim) {
            let claim = if self.rng.chance(50) { self.never() } else { self.ltl() };
            self.program.claims.push(claim);
        }
        if self.has(Feature::Trace) {
            let trace = self.trace();
            self.program.claims.extend(trace);
        }
    }

    fn never(&mut self) -> Claim {
        let condition = self.global_condition();
        let special = self.rng.one_of(["np_", "true", "_nr_pr > 0"]);
        let text = format!(
            "never {{\n  do\n  :: {special}\n  :: {condition} -> break\n  od;\n\
             accept_all:\n  do\n  :: {condition}\n  od\n}}"
        );
        Claim { keyword: "never", text }
    }

    fn ltl(&mut self) -> Claim {
        let (p, q) = (self.global_condition(), self.global_condition());
        let formula = match self.rng.below(4) {
            0 => format!("[] ({p})"),
            1 => format!("[] (({p}) -> <> ({q}))"),
            2 => format!("({p}) U ({q})"),
            _ => format!("always ({p}) || eventually ({q})"),
        };
        Claim { keyword: "ltl", text: format!("ltl property {{ {formula} }}") }
    }

    /// Only globals are in scope at the end; a comparison of two of them.
    fn global_condition(&mut self) -> String {
        let left = self.number(0).0;
        let left = expression_text(&left).replace("_pid", "_nr_pr");
        let op = self.rng.one_of(["==", "!=", "<", ">"]);
        format!("({left} {op} {})", self.rng.range(0, 2))
    }

    fn trace(&mut self) -> Option<Claim> {
        let plain = |c: &Channel| c.global && c.path.iter().all(|(_, n)| n.is_none());
        let channel = self.channel_where(plain)?;
        let name = &channel.path[0].0;
        let any = vec!["_"; channel.fields.len()].join(",");
        let body = match self.rng.below(3) {
            0 => format!("do\n  :: {name}!{any}; {name}?{any}\n  od"),
            1 => format!("do\n  :: {name}!{any}\n  :: {name}?{any}\n  od"),
            _ => format!("{name}!{any}; {name}!{any}; {name}?{any}"),
        };
        let keyword = self.rng.one_of(["trace", "trace", "notrace"]);
        Some(Claim { keyword, text: format!("{keyword} {{\n  {body}\n}}") })
    }
}
