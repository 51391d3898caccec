//! Inference: what statements do with values decides which of them are ids.
//!
//! Ids are only copied, compared for equality, sent, received and used as indices. Whatever else a statement does with
//! a value makes all values of its sort plain numbers. A constant that meets an id *names* it.

use super::places::Places;
use super::sorts::{PlaceId, Sorts};
use resy_system::{
    BinaryOp, CellInit, CellRef, Command, DStep, DStepGuard, Edge, Expr, Frame, Instruction,
    Pattern, ProctypeId, Scope, System,
};
use std::collections::BTreeMap;

/// What kind of value an expression has.
#[derive(Copy, Clone, Debug)]
enum Kind {
    Const(i32),
    /// The value of this place.
    Of(PlaceId),
    /// Computed.
    Number,
}

/// The inference for one system.
pub(super) struct Inference<'a> {
    pub system: &'a System,
    pub sorts: Sorts,
    pub places: Places,
    /// The process that executes the statement; `None` for a condition of a property.
    process: Option<ProctypeId>,
    /// Whether the statement belongs to the start: then numbers may become ids, and only channels are followed.
    is_start: bool,
    /// The statement, for reasons.
    statement: String,
    /// The constants that the present statements name, each with its sort.
    pub named: Vec<(PlaceId, i32)>,
    /// Why nothing is symmetric, if a statement reads what tells all processes apart.
    pub refused: Option<String>,
    /// Whether a statement tests `timeout`, or counts processes.
    pub counts: Option<&'static str>,
    /// The proctypes whose processes are read by remote references.
    pub remote: Vec<ProctypeId>,
    /// What processes of a proctype always add to their pid.
    pub offsets: BTreeMap<ProctypeId, i32>,
}

impl<'a> Inference<'a> {
    pub fn new(system: &'a System, sorts: Sorts, places: Places) -> Self {
        Self {
            system,
            sorts,
            places,
            process: None,
            is_start: false,
            statement: String::new(),
            named: Vec::new(),
            refused: None,
            counts: None,
            remote: Vec::new(),
            offsets: BTreeMap::new(),
        }
    }

    /// The channels that frames create, and the initial values of their variables.
    pub fn frames(&mut self) {
        self.is_start = true;
        self.frame(None, &self.system.globals);
        for (id, proctype) in self.system.proctypes.iter_enumerated() {
            self.frame(Some(id), &proctype.frame);
        }
    }

    fn frame(&mut self, owner: Option<ProctypeId>, frame: &Frame) {
        self.process = owner;
        for init in &frame.init {
            let cell = match init {
                CellInit::Value(cell, _) | CellInit::Channel(cell, _) => *cell as usize,
            };
            let place = match owner {
                Some(id) => self.places.locals[id].values[cell],
                None => self.places.globals.values[cell],
            };
            match init {
                CellInit::Channel(_, channel) => {
                    let fields = &self.system.channel_types[channel.ty].fields;
                    for (i, &ty) in fields.iter().enumerate() {
                        let (field, typed) =
                            (self.sorts.field(place, i), self.sorts.place(Some(ty)));
                        self.sorts.unify(field, typed);
                    }
                }
                CellInit::Value(_, e) => {
                    let kind = self.expr(e);
                    self.meet(place, kind);
                }
            }
        }
    }

    /// The statement of an edge, of the start or of what comes after it.
    pub fn edge(&mut self, id: ProctypeId, edge: &Edge, is_start: bool) {
        self.process = Some(id);
        self.is_start = is_start;
        self.statement = format!("`{}` ({})", edge.text, self.system.location(edge.source));
        self.command(&edge.command);
    }

    /// A condition on states: of a property, or of a `provided` clause.
    pub fn condition(&mut self, id: Option<ProctypeId>, expr: &Expr) {
        self.process = id;
        self.is_start = false;
        self.statement = if id.is_some() { "a `provided` clause" } else { "a property" }.into();
        self.number(expr);
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Skip | Command::Else | Command::Exit => {}
            Command::Guard(e) | Command::Assert(e, _) => self.number(e),
            Command::Assign(place, e) => {
                let kind = self.expr(e);
                if let Some(to) = self.reference(place) {
                    if let Kind::Const(c) = kind {
                        self.meet(to, Kind::Const(place.cell.truncate(c)));
                    }
                    self.meet(to, kind);
                }
            }
            Command::Send { chan, sorted, args } => self.send(chan, *sorted, args),
            Command::Receive { chan, patterns, .. } => self.patterns(chan, patterns),
            // What is printed is no part of the state.
            Command::Print(_) => {}
            Command::SetPriority(..) => self.refuse("sets priorities"),
            Command::DStep(d_step) => self.d_step(d_step),
            Command::Event { .. } => self.refuse("is an event of a trace"),
        }
    }

    fn d_step(&mut self, d_step: &DStep) {
        if let DStepGuard::AnyOf(commands) = &d_step.guard {
            commands.iter().for_each(|c| self.command(c));
        }
        for instruction in &d_step.code {
            match instruction {
                Instruction::Run { command, .. } => self.command(command),
                Instruction::Choose(options, _) => {
                    options.iter().filter_map(|o| o.guard.as_ref()).for_each(|c| self.command(c));
                }
                Instruction::Jump(_) | Instruction::End => {}
            }
        }
    }

    fn send(&mut self, chan: &Expr, sorted: bool, args: &[Expr]) {
        let chan = self.channel(chan);
        for (i, arg) in args.iter().enumerate() {
            let kind = self.expr(arg);
            let Some(chan) = chan else { continue };
            let field = self.sorts.field(chan, i);
            self.meet(field, kind);
            if sorted {
                self.plain(field, "orders the messages of a channel");
            }
        }
    }

    fn patterns(&mut self, chan: &Expr, patterns: &[Pattern]) {
        let chan = self.channel(chan);
        for (i, pattern) in patterns.iter().enumerate() {
            let field = chan.map(|chan| self.sorts.field(chan, i));
            match pattern {
                Pattern::Bind(place) => {
                    if let (Some(to), Some(field)) = (self.reference(place), field) {
                        self.meet(to, Kind::Of(field));
                    }
                }
                Pattern::Match(e) => {
                    let kind = self.expr(e);
                    if let Some(field) = field {
                        self.meet(field, kind);
                    }
                }
            }
        }
    }

    /// The place of the channels that an expression may denote.
    fn channel(&mut self, chan: &Expr) -> Option<PlaceId> {
        match self.expr(chan) {
            Kind::Of(place) => Some(place),
            Kind::Const(_) | Kind::Number => {
                self.refuse("computes the number of a channel");
                None
            }
        }
    }

    /// The place of a variable. Its indices are ids or make its array plain.
    fn reference(&mut self, place: &CellRef) -> Option<PlaceId> {
        let owner = match place.scope {
            Scope::Nowhere => return None,
            Scope::Global => None,
            Scope::Local => Some(self.process?),
        };
        self.reference_in(owner, place)
    }

    fn reference_in(&mut self, owner: Option<ProctypeId>, place: &CellRef) -> Option<PlaceId> {
        let kinds: Vec<Kind> = place.indices.iter().map(|t| self.expr(&t.index)).collect();
        let frame = owner.map_or(&self.places.globals, |id| &self.places.locals[id]);
        let cell = place.offset as usize;
        let value = *frame.values.get(cell)?;
        let Some(array) = frame.array_of[cell].map(|i| frame.arrays[i].clone()) else {
            return Some(value);
        };
        if place.indices.is_empty() {
            // An element that is known from the start.
            let indices = array.indices(place.offset)?;
            for (&(.., axis), index) in array.axes.iter().zip(indices) {
                self.meet(axis, Kind::Const(index as i32));
            }
        }
        for (&(len, _, axis), kind) in array.axes.iter().zip(kinds) {
            if !self.is_start {
                let facts = self.sorts.facts_mut(axis);
                facts.len = Some(facts.len.map_or(len, |least| least.min(len)));
            }
            self.meet(axis, kind);
        }
        Some(value)
    }

    /// A value meets a place: it is stored there, or compared with what is there.
    fn meet(&mut self, place: PlaceId, kind: Kind) {
        match kind {
            Kind::Of(other) => {
                let is_chan = |id| self.sorts.facts(id).is_chan;
                if !self.is_start || is_chan(place) || is_chan(other) {
                    self.sorts.unify(place, other);
                }
            }
            Kind::Const(0) if self.sorts.facts(place).is_chan => {}
            Kind::Const(_) | Kind::Number if self.sorts.facts(place).is_chan => {
                self.refuse("makes a channel of a number");
            }
            Kind::Const(c) if !self.is_start => self.named.push((place, c)),
            Kind::Number => self.plain(place, "computes with it"),
            Kind::Const(_) => {}
        }
    }

    fn plain(&mut self, place: PlaceId, what: &str) {
        if !self.is_start {
            let statement = &self.statement;
            self.sorts.make_plain(place, || format!("{statement} {what}"));
        }
    }

    fn refuse(&mut self, what: &str) {
        if !self.is_start {
            let statement = &self.statement;
            self.refused.get_or_insert_with(|| format!("{statement} {what}"));
        }
    }

    /// An expression whose value is used as a number or a truth value.
    fn number(&mut self, expr: &Expr) {
        if let Kind::Of(place) = self.expr(expr) {
            self.plain(place, "uses it as a number");
        }
    }

    fn expr(&mut self, expr: &Expr) -> Kind {
        match expr {
            Expr::Const(c) => return Kind::Const(*c),
            Expr::Load(place) => {
                return self.reference(place).map_or(Kind::Number, Kind::Of);
            }
            Expr::Pid => match self.process {
                Some(id) => return Kind::Of(self.pid(id, 0)),
                None => self.refuse("reads `_pid`"),
            },
            Expr::Unary(_, e) => self.number(e),
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => self.compare(a, b),
            Expr::Binary(BinaryOp::Add, a, b) | Expr::Binary(BinaryOp::Sub, a, b)
                if let (Expr::Pid, Expr::Const(c), Some(id)) = (&**a, &**b, self.process) =>
            {
                let is_sum = matches!(expr, Expr::Binary(BinaryOp::Add, ..));
                return Kind::Of(self.pid(id, if is_sum { *c } else { c.wrapping_neg() }));
            }
            Expr::Binary(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Expr::Cond(c, a, b) => {
                self.number(c);
                return self.either(a, b);
            }
            Expr::Run { proctype, args, .. } => self.run(*proctype, args),
            Expr::Len(chan) | Expr::Probe(_, chan) => _ = self.channel(chan),
            Expr::Poll { chan, patterns, .. } => self.patterns(chan, patterns),
            Expr::RemoteLocation { proctype, pid } => self.remote(*proctype, pid.as_deref()),
            Expr::RemoteLoad { proctype, pid, place } => {
                self.remote(*proctype, pid.as_deref());
                return self.reference_in(Some(*proctype), place).map_or(Kind::Number, Kind::Of);
            }
            Expr::Enabled(_) | Expr::PcValue(_) | Expr::GetPriority(_) => {
                self.refuse("tests what a process can do");
            }
            Expr::Last | Expr::Priority => self.refuse("reads `_last` or a priority"),
            Expr::Timeout => self.count("`timeout` is tested"),
            Expr::ProcessCount => self.count("processes are counted"),
            Expr::NonProgress => {}
        }
        Kind::Number
    }

    /// The place of the pid of a process, plus a number: always the same one.
    fn pid(&mut self, id: ProctypeId, offset: i32) -> PlaceId {
        let place = self.places.pids[id];
        if !self.is_start && *self.offsets.entry(id).or_insert(offset) != offset {
            self.plain(place, "adds another number to a pid");
        }
        place
    }

    fn count(&mut self, what: &'static str) {
        if !self.is_start {
            self.counts.get_or_insert(what);
        }
    }

    fn compare(&mut self, a: &Expr, b: &Expr) {
        match (self.expr(a), self.expr(b)) {
            (Kind::Of(place), kind) | (kind, Kind::Of(place)) => self.meet(place, kind),
            _ => {}
        }
    }

    fn either(&mut self, a: &Expr, b: &Expr) -> Kind {
        match (self.expr(a), self.expr(b)) {
            (Kind::Of(place), kind) | (kind, Kind::Of(place)) => {
                self.meet(place, kind);
                Kind::Of(place)
            }
            _ => Kind::Number,
        }
    }

    fn run(&mut self, proctype: ProctypeId, args: &[Expr]) {
        for (i, arg) in args.iter().enumerate() {
            let kind = self.expr(arg);
            if let Some(&parameter) = self.places.locals[proctype].values.get(i) {
                self.meet(parameter, kind);
            }
        }
        self.refuse("creates a process");
    }

    fn remote(&mut self, proctype: ProctypeId, pid: Option<&Expr>) {
        self.remote.push(proctype);
        let place = self.pid(proctype, 0);
        match pid.map(|e| self.expr(e)) {
            Some(kind) => self.meet(place, kind),
            None => self.plain(place, "reads the first process of its kind"),
        }
    }
}
