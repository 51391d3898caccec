//! `atomic` and `d_step`: which elements keep control.

use super::flow::{Destination, ElementId, Flow, Kind, SequenceId};

impl Flow {
    /// Marks the elements of a sequence as atomic, all but the last one.
    pub(super) fn make_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        let Some(last) = self.sequences[sequence].last else { return };
        self.mark_atomic(sequence, d_step);
        match self.elements[last].kind {
            Kind::Block(inner) | Kind::Atomic(inner) => self.make_atomic(inner, d_step),
            Kind::Unless(main, _) => self.make_atomic(main, d_step),
            _ => {
                let element = &mut self.elements[last];
                element.atomic = false;
                element.last_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, sequence: SequenceId, d_step: bool) {
        let last = self.sequences[sequence].last;
        let mut at = self.sequences[sequence].first;
        while let Some(element) = at {
            self.mark_element(element, d_step);
            if Some(element) == last {
                break;
            }
            at = self.elements[element].next;
        }
    }

    fn mark_element(&mut self, id: ElementId, d_step: bool) {
        let element = &mut self.elements[id];
        element.atomic = true;
        element.in_d_step |= d_step;
        // An `atomic` inside is a plain block; so is a `d_step` inside a `d_step`.
        if let Kind::Atomic(body) = element.kind {
            element.kind = Kind::Block(body);
        }
        if let Kind::DStep(body) = element.kind
            && d_step
        {
            element.kind = Kind::Block(body);
        }
        match element.kind.clone() {
            Kind::Block(body) => self.mark_atomic(body, d_step),
            Kind::If(options) | Kind::Do(options) => {
                options.into_iter().for_each(|option| self.mark_atomic(option, d_step));
            }
            Kind::Unless(main, escape) => {
                self.mark_atomic(main, d_step);
                self.mark_atomic(escape, d_step);
            }
            _ => {}
        }
    }

    /// A jump out of an atomic sequence releases control; a jump from the end of an atomic
    /// sequence into another one keeps it.
    pub(super) fn patch_jumps(
        &mut self,
        sequence: SequenceId,
        resolve: &dyn Fn(&Flow, Destination) -> Option<ElementId>,
    ) {
        let extent = self.sequences[sequence].extent;
        let mut at = self.sequences[sequence].first;
        while let Some(id) = at {
            match self.elements[id].kind.clone() {
                Kind::Goto(destination) => {
                    if let Some(target) = resolve(self, destination) {
                        self.patch_jump(id, target);
                    }
                }
                Kind::If(options) | Kind::Do(options) => {
                    options.into_iter().for_each(|option| self.patch_jumps(option, resolve));
                }
                Kind::Unless(main, escape) => {
                    self.patch_jumps(main, resolve);
                    self.patch_jumps(escape, resolve);
                }
                _ => {}
            }
            if Some(id) == extent {
                break;
            }
            at = self.elements[id].next;
        }
    }

    fn patch_jump(&mut self, jump: ElementId, target: ElementId) {
        let target = &self.elements[target];
        let target_atomic = target.atomic || target.last_atomic;
        let element = &mut self.elements[jump];
        if (element.atomic || element.last_atomic) && !target_atomic {
            element.atomic = false;
            element.last_atomic = true;
        }
        if element.last_atomic && target_atomic {
            element.last_atomic = false;
            element.atomic = true;
        }
    }
}
