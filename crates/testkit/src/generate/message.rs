//! Sends, receives and polls.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::scope::{Channel, Field, constant_place};
use super::tree::{Argument, Expr, Place, Receive, Stmt, Type};

impl Builder {
    /// A channel with a property.
    pub fn channel_where(&mut self, wanted: impl Fn(&Channel) -> bool) -> Option<Channel> {
        let found: Vec<Channel> =
            self.scope.channels.iter().filter(|c| wanted(c)).cloned().collect();
        self.rng.pick(&found).cloned()
    }

    /// A send or receive, if there is a channel for it.
    pub fn communication(&mut self, spot: Spot) -> Option<Stmt> {
        let channel = self.channel_where(|c| !spot.d_step || c.capacity > 0)?;
        // A rendezvous needs partners: every other process prefers to send.
        let sender = self.program.proctypes.len().is_multiple_of(2);
        let bias = match (channel.capacity, sender) {
            (0, true) => 80,
            (0, false) => 20,
            _ => 50,
        };
        match self.rng.chance(bias) {
            true => self.send_on(&channel),
            false => self.receive_from(&channel, spot),
        }
    }

    fn send_on(&mut self, channel: &Channel) -> Option<Stmt> {
        let mut arguments = Vec::new();
        for field in &channel.fields {
            arguments.push(self.field_value(field)?);
        }
        // Sorting compares numbers: the order of channels is not for users.
        let sortable = channel.capacity > 1 && !channel.fields.contains(&Field::ByteChannel);
        let op = if sortable && self.rng.chance(20) { "!!" } else { "!" };
        Some(Stmt::Send(self.place(&channel.path), op, arguments))
    }

    fn field_value(&mut self, field: &Field) -> Option<Expr> {
        match field {
            Field::Basic(ty) => Some(self.value_for(ty)),
            Field::Record(name) => self.whole_record(name).map(Expr::Read),
            Field::ByteChannel => {
                let byte = [Field::Basic(Type::Byte)];
                let channel = self.channel_where(|c| c.fields == byte)?;
                Some(Expr::Read(constant_place(&channel.path, &mut self.rng)))
            }
        }
    }

    fn whole_record(&mut self, name: &str) -> Option<Place> {
        let fits = |ty: &Type| matches!(ty, Type::Record(n) if n == name);
        let found: Vec<_> = self.scope.records.iter().filter(|r| fits(&r.ty)).cloned().collect();
        let slot = self.rng.pick(&found)?.clone();
        Some(constant_place(&slot.path, &mut self.rng))
    }

    fn receive_from(&mut self, channel: &Channel, spot: Spot) -> Option<Stmt> {
        if channel.fields == [Field::ByteChannel] && !spot.d_step {
            return self.receive_and_use(channel);
        }
        let arguments = self.receive_arguments(channel, true)?;
        let buffered = channel.capacity > 0;
        let random = buffered && self.rng.chance(20);
        // spin's code for a kept message does not compile at the start of a d_step.
        let keep = buffered && !spot.d_step && self.rng.chance(12);
        let channel = self.place(&channel.path);
        Some(Stmt::Receive(Receive { channel, random, keep, arguments }))
    }

    /// `c?[…]`; spin does not allow it on a rendezvous channel.
    pub fn poll(&mut self) -> Option<Expr> {
        let basic = |c: &Channel| c.fields.iter().all(|f| matches!(f, Field::Basic(_)));
        let channel = self.channel_where(|c| c.capacity > 0 && basic(c))?;
        let arguments = self.receive_arguments(&channel, false)?;
        let random = self.rng.chance(30);
        let channel = constant_place(&channel.path, &mut self.rng);
        Some(Expr::Poll(Receive { channel, random, keep: false, arguments }))
    }

    fn receive_arguments(&mut self, channel: &Channel, bind: bool) -> Option<Vec<Argument>> {
        let mut arguments: Vec<Argument> = Vec::new();
        for field in &channel.fields {
            let argument = match field {
                Field::Basic(ty) => self.basic_argument(ty, bind),
                Field::Record(name) => Argument::Bind(self.whole_record(name)?),
                Field::ByteChannel => Argument::Any,
            };
            // Two fields into one variable: the order would matter.
            let repeated = matches!(argument, Argument::Bind(_)) && arguments.contains(&argument);
            arguments.push(if repeated { Argument::Any } else { argument });
        }
        Some(arguments)
    }

    fn basic_argument(&mut self, ty: &Type, bind: bool) -> Argument {
        let bind_weight = if bind { 60 } else { 0 };
        match self.rng.weighted(&[bind_weight, 18, 12, 10]) {
            0 => self.target_for(ty).map_or(Argument::Any, Argument::Bind),
            1 => Argument::Any,
            2 => Argument::Constant(self.matched_constant(ty)),
            _ => match ty {
                Type::Mtype(_) => Argument::Eval(self.constant_of(ty)),
                _ => Argument::Eval(self.number(1).0),
            },
        }
    }

    /// A constant that the grammar allows in a receive: no minus, no macro.
    fn matched_constant(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Mtype(_) => self.constant_of(ty),
            Type::Bit | Type::Bool => Expr::Number(self.rng.range(0, 1)),
            _ => Expr::Number(self.rng.range(0, 2)),
        }
    }

    /// A variable that can take a field: of its type, or any number.
    fn target_for(&mut self, ty: &Type) -> Option<Place> {
        let mut slots = self.slots_where(|s| !s.frozen && s.ty == *ty);
        let is_mtype = matches!(ty, Type::Mtype(_));
        if slots.is_empty() || (!is_mtype && self.rng.chance(20)) {
            slots = self.slots_where(|s| {
                !s.frozen
                    && matches!(s.ty, Type::Mtype(_)) == is_mtype
                    && (!is_mtype || s.ty == *ty)
            });
        }
        let slot = self.rng.pick(&slots)?.clone();
        // An index may not depend on what the same receive sets.
        Some(constant_place(&slot.path, &mut self.rng))
    }

    /// Receives a channel and uses it at once: before that it is not initialised.
    fn receive_and_use(&mut self, carrier: &Channel) -> Option<Stmt> {
        if !self.has(Feature::Passing) {
            return None;
        }
        let name = self.local_channel_variable();
        let bind = Argument::Bind(Place::variable(&name));
        let channel = constant_place(&carrier.path, &mut self.rng);
        let get = Receive { channel, random: false, keep: false, arguments: vec![bind] };
        let used = Place::variable(&name);
        let value = Expr::Number(self.rng.range(0, 2));
        let target = self.target_for(&Type::Byte).map_or(Argument::Any, Argument::Bind);
        let use_it = if self.rng.chance(60) {
            Stmt::Send(used, "!", vec![value])
        } else {
            let arguments = vec![target];
            Stmt::Receive(Receive { channel: used, random: false, keep: false, arguments })
        };
        Some(Stmt::Group(vec![Stmt::Receive(get), use_it]))
    }
}
