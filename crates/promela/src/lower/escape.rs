//! `unless`: which escapes are possible at which elements.

use super::flow::{ElementId, Flow, Kind, SequenceId};

impl Flow {
    /// Makes `escape` possible at every element of `main`.
    pub(super) fn attach_escape(&mut self, main: SequenceId, escape: SequenceId) {
        let extent = self.sequences[main].extent;
        let mut at = self.sequences[main].first;
        while let Some(element) = at {
            self.escape_element(element, escape);
            if Some(element) == extent {
                break;
            }
            at = self.elements[element].next;
        }
    }

    fn escape_element(&mut self, element: ElementId, escape: SequenceId) {
        let inner = self.elements[element].escapes.clone();
        if inner.contains(&escape) {
            return;
        }
        // The inner escapes can be escaped from in turn.
        inner.into_iter().for_each(|s| self.attach_escape(s, escape));
        self.elements[element].escapes.insert(0, escape);
        match self.elements[element].kind.clone() {
            Kind::Unless(main, _) => self.attach_escape(main, escape),
            Kind::If(options) | Kind::Do(options) => {
                options.into_iter().for_each(|option| self.attach_escape(option, escape));
            }
            Kind::DStep(body) => {
                if let Some(first) = self.sequences[body].first {
                    self.escape_element(first, escape);
                }
            }
            Kind::Atomic(body) | Kind::Block(body) => self.attach_escape(body, escape),
            _ => {}
        }
    }
}
