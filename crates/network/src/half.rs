//! A component's half of a step.
//!
//! The reference semantics runs on this memory as it does on a whole state. What
//! the component owns is read and written at once. What others own is looked up
//! among the exchanges of the step so far; if it is not there, there is a *gap*: the step stops,
//! and can be run again when the reply is known.

use crate::answer::DEAD;
use crate::cut::{Cut, Home, PartId, Role};
use crate::request::{Exchange, Log, Reply, Request};
use resy_index::Id;
use resy_system::{
    BinaryOp, Cell, ChannelTypeId, Expr, Found, Interpreter, LocationId, Memory, Offer, Place,
    ProctypeId, Scope, System, Value, ViolationKind, Wish,
};
use std::cell::RefCell;
use std::rc::Rc;

/// The state of a step as its driver knows it.
#[derive(Clone)]
pub struct Half<'a> {
    cut: &'a Cut<'a>,
    part: PartId,
    /// The local state of the driver.
    pub local: Rc<Vec<i32>>,
    log: RefCell<Rc<Log>>,
    /// What is known of the exchanges of this step, from an earlier attempt at it.
    script: Rc<[Rc<Exchange>]>,
    /// Shared by all copies: whoever meets a gap stops them all.
    gap: Rc<RefCell<Option<Gap>>>,
}

/// Where a step has stopped.
#[derive(Clone, Debug)]
pub struct Gap {
    /// Who must be asked.
    pub part: PartId,
    /// What.
    pub request: Request,
    /// The exchanges before it.
    pub log: Rc<Log>,
}

impl Gap {
    /// The script of the next attempt, with the reply to what was asked.
    pub fn answered(&self, reply: Reply) -> Log {
        let mut script = Log::clone(&self.log);
        let (part, request) = (self.part, self.request.clone());
        script.push(Rc::new(Exchange::new(part, request, reply)));
        script
    }
}

impl<'a> Half<'a> {
    /// The half of a component in a local state, after some exchanges.
    pub fn new(cut: &'a Cut<'a>, part: PartId, local: &[i32], log: Log) -> Self {
        let (local, log) = (Rc::new(local.to_vec()), RefCell::new(Rc::new(log)));
        Self { cut, part, local, log, script: Rc::from([]), gap: Rc::default() }
    }

    /// Somebody who knows what never changes, and nothing else.
    pub fn knowing_constants(cut: &'a Cut<'a>) -> Self {
        Self::new(cut, PartId::from_index(u32::MAX as usize), &[], Vec::new())
    }

    /// The same, when the exchanges that come next are known.
    pub fn with_script(&self, script: Log) -> Self {
        Self { script: script.into(), gap: Rc::default(), ..self.clone() }
    }

    /// The same component in another local state, with the same exchanges.
    pub fn with_local(&self, local: &[i32]) -> Self {
        Self { local: Rc::new(local.to_vec()), ..self.clone() }
    }

    /// The cut.
    pub fn cut(&self) -> &'a Cut<'a> {
        self.cut
    }

    /// Whether a channel is in pieces.
    fn is_ring(&self, chan: usize) -> bool {
        self.cut.channels[chan].ring.is_some()
    }

    /// The component.
    pub fn part(&self) -> PartId {
        self.part
    }

    /// The exchanges so far.
    pub fn log(&self) -> Rc<Log> {
        self.log.borrow().clone()
    }

    /// Adds an exchange.
    pub fn record(&self, part: PartId, request: Request, reply: Reply) {
        Rc::make_mut(&mut self.log.borrow_mut()).push(Rc::new(Exchange::new(part, request, reply)));
    }

    /// What could not be answered, if there was something; afterwards there is not.
    pub fn take_gap(&self) -> Option<Gap> {
        self.gap.take()
    }

    /// The reply of a component to a question.
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

    fn ask_bool(&self, part: PartId, request: Request) -> Value<bool> {
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

    fn local_mut(&mut self) -> &mut Vec<i32> {
        Rc::make_mut(&mut self.local)
    }

    /// Tells a component something that changes it.
    pub(crate) fn tell_part(&mut self, part: PartId, request: Request) {
        if part == self.part {
            self.cut.reply(part, self.local_mut(), &request);
        } else {
            self.record(part, request, Reply::Done);
        }
    }

    fn is_alive(&self, pid: usize) -> Value<bool> {
        if pid >= self.cut.proctypes.len() {
            return Ok(false);
        }
        if !self.cut.can_die(pid) {
            return Ok(true);
        }
        self.ask_bool(self.cut.processes[pid], Request::Alive)
    }

    /// Whether a process stands ready for an offer. It may have to ask others for that:
    /// this process asks for it.
    fn is_ready(&self, pid: usize, offer: &Offer) -> Value<bool> {
        let mut known = Vec::new();
        loop {
            let request = Request::Ready(offer.clone(), known.clone());
            match self.ask(self.cut.processes[pid], request)? {
                Reply::Depends(part, request) => {
                    let reply = self.ask(part, (*request).clone())?;
                    known.push(Rc::new(Exchange::new(part, *request, reply)));
                }
                reply => return Ok(reply == Reply::Bool(true)),
            }
        }
    }
}

impl Memory for Half<'_> {
    fn n_processes(&self) -> Value<usize> {
        for pid in (0..self.cut.proctypes.len()).rev() {
            if self.is_alive(pid)? {
                return Ok(pid + 1);
            }
        }
        Ok(0)
    }

    fn is_youngest(&self, pid: usize) -> Value<bool> {
        // Where deaths are not told, nobody dies.
        Ok(self.cut.deaths && !self.is_alive(pid + 1)?)
    }

    fn proctype(&self, pid: usize) -> Value<Option<ProctypeId>> {
        Ok(if self.is_alive(pid)? { Some(self.cut.proctypes[pid]) } else { None })
    }

    fn location(&self, pid: usize) -> Value<LocationId> {
        let location = self.ask_number(self.cut.processes[pid], Request::Location)?;
        Ok(LocationId::from_index(location as usize))
    }

    fn test_location(&self, pid: usize, op: BinaryOp, value: i32) -> Value<bool> {
        let request = Request::TestLocation(op, value);
        self.ask_bool(self.cut.processes[pid], request)
    }

    fn priority(&self, _pid: usize) -> Value<u8> {
        // Programs with priorities are not cut.
        Ok(1)
    }

    fn first_of(&self, proctype: ProctypeId) -> Value<Option<usize>> {
        for (pid, &runs) in self.cut.proctypes.iter().enumerate() {
            if runs == proctype && self.is_alive(pid)? {
                return Ok(Some(pid));
            }
        }
        Ok(None)
    }

    fn last(&self) -> Value {
        match self.cut.last {
            Some(part) => self.ask_number(part, Request::Last),
            None => Ok(0),
        }
    }

    fn load(&self, cell: Cell) -> Value {
        match self.cut.home(cell) {
            Home::Constant(value) => Ok(value),
            Home::At(part, _) => self.ask_number(part, Request::Load(cell)),
        }
    }

    fn test(&self, cell: Cell, op: BinaryOp, value: i32) -> Value<bool> {
        match self.cut.home(cell) {
            Home::Constant(constant) => Ok(op.compares(constant, value)),
            Home::At(part, _) => self.ask_bool(part, Request::Test(cell, op, value)),
        }
    }

    fn channel_type(&self, chan: usize) -> Value<Option<ChannelTypeId>> {
        let Some(channel) = self.cut.channels.get(chan) else {
            return Ok(None);
        };
        match channel.frame {
            Some(pid) if !self.is_alive(pid)? => Ok(None),
            _ => Ok(Some(channel.ty)),
        }
    }

    fn channel_len(&self, chan: usize) -> Value<usize> {
        Ok(self.ask_number(self.cut.channels[chan].part, Request::Len(chan))? as usize)
    }

    fn test_len(&self, chan: usize, op: BinaryOp, value: i32) -> Value<bool> {
        let request = Request::TestLen(chan, op, value);
        self.ask_bool(self.cut.channels[chan].part, request)
    }

    fn message(&self, chan: usize, slot: usize) -> Value<Option<Vec<i32>>> {
        if self.is_ring(chan) {
            return self.ring_message(chan, slot);
        }
        self.ask_message(self.cut.channels[chan].part, Request::Slot(chan, slot))
    }

    fn find(&self, chan: usize, wish: &Wish) -> Value<Option<Found>> {
        if self.is_ring(chan) {
            return self.ring_find(chan, wish);
        }
        let request = Request::Find(chan, wish.clone());
        let message = self.ask_message(self.cut.channels[chan].part, request)?;
        Ok(message.map(|message| Found { slot: 0, message }))
    }

    fn is_welcome(&self, _: &Interpreter<'_>, sender: usize, offer: &Offer) -> Value<bool> {
        for &pid in self.cut.receivers[offer.chan].iter().filter(|&&pid| pid != sender) {
            if self.is_ready(pid, offer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn computes(&self, cell: Cell) -> bool {
        matches!(self.cut.home(cell), Home::At(part, _) if part != self.part)
    }

    fn compute(&mut self, cell: Cell, place: &Place, value: &Expr) -> Value<()> {
        // The place without its indices: they are this process's, and known.
        let exact = match cell {
            Cell::Global(offset) => Place::cell(Scope::Global, offset, place.cell),
            Cell::Local(_, offset) => Place::cell(Scope::Local, offset, place.cell),
        };
        let value = value.with_place(place, &exact);
        if let Home::At(part, _) = self.cut.home(cell) {
            self.tell_part(part, Request::Compute(cell, exact, value));
        }
        Ok(())
    }

    fn store(&mut self, cell: Cell, value: i32) -> Value<()> {
        // A constant is written with its value only: the cut has looked at all writes.
        if let Home::At(part, _) = self.cut.home(cell) {
            self.tell_part(part, Request::Store(cell, value));
        }
        Ok(())
    }

    fn insert(&mut self, chan: usize, message: &[i32], sorted_by: Option<&[i32]>) -> Value<()> {
        if self.is_ring(chan) {
            return self.ring_insert(chan, message, sorted_by);
        }
        let request = Request::Insert(chan, message.to_vec(), sorted_by.map(<[i32]>::to_vec));
        self.tell_part(self.cut.channels[chan].part, request);
        Ok(())
    }

    fn remove(&mut self, chan: usize, wish: Option<&Wish>, found: &Found) -> Value<()> {
        if self.is_ring(chan) {
            return self.ring_remove(chan, found.slot);
        }
        let request = match wish {
            Some(wish) => Request::Remove(chan, wish.clone()),
            None => Request::RemoveSlot(chan, found.slot),
        };
        self.tell_part(self.cut.channels[chan].part, request);
        Ok(())
    }

    fn move_to(&mut self, _pid: usize, location: LocationId) -> Value<()> {
        self.local_mut()[0] = location.index() as i32;
        Ok(())
    }

    fn set_priority(&mut self, _pid: usize, _priority: u8) -> Value<()> {
        Err(ViolationKind::Unanswered)
    }

    fn set_last(&mut self, pid: usize) -> Value<()> {
        if let Some(part) = self.cut.last {
            self.tell_part(part, Request::SetLast(pid as i32));
        }
        Ok(())
    }

    fn add_process(&mut self, _: &System, _: ProctypeId, _: u8) -> Value<usize> {
        Err(ViolationKind::TooManyProcesses)
    }

    fn add_channel(&mut self, _: &System, _: ChannelTypeId) -> Value {
        Err(ViolationKind::TooManyProcesses)
    }

    fn remove_youngest(&mut self) -> Value<()> {
        let cut = self.cut;
        let part = &cut.parts[self.part];
        self.local_mut()[0] = DEAD;
        let pid = part.process.unwrap_or_default();
        for offset in 0..cut.locals[pid].len() {
            self.store(Cell::Local(pid as u32, offset as u32), 0)?;
        }
        for (chan, channel) in cut.channels.iter().enumerate() {
            if channel.frame.is_none() || channel.frame != part.process {
                continue;
            }
            if channel.ring.is_some() {
                self.ring_clear(chan);
            } else {
                self.tell_part(channel.part, Request::Clear(chan));
            }
        }
        Ok(())
    }

    fn event(&self) -> Value<LocationId> {
        Err(ViolationKind::Unanswered)
    }

    fn set_event(&mut self, _: LocationId) -> Value<()> {
        Err(ViolationKind::Unanswered)
    }

    fn tell(&mut self, send: bool, chan: usize, message: &[i32]) -> Value<bool> {
        if let Some(part) = self.cut.trace {
            debug_assert_eq!(self.cut.parts[part].role, Role::Trace);
            self.tell_part(part, Request::Event(send, chan, message.to_vec()));
        }
        Ok(true)
    }
}
