//! Sends, receives and polls.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::interval::Interval;
use super::print::expression_text;
use super::scope::{Channel, Field, constant_place};
use super::tree::{Argument, Expr, Index, Place, Receive, Stmt, Type};

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
            arguments.push(self.field_value(field, channel.fields.len())?);
        }
        // Sorting compares numbers: the order of channels is not for users.
        let sortable = channel.capacity > 1 && !channel.fields.contains(&Field::ByteChannel);
        let op = if sortable && self.rng.chance(20) { "!!" } else { "!" };
        Some(Stmt::Send(self.place(&channel.path), op, arguments))
    }

    fn field_value(&mut self, field: &Field, n_fields: usize) -> Option<Expr> {
        match field {
            // spin keeps a single bit as a byte and does not cut what is sent.
            Field::Basic(Type::Bit | Type::Bool) if n_fields == 1 => Some(self.condition(1)),
            Field::Basic(ty) => Some(self.value_for(ty)),
            Field::Record(name) => self.whole_record(name).map(Expr::Whole),
            Field::ByteChannel => {
                let byte = [Field::Basic(Type::Byte)];
                let channel = self.channel_where(|c| c.fields == byte)?;
                Some(Expr::Whole(constant_place(&channel.path, &mut self.rng)))
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
        if channel.fields == [Field::ByteChannel] && !spot.d_step && !spot.inline {
            return self.receive_and_use(channel);
        }
        let buffered = channel.capacity > 0;
        let random = buffered && self.rng.chance(20);
        // spin's code for a kept message does not compile at the start of a d_step.
        let keep = buffered && !spot.d_step && self.rng.chance(12);
        let arguments = self.receive_arguments(channel, true)?;
        let channel = self.place(&channel.path);
        let receive = Receive { channel, random, keep, arguments };
        Some(Stmt::Receive(without_undo_traps(receive)))
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
                Field::Record(name) => Argument::BindRecord(self.whole_record(name)?),
                Field::ByteChannel => Argument::Any,
            };
            // spin: "cannot use var in multiple msg fields", even for two elements.
            let name = first_name(&argument);
            let repeated = name.is_some() && arguments.iter().any(|a| first_name(a) == name);
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

    /// A variable that can take a field without loss. When spin's verifier
    /// backtracks it puts the value of the variable back into the channel, so a
    /// value that was cut would damage the message.
    fn target_for(&mut self, ty: &Type) -> Option<Place> {
        let mut slots = self.slots_where(|s| !s.frozen && s.ty == *ty);
        let is_mtype = matches!(ty, Type::Mtype(_));
        if !is_mtype && (slots.is_empty() || self.rng.chance(20)) {
            let needed = Interval::of_type(ty);
            slots = self.slots_where(|s| {
                let basic = !matches!(s.ty, Type::Mtype(_));
                !s.frozen && basic && Interval::of_type(&s.ty).contains(needed)
            });
        }
        let slot = self.rng.pick(&slots)?.clone();
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

/// When spin's verifier takes back a receive, it evaluates the channel's index
/// and the `eval` arguments after the variables were set: none of them may read
/// a variable that the receive sets.
fn without_undo_traps(mut receive: Receive) -> Receive {
    let mut set: Vec<String> = receive.arguments.iter().filter_map(first_name).collect();
    // The same holds for lengths: the channel itself may have a second name.
    set.push("len".to_owned());
    let reads = |text: &str| {
        let mut names = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        names.any(|name| set.iter().any(|s| s == name))
    };
    for part in &mut receive.channel.0 {
        if let Index::Modulo(index, _) = &part.index
            && reads(&expression_text(index))
        {
            part.index = Index::Constant(0);
        }
    }
    for argument in &mut receive.arguments {
        if let Argument::Eval(value) = argument
            && reads(&expression_text(value))
        {
            *argument = Argument::Any;
        }
    }
    receive
}

fn first_name(argument: &Argument) -> Option<String> {
    match argument {
        Argument::Bind(place) | Argument::BindRecord(place) => Some(place.0[0].name.clone()),
        _ => None,
    }
}
