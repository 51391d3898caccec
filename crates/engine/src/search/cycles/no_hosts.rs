//! What stands for hosts that look for cycles in a build without the feature `hosts`: there are none.

use super::turns::{Answer, VisitedExtent};
use super::{Couvreur, Stopped};
use std::convert::Infallible;
use std::marker::PhantomData;

/// The hosts: there are none.
pub(super) struct HostExplorers<'a>(Infallible, PhantomData<&'a ()>);

impl HostExplorers<'_> {
    /// What they have visited.
    pub fn extent(&self) -> VisitedExtent {
        match self.0 {}
    }

    /// Closes the connections.
    pub fn end(self, _: bool) {
        match self.0 {}
    }
}

impl Couvreur<'_> {
    /// Nobody can be asked.
    pub(super) fn ask_hosts(&mut self, _: usize) -> Result<Answer, Stopped> {
        Ok(Answer::Never)
    }
}
