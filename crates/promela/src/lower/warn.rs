//! Warnings about unused declarations.

use super::Lowerer;
use super::flow::Destination;
use super::symbols::Kind;
use crate::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Lowerer<'_> {
    pub(super) fn warn_unused(&mut self) {
        if self.diags.has_errors() {
            return;
        }
        for symbol in self.symbols.table.iter() {
            if matches!(symbol.kind, Kind::Variable(_)) && !symbol.read && !symbol.written {
                let message = format!("variable `{}` is never used", symbol.name);
                self.diags.push(Diagnostic::new(Code::UnusedVariable, symbol.span, message));
            }
        }
        let mut used: FxHashSet<(usize, Rc<str>)> = self
            .jumps
            .iter()
            .map(|(body, symbol, _)| (*body, self.symbols.table[*symbol].name.clone()))
            .collect();
        for (proctype, label) in &self.remote_labels {
            used.extend(self.context_of.get(proctype).map(|&c| (c as usize, label.clone())));
        }
        let mut found = Vec::new();
        for (body, entry) in self.flows.iter().enumerate() {
            for label in &entry.flow.labels {
                let Destination::Label(id) = label.destination else { continue };
                let symbol = &self.symbols.table[id];
                let means = entry.flow.meaningful.contains(&id);
                if !means && !used.contains(&(body, symbol.name.clone())) {
                    found.push((symbol.span, symbol.name.clone()));
                }
            }
        }
        for (span, name) in found {
            let message = format!("label `{name}` is never used");
            self.diags.push(Diagnostic::new(Code::UnusedLabel, span, message));
        }
    }
}
