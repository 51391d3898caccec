//! The dataflow: packets from every worker to every worker, in rounds.
//!
//! The last packet that a worker sends in a round is its report. Packets from one worker arrive in their order: a round is
//! over when the reports of all are there, and nothing of it can follow. A faster worker may be one round ahead: its
//! packets wait.
//!
//! Rounds are not timestamps. Timely would tell all workers of every packet that is received, since it might have been the
//! last with its timestamp, which costs more than the packets where levels are narrow. All packets have one timestamp
//! instead, and a worker keeps the right to an earlier one as long as it searches, so that there is nothing to tell.

use crate::search::workers::messages::packet::{ByAddressee, Packet, PacketKind};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::core::{UnorderedHandle, UnorderedInput};
use timely::dataflow::operators::{ActivateCapability, Operator};
use timely::worker::Worker;

/// The timestamp of packets, which follows the one that a worker keeps.
const PACKETS: u64 = 1;

/// One worker's endpoint of the dataflow.
pub struct Mailbox<'a> {
    worker: &'a mut Worker,
    input: UnorderedHandle<u64, NoopBuilder<Packet>>,
    /// The rights to send packets, and to the earlier timestamp.
    may_send: ActivateCapability<u64>,
    earlier: ActivateCapability<u64>,
    inbox: Rc<RefCell<VecDeque<Packet>>>,
    /// What has arrived in this round and in the next one.
    now: VecDeque<Packet>,
    later: VecDeque<Packet>,
    round: u64,
    /// The number of reports of this round that were received.
    n_reports: usize,
}

impl<'a> Mailbox<'a> {
    /// Sets up the dataflow.
    pub fn new(worker: &'a mut Worker) -> Self {
        let inbox = Rc::new(RefCell::new(VecDeque::new()));
        let into = Rc::clone(&inbox);
        let (input, earlier) = worker.dataflow::<u64, _, _>(|scope| {
            let (input, stream) = scope.new_unordered_input::<NoopBuilder<Packet>>();
            let pact = DistributorPact(|_| ByAddressee);
            stream.sink(pact, "mail", move |(parcels, _)| {
                parcels.for_each(|_, parcel| {
                    into.borrow_mut().push_back(std::mem::take(parcel));
                });
            });
            input
        });
        let may_send = earlier.delayed(&PACKETS);
        let (now, later) = (VecDeque::new(), VecDeque::new());
        Self { worker, input, may_send, earlier, inbox, now, later, round: 0, n_reports: 0 }
    }

    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.worker.index()
    }

    /// The number of all workers.
    pub fn n_workers(&self) -> usize {
        self.worker.peers()
    }

    /// Sends a packet in this round; nothing follows a report.
    pub fn send(&mut self, mut parcel: Packet) {
        parcel.round = self.round;
        self.input.activate().session_with_builder(&self.may_send).give_container(&mut parcel);
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
        for packet in self.inbox.borrow_mut().drain(..) {
            let is_later = packet.round > self.round;
            if is_later { &mut self.later } else { &mut self.now }.push_back(packet);
        }
        let packet = self.now.pop_front()?;
        self.n_reports += usize::from(packet.kind == PacketKind::Report);
        Some(packet)
    }

    /// Whether everything sent to this worker in this round was received.
    pub fn is_over(&self) -> bool {
        self.n_reports == self.n_workers()
    }

    /// Continues with the next round. This one must be over.
    pub fn next_round(&mut self) {
        debug_assert!(self.is_over() && self.now.is_empty(), "a report is the last packet");
        self.round += 1;
        self.n_reports = 0;
        std::mem::swap(&mut self.now, &mut self.later);
    }

    /// Leaves the dataflow.
    pub fn end(self) {
        drop((self.may_send, self.earlier));
    }
}
