//! A component's half of a step.
//!
//! The reference semantics runs on this memory as it does on a whole state. What the component owns
//! is read and written directly. Anything else is looked up among the exchanges of the step so far.
//! If the reply is not there, there is a *gap*: the step stops, and is run again when the reply is
//! known.

use crate::cut::{Cut, PartId};
use crate::step::request::{Exchange, ExchangeLog, Reply, Request};
use resy_index::Id;
use resy_system::{Offer, Value, ViolationKind};
use std::cell::RefCell;
use std::rc::Rc;

/// The state of a step as far as its driver knows it.
#[derive(Clone)]
pub struct Half<'a> {
    pub(crate) cut: &'a Cut<'a>,
    pub(crate) part: PartId,
    /// The local state of the driver.
    pub local: Rc<Vec<i32>>,
    log: RefCell<Rc<ExchangeLog>>,
    /// The exchanges of an earlier attempt at this step, which are replayed.
    script: Rc<[Rc<Exchange>]>,
    /// The process that was created last in this step, and the number of its channels so far.
    pub(crate) born: Option<(usize, usize)>,
    /// Shared by all copies: a gap in one stops them all.
    gap: Rc<RefCell<Option<Gap>>>,
}

/// The request at which a step has stopped.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The component to ask.
    pub part: PartId,
    /// The request.
    pub request: Request,
    /// The exchanges before it.
    pub log: Rc<ExchangeLog>,
}

impl Gap {
    /// The exchanges of the next attempt, with this reply at the end.
    pub fn answered(&self, reply: Reply) -> ExchangeLog {
        let mut script = ExchangeLog::clone(&self.log);
        let (part, request) = (self.part, self.request.clone());
        script.push(Rc::new(Exchange::new(part, request, reply)));
        script
    }
}

impl<'a> Half<'a> {
    /// The half of a component in a local state, after the exchanges of `log`.
    pub fn new(cut: &'a Cut<'a>, part: PartId, local: &[i32], log: ExchangeLog) -> Self {
        let (local, log) = (Rc::new(local.to_vec()), RefCell::new(Rc::new(log)));
        Self { cut, part, local, log, script: Rc::from([]), born: None, gap: Rc::default() }
    }

    /// A half without a component: it knows the constants only.
    pub fn knowing_constants(cut: &'a Cut<'a>) -> Self {
        Self::new(cut, PartId::from_index(u32::MAX as usize), &[], Vec::new())
    }

    /// The same half, with the exchanges that come next.
    pub fn with_script(&self, script: ExchangeLog) -> Self {
        Self { script: script.into(), gap: Rc::default(), ..self.clone() }
    }

    /// The same half in another local state.
    pub fn with_local(&self, local: &[i32]) -> Self {
        Self { local: Rc::new(local.to_vec()), ..self.clone() }
    }

    /// The cut.
    pub fn cut(&self) -> &'a Cut<'a> {
        self.cut
    }

    /// Whether a channel is split into pieces.
    pub(crate) fn is_ring(&self, chan: usize) -> bool {
        self.cut.channels[chan].ring.is_some()
    }

    /// The component.
    pub fn part(&self) -> PartId {
        self.part
    }

    /// The exchanges so far.
    pub fn log(&self) -> Rc<ExchangeLog> {
        self.log.borrow().clone()
    }

    /// Adds an exchange.
    pub fn record(&self, part: PartId, request: Request, reply: Reply) {
        Rc::make_mut(&mut self.log.borrow_mut()).push(Rc::new(Exchange::new(part, request, reply)));
    }

    /// Takes the gap, if there is one.
    pub fn take_gap(&self) -> Option<Gap> {
        self.gap.take()
    }

    /// The reply of a component to a request that changes nothing.
    fn ask(&self, part: PartId, request: Request) -> Value<Reply> {
        if part == self.part {
            return Ok(self.cut.read(part, &self.local, &request));
        }
        let mut log = self.log.borrow_mut();
        let mut since_write =
            log.iter().rev().filter(|e| e.part == part).take_while(|e| !e.request.writes());
        if let Some(known) = since_write.find(|e| e.request == request) {
            return Ok(known.reply.clone());
        }
        if let Some(next) = self.script.get(log.len()) {
            debug_assert_eq!((next.part, &next.request), (part, &request));
            Rc::make_mut(&mut log).push(next.clone());
            return Ok(next.reply.clone());
        }
        let gap = Gap { part, request, log: log.clone() };
        self.gap.borrow_mut().get_or_insert(gap);
        Err(ViolationKind::Unanswered)
    }

    pub(crate) fn ask_bool(&self, part: PartId, request: Request) -> Value<bool> {
        Ok(self.ask(part, request)? == Reply::Bool(true))
    }

    pub(crate) fn ask_number(&self, part: PartId, request: Request) -> Value {
        match self.ask(part, request)? {
            Reply::Number(value) => Ok(value),
            _ => Err(ViolationKind::Unanswered),
        }
    }

    pub(crate) fn ask_message(&self, part: PartId, request: Request) -> Value<Option<Vec<i32>>> {
        match self.ask(part, request)? {
            Reply::Message(message) => Ok(message),
            _ => Err(ViolationKind::Unanswered),
        }
    }

    pub(crate) fn local_mut(&mut self) -> &mut Vec<i32> {
        Rc::make_mut(&mut self.local)
    }

    /// Sends a component a request that changes it.
    pub(crate) fn tell_part(&mut self, part: PartId, request: Request) {
        if part == self.part {
            self.cut.reply(part, self.local_mut(), &request);
        } else {
            self.record(part, request, Reply::Done);
        }
    }

    pub(crate) fn is_alive(&self, pid: usize) -> Value<bool> {
        if pid >= self.cut.proctypes.len() {
            return Ok(false);
        }
        if !self.cut.can_die(pid) {
            return Ok(true);
        }
        self.ask_bool(self.cut.processes[pid], Request::Alive)
    }

    /// Whether a process is ready to accept an offer.
    pub(crate) fn is_ready(&self, pid: usize, offer: &Offer) -> Value<bool> {
        self.ask_given(pid, |known| Request::Ready(offer.clone(), known))
    }

    /// Whether a process cannot move.
    pub(crate) fn is_stuck(&self, pid: usize) -> Value<bool> {
        self.ask_given(pid, Request::Stuck)
    }

    /// The reply of a process that may depend on other components: this driver asks them.
    fn ask_given(&self, pid: usize, request: impl Fn(ExchangeLog) -> Request) -> Value<bool> {
        let mut known = Vec::new();
        loop {
            match self.ask(self.cut.processes[pid], request(known.clone()))? {
                Reply::Depends(part, request) => {
                    let reply = self.ask(part, (*request).clone())?;
                    known.push(Rc::new(Exchange::new(part, *request, reply)));
                }
                reply => return Ok(reply == Reply::Bool(true)),
            }
        }
    }
}
