//! `xr` and `xs`: a process claims one end of a channel for itself.
//!
//! Spin's partial order reduction relies on these claims and checks them while it searches;
//! a search without reduction ignores them. The reductions of resy do not rely on them: a broken
//! claim cannot make a verdict wrong, and is a warning if the text shows it. What `spin -a`
//! refuses is refused.

use super::Lowerer;
use super::symbols::SymbolId;
use crate::ast::VarRef;
use crate::diagnostic::{Code, Diagnostic};
use crate::print;
use crate::source::Span;

/// A channel end, as a statement or an `xr` or `xs` names it.
#[derive(Copy, Clone)]
struct End {
    channel: SymbolId,
    /// The sending end; otherwise the receiving one.
    send: bool,
    /// The unit that the reference stands in.
    context: u32,
    span: Span,
}

/// The channel ends that the program claims and uses.
#[derive(Default)]
pub(super) struct ChannelEnds {
    claims: Vec<End>,
    uses: Vec<End>,
}

impl ChannelEnds {
    /// Whether an `xr` or `xs` has been read.
    pub fn any_claimed(&self) -> bool {
        !self.claims.is_empty()
    }
}

impl Lowerer<'_> {
    /// `xr channel` or `xs channel`.
    pub(super) fn claim_end(&mut self, channel: &VarRef, send: bool) {
        let Some(target) = self.read(channel) else { return };
        let name = print::var_ref(channel);
        if !target.ty.is_chan() {
            self.error(Code::Type, channel.span, format!("`{name}` is not a channel"));
            return;
        }
        if target.whole_array.is_some() || channel.parts.iter().any(|p| p.index.is_some()) {
            let message = format!("`{name}` cannot be claimed: it is an element of an array");
            let hint = "give the element a name, as `chan c = q[0]; xr c`, and use that";
            self.diags.push(Diagnostic::new(Code::Type, channel.span, message).hint(hint));
            return;
        }
        let Some(claim) = self.channel_end(channel, send) else { return };
        let same = |other: &&End| (other.channel, other.send) == (claim.channel, send);
        let rival = self.ends.claims.iter().filter(same).find(|c| c.context != claim.context);
        if let Some(rival) = rival {
            let word = if send { "xs" } else { "xr" };
            let message = format!("two proctypes claim `{name}` with `{word}`");
            let diagnostic = Diagnostic::new(Code::Redeclared, channel.span, message)
                .related(rival.span, "the first claim");
            self.diags.push(diagnostic);
        }
        self.ends.claims.push(claim);
    }

    /// Records a send to the channel, or a receive from it.
    pub(super) fn use_end(&mut self, channel: &VarRef, send: bool) {
        self.ends.uses.extend(self.channel_end(channel, send));
    }

    fn channel_end(&self, channel: &VarRef, send: bool) -> Option<End> {
        let id = self.symbols.find(&channel.parts[0].name.text, self.context, &self.blocks)?;
        Some(End { channel: id, send, context: self.context?, span: channel.span })
    }

    /// Warns about claims that the text itself breaks.
    pub(super) fn warn_broken_claims(&mut self) {
        if self.diags.has_errors() {
            return;
        }
        let ends = std::mem::take(&mut self.ends);
        for claim in &ends.claims {
            let same = |end: &&End| (end.channel, end.send) == (claim.channel, claim.send);
            let foreign = |end: &&End| end.context != claim.context;
            let is_global = self.symbols.table[claim.channel].context.is_none();
            let other = ends.uses.iter().filter(same).find(foreign);
            let does = if claim.send { "sends on" } else { "receives from" };
            let name = &self.symbols.table[claim.channel].name;
            let broken = if let Some(other) = other {
                let message =
                    format!("`{name}` is claimed by another proctype, and this {does} it");
                Some((other.span, message))
            } else if is_global && self.n_active(claim.context) > 1 {
                let message = format!("several processes of this proctype claim `{name}`");
                Some((claim.span, message))
            } else {
                None
            };
            if let Some((span, message)) = broken {
                let diagnostic = Diagnostic::new(Code::Suspicious, span, message)
                    .related(claim.span, "the claim")
                    .hint("spin's partial order reduction reports it as an error");
                self.diags.push(diagnostic);
            }
        }
    }

    /// The number of processes of a unit that exist from the start.
    fn n_active(&self, context: u32) -> usize {
        let of_unit = |p| self.context_of.get(p) == Some(&context);
        self.system.instances.iter().filter(|i| of_unit(&i.proctype)).count()
    }
}
