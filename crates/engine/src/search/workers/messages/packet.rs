//! Packets: bytes with an addressee.
//!
//! A packet is a container of the dataflow with one record. Between processes it is sent as it is.

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// The contents of a packet.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum PacketKind {
    /// A [series](super::series) of vectors.
    #[default]
    States,
    /// The report of a worker at the end of a round.
    Report,
    /// A request to stop: the number of the reason.
    Stop,
    /// A request to end the round early in order to save.
    Pause,
    /// Vectors, each preceded by its length, of which the sender asks whether they are expanded later than the state it reduces.
    Questions,
    /// The answers to questions.
    Answers,
    /// The sender has no more questions in this round.
    Content,
}

/// Bytes for a worker. A packet without bytes is empty and is not sent.
#[derive(Clone, Debug, Default)]
pub struct Packet {
    /// The addressee.
    pub to: usize,
    /// The kind of contents.
    pub kind: PacketKind,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The round in which it is sent.
    pub round: u64,
}

impl Packet {
    /// Bytes of a kind for a worker.
    pub fn new(to: usize, kind: PacketKind, bytes: Vec<u8>) -> Self {
        Self { to, kind, bytes, round: 0 }
    }
}

/// Appends a vector, preceded by its length.
pub fn pack(bytes: &mut Vec<u8>, vector: &[u8]) {
    bytes.extend_from_slice(&(vector.len() as u32).to_le_bytes());
    bytes.extend_from_slice(vector);
}

/// Removes the first vector; `None` at the end.
pub fn unpack<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (vector, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *bytes = rest;
    Some(vector)
}

impl Accountable for Packet {
    fn record_count(&self) -> i64 {
        i64::from(!self.bytes.is_empty())
    }
}

/// The length of the header of a packet between processes: addressee, kind, number of bytes, round.
const HEAD: usize = 32;

impl ContainerBytes for Packet {
    fn from_bytes(bytes: Bytes) -> Self {
        let word = |i: usize| {
            let word = bytes[8 * i..].first_chunk::<8>().copied();
            u64::from_le_bytes(word.expect("a parcel has a head")) as usize
        };
        let kind = match word(1) {
            0 => PacketKind::States,
            1 => PacketKind::Report,
            2 => PacketKind::Stop,
            3 => PacketKind::Pause,
            4 => PacketKind::Questions,
            5 => PacketKind::Answers,
            6 => PacketKind::Content,
            unknown => panic!("no parcel is of kind {unknown}"),
        };
        let content = bytes[HEAD..HEAD + word(2)].to_vec();
        Packet { round: word(3) as u64, ..Packet::new(word(0), kind, content) }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.bytes.len().next_multiple_of(8)
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let padding = self.bytes.len().next_multiple_of(8) - self.bytes.len();
        let head = [self.to as u64, self.kind as u64, self.bytes.len() as u64, self.round];
        let written = head
            .iter()
            .try_for_each(|word| writer.write_all(&word.to_le_bytes()))
            .and_then(|()| writer.write_all(&self.bytes))
            .and_then(|()| writer.write_all(&[0; 8][..padding]));
        written.expect("timely gives as much room as was asked for");
    }
}

/// Delivers each packet to its addressee.
pub struct ByAddressee;

impl Distributor<Packet> for ByAddressee {
    fn partition<T: Clone, P: Push<Message<T, Packet>>>(
        &mut self,
        parcel: &mut Packet,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = parcel.to;
        Message::push_at(parcel, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Packet>>>(&mut self, _: &T, _: &mut [P]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_out_as_they_went_in() {
        let mut bytes = Vec::new();
        let vectors: [&[u8]; 3] = [b"abc", b"", b"defg"];
        vectors.iter().for_each(|v| pack(&mut bytes, v));
        let mut rest = bytes.as_slice();
        let out: Vec<&[u8]> = std::iter::from_fn(|| unpack(&mut rest)).collect();
        assert_eq!(out, vectors);
    }
}
