//! The dataflow: packets from every worker to every worker, in rounds.
//!
//! A round is a timestamp. A worker sends packets and then closes the round; timely's frontier shows when
//! all have closed it and every packet has arrived. A faster worker may be one round ahead: its packets
//! wait.

use crate::search::workers::messages::packet::{ByAddressee, Packet};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;
use timely::container::NoopBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::{Input, Operator};
use timely::worker::Worker;

/// One worker's endpoint of the dataflow.
pub struct Mailbox<'a> {
    worker: &'a mut Worker,
    input: InputHandle<u64, NoopBuilder<Packet>>,
    inbox: Rc<RefCell<VecDeque<(u64, Packet)>>>,
    /// The first round in which packets may still arrive; `None` at the end.
    open: Rc<Cell<Option<u64>>>,
    round: u64,
}

impl<'a> Mailbox<'a> {
    /// Sets up the dataflow.
    pub fn new(worker: &'a mut Worker) -> Self {
        let inbox = Rc::new(RefCell::new(VecDeque::new()));
        let open = Rc::new(Cell::new(Some(0)));
        let (into, frontier_into) = (Rc::clone(&inbox), Rc::clone(&open));
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, stream) = scope.new_input_with_builder::<NoopBuilder<Packet>>();
            let pact = DistributorPact(|_| ByAddressee);
            stream.sink(pact, "mail", move |(parcels, frontier)| {
                parcels.for_each(|time, parcel| {
                    into.borrow_mut().push_back((*time.time(), std::mem::take(parcel)));
                });
                frontier_into.set(frontier.frontier().first().copied());
            });
            input
        });
        Self { worker, input, inbox, open, round: 0 }
    }

    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.worker.index()
    }

    /// The number of all workers.
    pub fn n_workers(&self) -> usize {
        self.worker.peers()
    }

    /// Sends a packet in this round.
    pub fn send(&mut self, mut parcel: Packet) {
        self.input.send_batch(&mut parcel);
    }

    /// Lets packets flow.
    pub fn step(&mut self) {
        self.worker.step();
    }

    /// Lets packets flow, and waits a moment if there is none.
    pub fn wait(&mut self) {
        self.worker.step_or_park(Some(Duration::from_millis(20)));
    }

    /// The next packet of this round that has arrived.
    pub fn receive(&mut self) -> Option<Packet> {
        let mut inbox = self.inbox.borrow_mut();
        let ready = inbox.front().is_some_and(|&(round, _)| round == self.round);
        ready.then(|| inbox.pop_front()).flatten().map(|(_, parcel)| parcel)
    }

    /// Closes the round: this worker sends nothing more in it.
    pub fn close(&mut self) {
        self.input.advance_to(self.round + 1);
    }

    /// Whether everything sent in this round has arrived everywhere.
    pub fn is_over(&self) -> bool {
        self.open.get().is_none_or(|open| open > self.round)
    }

    /// Continues with the next round. This one must be over, and its packets received.
    pub fn next_round(&mut self) {
        self.round += 1;
    }

    /// Leaves the dataflow.
    pub fn end(self) {
        self.input.close();
    }
}
