//! Where the ids of a state are in its vector.
//!
//! All ids of all sorts have numbers, the *members*. A *site* is a field of the vector that a permutation of members moves
//! or changes: an element of an array at an index that is a member, a field of a process that belongs to a member, or a
//! field whose value is a member. Sites that differ in their members only have the same *tag*.

use crate::vector::{Layout, Shape, VectorField};
use resy_index::{Id, IndexVec};
use resy_passes::{FrameRoles, OwnerKey, SortId, Symmetry, ValueRole};
use resy_system::ProctypeId;
use std::collections::BTreeMap;

/// The number of an id, among those of all sorts.
pub(super) type Member = u16;

/// A site belongs to at most this many members.
const MOST_MEMBERS: usize = 3;

/// No such site.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The members of a symmetry: the same for all vectors.
#[derive(Clone, Debug)]
pub(super) struct Members {
    /// For every value below the bound of a sort its number.
    numbers: IndexVec<SortId, Vec<Option<Member>>>,
    /// The value of each.
    pub values: Vec<i32>,
}

impl Members {
    pub fn of(symmetry: &Symmetry) -> Self {
        let mut values = Vec::new();
        let number = |sort: &resy_passes::IdSort| {
            (0..sort.bound)
                .map(|value| {
                    sort.has(value).then(|| {
                        values.push(value);
                        (values.len() - 1) as Member
                    })
                })
                .collect()
        };
        let numbers = IndexVec::from_vec(symmetry.sorts.iter().map(number).collect());
        Self { numbers, values }
    }

    pub fn number(&self, sort: SortId, value: i32) -> Option<Member> {
        *self.numbers[sort].get(usize::try_from(value).ok()?)?
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }
}

/// When the value of a site is what its role says; otherwise it is a plain number.
#[derive(Copy, Clone, Debug)]
pub(super) enum Condition {
    Always,
    /// The channel whose length is here has more messages than this.
    Message {
        length: u32,
        slot: i32,
    },
    /// The cell is not dead at the location that is noted here.
    Alive {
        location: u32,
        proctype: ProctypeId,
        cell: u32,
    },
}

/// A field that is moved or changed.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub tag: u32,
    pub members: Vec<Member>,
    pub at: VectorField,
    pub role: ValueRole,
    pub condition: Condition,
}

/// A channel, as a value: its tag and members.
#[derive(Clone, Debug)]
pub(super) struct ChannelSite {
    pub tag: u32,
    pub members: Vec<Member>,
}

/// Bytes that belong to one member, and nothing else is known of them.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    /// The first byte, by member.
    pub at: Vec<u32>,
    pub len: u32,
}

/// Interchangeable members: the first takes the first position, which is that of its oldest process.
pub(super) type Block = Vec<Member>;

/// The sites of the vectors of one shape, whose processes have these ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub blocks: Vec<Block>,
    pub bytes: Vec<Bytes>,
    pub sites: Vec<Site>,
    /// For each tag, the offset of the site of each list of members.
    pub offsets: Vec<Vec<u32>>,
    /// The channels, by number less one.
    pub channels: Vec<ChannelSite>,
    /// For each tag of channels, the number of the channel of each list of members.
    pub numbers: Vec<Vec<u32>>,
    /// The processes of each member.
    pub slots: Vec<Vec<usize>>,
}

/// The position of a list of members in the table of a tag.
pub(super) fn position(members: &[Member], n: usize) -> usize {
    members.iter().fold(0, |position, &member| position * n + usize::from(member))
}

/// The variables of a shape that show the ids of its processes.
pub(super) fn key_fields(symmetry: &Symmetry, layout: &Layout, shape: &Shape) -> Vec<VectorField> {
    let mut fields = Vec::new();
    for (&proctype, &at) in shape.proctypes.iter().zip(&shape.processes) {
        if let Some((_, OwnerKey::Cell(cell))) = owner_key(symmetry, proctype) {
            let field = layout.proctypes[proctype].cells[cell as usize];
            fields.push(VectorField { offset: at + field.offset, width: field.width });
        }
    }
    fields
}

fn owner_key(symmetry: &Symmetry, proctype: ProctypeId) -> Option<(SortId, OwnerKey)> {
    symmetry.sorts.iter_enumerated().find_map(|(id, sort)| {
        let (_, key) = sort.owners.iter().find(|(owner, _)| *owner == proctype)?;
        Some((id, *key))
    })
}

/// Where a site is, apart from the members: the frame, the cell, the indices that are members, and what of it.
type Key = (Home, u32, u32, u32);

/// The frame of a site.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Home {
    Globals,
    /// Of a process that belongs to a member.
    Owned(ProctypeId),
    /// Of the process with this pid.
    Slot(usize),
}

/// Beyond the cells of a frame: the location of the process.
const LOCATION: u32 = u32::MAX;

struct Builder<'a> {
    symmetry: &'a Symmetry,
    layout: &'a Layout,
    members: &'a Members,
    plan: Plan,
    tags: BTreeMap<Key, (u32, usize)>,
    channel_tags: BTreeMap<Key, (u32, usize)>,
    is_too_deep: bool,
}

/// A frame in a vector.
#[derive(Copy, Clone)]
struct FrameAt<'a> {
    roles: &'a FrameRoles,
    fields: &'a [VectorField],
    at: u32,
    home: Home,
    owner: Option<Member>,
    /// The location and the proctype of a process.
    process: Option<(u32, ProctypeId)>,
    /// The cell that shows the id of the process.
    key: Option<u32>,
}

/// The plan of a shape whose processes have these keys; `None` if it is too complicated.
pub(super) fn make_plan(
    symmetry: &Symmetry,
    layout: &Layout,
    members: &Members,
    shape: &Shape,
    keys: &[i32],
) -> Option<Plan> {
    let owners = owners(symmetry, members, shape, keys);
    let mut slots = vec![Vec::new(); members.len()];
    for (pid, owner) in owners.iter().enumerate() {
        owner.iter().for_each(|&member| slots[usize::from(member)].push(pid));
    }
    let plan = Plan { slots, ..Plan::default() };
    let (tags, channel_tags) = (BTreeMap::new(), BTreeMap::new());
    let mut builder =
        Builder { symmetry, layout, members, plan, tags, channel_tags, is_too_deep: false };
    builder.frames(shape, &owners);
    if builder.is_too_deep {
        return None;
    }
    builder.plan.blocks = blocks(symmetry, members, shape, &builder.plan.slots);
    Some(builder.finish())
}

/// The member that each process belongs to.
fn owners(
    symmetry: &Symmetry,
    members: &Members,
    shape: &Shape,
    keys: &[i32],
) -> Vec<Option<Member>> {
    let (mut keys, mut owners) = (keys.iter(), Vec::new());
    for (pid, &proctype) in shape.proctypes.iter().enumerate() {
        let owner = owner_key(symmetry, proctype).and_then(|(sort, key)| {
            let value = match key {
                OwnerKey::Pid(offset) => pid as i32 + offset,
                OwnerKey::Cell(_) => *keys.next()?,
            };
            members.number(sort, value)
        });
        owners.push(owner);
    }
    // Two processes with one number cannot be exchanged by their numbers.
    let is_shared = |pid: usize, owner: &Member| {
        let same = |(other, o): (usize, &Option<Member>)| {
            other != pid && *o == Some(*owner) && shape.proctypes[other] == shape.proctypes[pid]
        };
        owners.iter().enumerate().any(same)
    };
    let shared: Vec<ProctypeId> = owners
        .iter()
        .enumerate()
        .filter(|(pid, owner)| owner.as_ref().is_some_and(|owner| is_shared(*pid, owner)))
        .map(|(pid, _)| shape.proctypes[pid])
        .collect();
    let keep = |(pid, owner): (usize, Option<Member>)| {
        owner.filter(|_| !shared.contains(&shape.proctypes[pid]))
    };
    owners.into_iter().enumerate().map(keep).collect()
}

/// The members that may be exchanged: of a sort with processes those that have the same kinds of them.
fn blocks(
    symmetry: &Symmetry,
    members: &Members,
    shape: &Shape,
    slots: &[Vec<usize>],
) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (id, sort) in symmetry.sorts.iter_enumerated() {
        let all = (0..sort.bound).filter_map(|value| members.number(id, value));
        if sort.owners.is_empty() {
            blocks.push(all.collect());
            continue;
        }
        let mut alike: BTreeMap<Vec<usize>, Block> = BTreeMap::new();
        for member in all {
            let slots = &slots[usize::from(member)];
            let kinds: Vec<usize> = slots.iter().map(|&p| shape.proctypes[p].index()).collect();
            if !kinds.is_empty() {
                alike.entry(kinds).or_default().push(member);
            }
        }
        for mut block in alike.into_values() {
            block.sort_by_key(|&member| slots[usize::from(member)][0]);
            blocks.push(block);
        }
    }
    blocks.retain(|block: &Block| block.len() > 1);
    blocks
}

impl Builder<'_> {
    fn frames(&mut self, shape: &Shape, owners: &[Option<Member>]) {
        let (symmetry, layout) = (self.symmetry, self.layout);
        let mut channel = 0;
        self.frame(
            FrameAt {
                roles: &symmetry.globals,
                fields: &layout.globals.cells,
                at: 0,
                home: Home::Globals,
                owner: None,
                process: None,
                key: None,
            },
            shape,
            &mut channel,
        );
        for (pid, (&proctype, &at)) in shape.proctypes.iter().zip(&shape.processes).enumerate() {
            let owner = owners[pid];
            let key = match owner_key(symmetry, proctype) {
                Some((_, OwnerKey::Cell(cell))) if owner.is_some() => Some(cell),
                _ => None,
            };
            let home = if owner.is_some() { Home::Owned(proctype) } else { Home::Slot(pid) };
            let frame = FrameAt {
                roles: &symmetry.processes[proctype].frame,
                fields: &layout.proctypes[proctype].cells,
                at,
                home,
                owner,
                process: Some((at + layout.location.offset, proctype)),
                key,
            };
            let location =
                VectorField { offset: at + layout.location.offset, width: layout.location.width };
            let members = owner.into_iter().collect();
            self.site(
                (home, LOCATION, 0, 0),
                members,
                location,
                ValueRole::Plain,
                Condition::Always,
            );
            self.frame(frame, shape, &mut channel);
        }
    }

    fn frame(&mut self, frame: FrameAt<'_>, shape: &Shape, channel: &mut usize) {
        for (cell, role) in frame.roles.cells.iter().enumerate() {
            if frame.key == Some(cell as u32) {
                continue;
            }
            let (members, base, axes) = self.members_of(&frame, cell as u32);
            let field = frame.fields[cell];
            let at = VectorField { offset: frame.at + field.offset, width: field.width };
            let condition = match frame.process {
                Some((location, proctype)) => {
                    Condition::Alive { location, proctype, cell: cell as u32 }
                }
                None => Condition::Always,
            };
            self.site((frame.home, base, axes, 0), members, at, role.value, condition);
        }
        for (cell, fields) in &frame.roles.channels {
            let (members, base, axes) = self.members_of(&frame, *cell);
            self.channel((frame.home, base, axes, 0), members, fields, shape, *channel);
            *channel += 1;
        }
    }

    /// The members that a cell belongs to, the cell without their indices, and a bit for each of these.
    fn members_of(&self, frame: &FrameAt<'_>, cell: u32) -> (Vec<Member>, u32, u32) {
        let mut members: Vec<Member> = frame.owner.into_iter().collect();
        let (mut base, mut axes) = (cell, 0);
        for (i, axis) in frame.roles.cells[cell as usize].axes.iter().enumerate() {
            if let Some(member) = self.members.number(axis.sort, axis.index as i32) {
                members.push(member);
                base -= axis.index * axis.stride;
                axes |= 1u32.wrapping_shl(i as u32);
            }
        }
        (members, base, axes)
    }

    fn channel(
        &mut self,
        key: Key,
        members: Vec<Member>,
        roles: &[ValueRole],
        shape: &Shape,
        number: usize,
    ) {
        let place = shape.channels[number];
        let layout =
            &self.layout.channels[resy_system::ChannelTypeId::from_index(place.ty as usize)];
        let n = self.members.len();
        let next = self.channel_tags.len() as u32;
        let (tag, _) = *self.channel_tags.entry(key).or_insert((next, members.len()));
        if tag as usize == self.plan.numbers.len() {
            let size = n.pow(members.len().min(MOST_MEMBERS) as u32);
            self.plan.numbers.push(vec![0; size]);
        }
        if members.len() > MOST_MEMBERS {
            self.is_too_deep = true;
            return;
        }
        self.plan.numbers[tag as usize][position(&members, n)] = number as u32 + 1;
        self.plan.channels.push(ChannelSite { tag, members: members.clone() });
        let length = VectorField { offset: place.at, width: self.layout.length };
        let (home, base, axes, _) = key;
        self.site(
            (home, base, axes, 1),
            members.clone(),
            length,
            ValueRole::Plain,
            Condition::Always,
        );
        for slot in 0..layout.capacity {
            let start = place.at + self.layout.length.bytes() + slot * layout.stride;
            for (i, field) in layout.fields.iter().enumerate() {
                let at = VectorField { offset: start + field.offset, width: field.width };
                let role = roles.get(i).copied().unwrap_or(ValueRole::Plain);
                let condition = Condition::Message { length: place.at, slot: slot as i32 };
                let which = 2 + slot * layout.fields.len() as u32 + i as u32;
                self.site((home, base, axes, which), members.clone(), at, role, condition);
            }
        }
    }

    fn site(
        &mut self,
        key: Key,
        members: Vec<Member>,
        at: VectorField,
        role: ValueRole,
        condition: Condition,
    ) {
        if members.is_empty() && role == ValueRole::Plain {
            return;
        }
        if members.len() > MOST_MEMBERS {
            self.is_too_deep = true;
            return;
        }
        let n = self.members.len();
        let next = self.tags.len() as u32;
        let (tag, _) = *self.tags.entry(key).or_insert((next, members.len()));
        if tag as usize == self.plan.offsets.len() {
            self.plan.offsets.push(vec![NOWHERE; n.pow(members.len() as u32)]);
        }
        let Some(offset) = self.plan.offsets[tag as usize].get_mut(position(&members, n)) else {
            self.is_too_deep = true;
            return;
        };
        *offset = at.offset;
        self.plan.sites.push(Site { tag, members, at, role, condition });
    }

    /// Leaves out what never moves, and joins neighbouring bytes.
    fn finish(mut self) -> Plan {
        let is_moving = self.plan.channels.iter().any(|channel| !channel.members.is_empty());
        let mut sites = std::mem::take(&mut self.plan.sites);
        for site in &mut sites {
            if site.role == ValueRole::Channel && !is_moving {
                site.role = ValueRole::Plain;
            }
        }
        sites.retain(|site| !(site.members.is_empty() && site.role == ValueRole::Plain));
        let (bytes, sites): (Vec<Site>, Vec<Site>) = sites
            .into_iter()
            .partition(|site| site.role == ValueRole::Plain && site.members.len() == 1);
        self.plan.sites = sites;
        self.plan.bytes = joined(&bytes, self.members.len());
        self.plan
    }
}

/// The bytes of each member, with neighbours joined where they are neighbours for all members.
fn joined(sites: &[Site], n: usize) -> Vec<Bytes> {
    let mut by_tag: BTreeMap<u32, Bytes> = BTreeMap::new();
    for site in sites {
        let len = site.at.width.bytes();
        let bytes = by_tag.entry(site.tag).or_insert_with(|| Bytes { at: vec![NOWHERE; n], len });
        bytes.at[usize::from(site.members[0])] = site.at.offset;
    }
    let mut all: Vec<Bytes> = by_tag.into_values().collect();
    all.sort_by_key(|bytes| bytes.at.iter().copied().min());
    let mut joined: Vec<Bytes> = Vec::new();
    for bytes in all {
        let follows = |last: &Bytes| {
            let next = |at: u32| if at == NOWHERE { NOWHERE } else { at + last.len };
            last.at.iter().zip(&bytes.at).all(|(&a, &b)| next(a) == b)
        };
        match joined.last_mut().filter(|last| follows(last)) {
            Some(last) => last.len += bytes.len,
            None => joined.push(bytes),
        }
    }
    joined
}

/// The value of a field of a vector.
pub(super) fn load(vector: &[u8], at: VectorField) -> i32 {
    at.width.load(vector, at.offset)
}
