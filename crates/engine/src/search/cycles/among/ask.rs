//! The depth-first search lets the hosts go on: they are met at the first time, and left once they have answered.

use super::super::turns::{Answer, Company, HowFar};
use super::super::{Couvreur, Stopped};
use super::{HostExplorers, exclude_cycles};
use crate::search::workers::Apart;
use crate::search::workers::exchange::Exchange;

impl<'a> Couvreur<'a> {
    /// Lets the hosts go on until they have visited enough states.
    pub(in super::super) fn ask_hosts(&mut self, enough: usize) -> Result<Answer, Stopped> {
        let own_memory = self.memory();
        let Some(mut hosts) = self.hosts()? else { return Ok(Answer::Never) };
        let look = &mut |extent| self.look_at(extent, own_memory);
        let answer = match hosts.explore(enough, look) {
            Ok(HowFar::All) => exclude_cycles(&mut hosts, look).map(|excluded| {
                if excluded { Answer::NoCycle(hosts.extent()) } else { Answer::Never }
            }),
            Ok(HowFar::Enough) => Ok(Answer::Later),
            Ok(HowFar::Abandoned) => Ok(Answer::Never),
            Err(stopped) => Err(stopped),
        };
        self.among = Some(hosts);
        match answer {
            Ok(Answer::Later) => {}
            _ => self.take_leave(answer.is_ok()),
        }
        answer
    }

    /// The other hosts, which are met at the first time.
    fn hosts(&mut self) -> Result<Option<HostExplorers<'a>>, Stopped> {
        if let Some(hosts) = self.among.take() {
            return Ok(Some(hosts));
        }
        let Some(Company { workers, hosts, note }) = &self.company else { return Ok(None) };
        let fairness = self.condition.fairness;
        let purpose = format!("cycles {fairness} {:?}", self.claim);
        let exchange = Exchange::meet(self.task, workers, hosts, &purpose, note);
        let exchange = exchange.map_err(|apart| {
            note(&apart.to_string());
            match apart {
                Apart::Interrupted => Stopped::Interrupt,
                Apart::Gone(_) => Stopped::HostLost,
                Apart::Deaf(..) | Apart::Absent(_) | Apart::Different(_) => Stopped::HostAbsent,
            }
        })?;
        match HostExplorers::new(self.task, self.claim, fairness, exchange) {
            Ok(hosts) => Ok(Some(hosts)),
            Err(exchange) => {
                exchange.end(false);
                Ok(None)
            }
        }
    }
}
