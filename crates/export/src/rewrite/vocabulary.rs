//! Cells, channels and values in the notation of the program.

use super::refusal::RewriteObstacle;
use resy_network::{Cut, Home, symbol};
use resy_system::{Cell, CellInit, CellType, Expr, UnaryOp};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The names in scope of the process that the module becomes.
pub struct Vocabulary<'a> {
    cut: &'a Cut<'a>,
    /// The pid of the process.
    host: usize,
    /// Names that are local to the process.
    own: FxHashSet<String>,
    /// The prefix of generated names.
    prefix: String,
    /// Variables of the module that are separate components. They are declared again under a generated
    /// name.
    declared: RefCell<BTreeMap<Cell, String>>,
}

impl<'a> Vocabulary<'a> {
    /// The names in scope of a process; `own` are its local names.
    pub fn new(cut: &'a Cut<'a>, host: usize, own: FxHashSet<String>, prefix: String) -> Self {
        Self { cut, host, own, prefix, declared: RefCell::default() }
    }

    /// The cut.
    pub fn cut(&self) -> &'a Cut<'a> {
        self.cut
    }

    /// The type of a cell.
    pub fn cell_type(&self, cell: Cell) -> CellType {
        let system = self.cut.system();
        let (cells, offset) = match cell {
            Cell::Global(offset) => (&system.globals.cells, offset),
            Cell::Local(pid, offset) => {
                (&system.proctypes[self.cut.proctypes[pid as usize]].frame.cells, offset)
            }
        };
        cells.get(offset as usize).copied().unwrap_or(CellType::Int)
    }

    /// The name of a variable.
    pub fn cell(&self, cell: Cell) -> Result<String, RewriteObstacle> {
        if self.cut.counter_of(cell).is_some() {
            return Err(RewriteObstacle::Shares);
        }
        let name = self.cut.cell_name(cell);
        match cell {
            Cell::Global(_) => self.global(name),
            Cell::Local(..) => self.declared(cell, &name),
        }
    }

    fn global(&self, name: String) -> Result<String, RewriteObstacle> {
        let base = name.split(['.', '[']).next().unwrap_or_default();
        if self.own.contains(base) {
            return Err(RewriteObstacle::Shadowed(base.to_owned()));
        }
        Ok(name)
    }

    /// The generated name of a variable of the module.
    fn declared(&self, cell: Cell, name: &str) -> Result<String, RewriteObstacle> {
        if self.cell_type(cell) == CellType::Chan {
            return Err(RewriteObstacle::Nameless(name.to_owned()));
        }
        let mut declared = self.declared.borrow_mut();
        let number = declared.len();
        Ok(declared.entry(cell).or_insert_with(|| format!("{}v{number}", self.prefix)).clone())
    }

    /// The declarations of all variables that got a generated name so far.
    pub fn declarations(&self) -> Vec<String> {
        let declared = self.declared.borrow();
        let one = |(&cell, name): (&Cell, &String)| {
            let Cell::Local(pid, offset) = cell else { return String::new() };
            let start = self.cut.initial.locals(self.cut.system(), pid as usize)[offset as usize];
            let start = if start == 0 { String::new() } else { format!(" = {start}") };
            match self.cell_type(cell) {
                CellType::Unsigned(1) => format!("bit {name}{start}"),
                CellType::Unsigned(bits) => format!("unsigned {name} : {bits}{start}"),
                CellType::Byte | CellType::Mtype | CellType::Chan => format!("byte {name}{start}"),
                CellType::Short => format!("short {name}{start}"),
                CellType::Int => format!("int {name}{start}"),
            }
        };
        declared.iter().map(one).collect()
    }

    /// The name of a channel: the variable it was created for, or a parameter that is never assigned.
    pub fn channel(&self, chan: usize) -> Result<String, RewriteObstacle> {
        let id = chan as i32 + 1;
        let names_it = |home: &Home| *home == Home::Constant(id);
        let is_chan = |cell: Cell| self.cell_type(cell) == CellType::Chan;
        let mut globals = (0..self.cut.globals.len() as u32).map(Cell::Global);
        let global = globals.find(|&cell| names_it(&self.cut.home(cell)) && is_chan(cell));
        if let Some(Ok(name)) = global.map(|cell| self.global(self.cut.cell_name(cell))) {
            return Ok(name);
        }
        let frame = &self.cut.system().proctypes[self.cut.proctypes[self.host]].frame;
        // Parameters and declarations that create channels stay in the text.
        let kept = |offset: u32| offset < frame.n_params || makes_channel(&frame.init, offset);
        let mut locals = (0..frame.cells.len() as u32).filter(|&offset| kept(offset));
        let local = locals.find(|&offset| {
            let cell = Cell::Local(self.host as u32, offset);
            names_it(&self.cut.home(cell)) && is_chan(cell)
        });
        let nameless = || RewriteObstacle::Nameless(self.cut.channel_name(chan));
        let cell = Cell::Local(self.host as u32, local.ok_or_else(nameless)?);
        let variable = self.cut.variable(cell).ok_or_else(nameless)?;
        if variable.is_array {
            return Err(nameless());
        }
        Ok(variable.name.clone())
    }

    /// The capacity of a channel.
    pub fn capacity(&self, chan: usize) -> i32 {
        self.cut.system().channel_types[self.cut.channels[chan].ty].capacity as i32
    }

    /// The types of a channel's fields.
    pub fn fields(&self, chan: usize) -> &'a [CellType] {
        &self.cut.system().channel_types[self.cut.channels[chan].ty].fields
    }

    /// A value of a type.
    pub fn value(&self, ty: CellType, value: i32) -> Result<String, RewriteObstacle> {
        match ty {
            CellType::Chan if value > 0 && (value as usize) <= self.cut.channels.len() => {
                self.channel(value as usize - 1)
            }
            _ => number(value),
        }
    }

    /// The value of a variable; that of an `mtype` variable by name.
    pub fn value_of(&self, cell: Cell, value: i32) -> Result<String, RewriteObstacle> {
        let ty = self.cell_type(cell);
        let subtype = self.cut.variable(cell).and_then(|v| v.mtype.as_deref());
        match (ty, self.cut.system().mtype_name(subtype, value)) {
            (CellType::Mtype, Some(name)) if !self.own.contains(name) => Ok(name.to_owned()),
            _ => self.value(ty, value),
        }
    }

    /// The fields of a message.
    pub fn message(&self, chan: usize, message: &[i32]) -> Result<String, RewriteObstacle> {
        let fields = self.fields(chan).iter().zip(message);
        let fields: Vec<String> =
            fields.map(|(&ty, &value)| self.field(ty, value)).collect::<Result<_, _>>()?;
        Ok(fields.join(","))
    }

    /// A field of a message. An `mtype` field is written by name only if there is a single `mtype`
    /// subtype.
    pub fn field(&self, ty: CellType, value: i32) -> Result<String, RewriteObstacle> {
        let only = self.cut.system().mtypes.len() == 1;
        match (ty, self.cut.system().mtype_name(None, value)) {
            (CellType::Mtype, Some(name)) if only && !self.own.contains(name) => {
                Ok(name.to_owned())
            }
            _ => self.value(ty, value),
        }
    }

    /// An expression with one variable, which is written as `variable`.
    pub fn expr(&self, expr: &Expr, variable: &str) -> Result<String, RewriteObstacle> {
        let part = |e: &Expr| self.expr(e, variable);
        Ok(match expr {
            Expr::Const(value) => number(*value)?,
            Expr::Load(_) => variable.to_owned(),
            Expr::Unary(UnaryOp::Not, e) => format!("!({})", part(e)?),
            Expr::Unary(UnaryOp::Neg, e) => format!("-({})", part(e)?),
            Expr::Unary(UnaryOp::BitNot, e) => format!("~({})", part(e)?),
            Expr::Binary(op, a, b) => format!("({} {} {})", part(a)?, symbol(*op), part(b)?),
            Expr::Cond(c, a, b) => format!("({} -> {} : {})", part(c)?, part(a)?, part(b)?),
            _ => return Err(RewriteObstacle::Unwritable),
        })
    }
}

/// Whether a cell is initialised with a new channel.
fn makes_channel(init: &[CellInit], offset: u32) -> bool {
    init.iter().any(|init| matches!(init, CellInit::Channel(cell, _) if *cell == offset))
}

/// A number. The smallest one has no notation, because its absolute value overflows.
fn number(value: i32) -> Result<String, RewriteObstacle> {
    if value == i32::MIN { Err(RewriteObstacle::Unwritable) } else { Ok(value.to_string()) }
}

/// The value that remains of an expression after an assignment to this type, as an expression.
pub fn truncated(ty: CellType, expr: &str) -> String {
    match ty {
        CellType::Int | CellType::Unsigned(32..) => expr.to_owned(),
        CellType::Unsigned(bits) => format!("({expr} & {})", (1u64 << bits) - 1),
        CellType::Byte | CellType::Mtype => format!("({expr} & 255)"),
        CellType::Short => format!("((({expr} & 65535) ^ 32768) - 32768)"),
        CellType::Chan => format!("({expr} & 65535)"),
    }
}
