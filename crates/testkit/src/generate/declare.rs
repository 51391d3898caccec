//! Declarations: records, global variables, channels, local variables.

use super::builder::Builder;
use super::feature::Feature;
use super::interval::Interval;
use super::scope::{Channel, Field};
use super::tree::{Decl, Expr, Init, Stmt, Type, Typedef};

impl Builder {
    /// Record types; the second may contain the first.
    pub fn typedefs(&mut self) {
        if !self.has(Feature::Record) && !self.has(Feature::RecordMessage) {
            return;
        }
        let n_fields = self.rng.range(1, 2);
        let fields = (0..n_fields).map(|_| self.record_field()).collect();
        self.program.typedefs.push(Typedef { name: "Inner".to_owned(), fields });
        if self.may(Feature::Record, 60) {
            let ty = Type::Record("Inner".to_owned());
            let length = self.rng.chance(40).then_some(2);
            let inner = Decl::new(ty, self.fresh("f"));
            let inner = Decl { length, ..inner };
            let fields = vec![inner, self.record_field()];
            self.program.typedefs.push(Typedef { name: "Outer".to_owned(), fields });
        }
    }

    fn record_field(&mut self) -> Decl {
        let ty = match self.basic_type() {
            // A record with such a field cannot be sent.
            Type::Unsigned(_) if self.has(Feature::RecordMessage) => Type::Byte,
            ty => ty,
        };
        let length = (self.rng.chance(25) && can_be_array(&ty)).then_some(2);
        let name = self.fresh("f");
        Decl { length, ..Decl::new(ty, name) }
    }

    /// A type for variables.
    pub fn basic_type(&mut self) -> Type {
        let mtype = if self.has(Feature::Mtype) { 12 } else { 0 };
        let wide = if self.has(Feature::Wide) { 12 } else { 1 };
        match self.rng.weighted(&[18, 22, 30, wide, wide, 10, mtype, 3]) {
            0 => Type::Bit,
            1 => Type::Bool,
            2 => Type::Byte,
            3 => Type::Short,
            4 => Type::Int,
            5 => Type::Unsigned(self.rng.one_of([1, 2, 2, 3, 5, 9])),
            6 => self.mtype(),
            _ => Type::Pid,
        }
    }

    fn mtype(&mut self) -> Type {
        let subtype = self.may(Feature::Subtype, 50).then(|| "fruit".to_owned());
        Type::Mtype(subtype)
    }

    /// Global variables and channels.
    pub fn globals(&mut self) {
        for _ in 0..self.rng.range(1, 3) {
            let mut decl = self.variable("g", true);
            decl.prefix = self.rng.one_of(["", "", "", "", "", "", "", "", "", "show", "local"]);
            self.scope.add(&decl, &self.program.typedefs, true);
            self.program.globals.push(decl);
        }
        if self.has(Feature::Record) {
            let decl = self.record_variable("r");
            self.scope.add(&decl, &self.program.typedefs, true);
            self.program.globals.push(decl);
        }
        for decl in self.channel_declarations() {
            self.program.globals.push(decl);
        }
    }

    fn channel_declarations(&mut self) -> Vec<Decl> {
        let mut capacities = Vec::new();
        if self.has(Feature::Buffered) {
            capacities.push(self.rng.one_of([1, 1, 2, 2, 3]));
        }
        if self.has(Feature::Rendezvous) {
            capacities.push(0);
        }
        if !capacities.is_empty() && self.rng.chance(20) {
            capacities.push(capacities[0]);
        }
        let mut decls = Vec::new();
        for capacity in capacities {
            let fields = self.fields();
            let length = self.may(Feature::ChannelArray, 60).then_some(2);
            decls.push(self.channel("c", capacity, fields, length, true));
        }
        if self.has(Feature::Passing) {
            // A payload channel and one that carries channels.
            let byte = vec![Field::Basic(Type::Byte)];
            let payload = if self.has(Feature::Buffered) { 1 } else { 0 };
            decls.push(self.channel("q", payload, byte, None, true));
            let carrier = self.rng.below(2) as u32;
            let carrier = if self.has(Feature::Rendezvous) { carrier } else { 1 };
            decls.push(self.channel("k", carrier, vec![Field::ByteChannel], None, true));
        }
        decls
    }

    fn fields(&mut self) -> Vec<Field> {
        if self.may(Feature::RecordMessage, 60) {
            return vec![Field::Record("Inner".to_owned())];
        }
        let count = self.rng.one_of([1, 1, 1, 2, 2, 3]);
        let field = |builder: &mut Builder| loop {
            match builder.basic_type() {
                // spin: "unsigned cannot be used as mesg type".
                Type::Unsigned(_) => {}
                ty => return Field::Basic(ty),
            }
        };
        (0..count).map(|_| field(self)).collect()
    }

    /// Declares a channel and puts it in scope.
    pub fn channel(
        &mut self,
        prefix: &str,
        capacity: u32,
        fields: Vec<Field>,
        length: Option<u32>,
        global: bool,
    ) -> Decl {
        let name = self.fresh(prefix);
        let types = fields.iter().map(|field| match field {
            Field::Basic(ty) => ty.clone(),
            Field::Record(name) => Type::Record(name.clone()),
            Field::ByteChannel => Type::Chan,
        });
        let init = Init::Channel(capacity, types.collect());
        let path = vec![(name.clone(), length)];
        self.scope.channels.push(Channel { path, fields, capacity, global });
        Decl { length, init, ..Decl::new(Type::Chan, name) }
    }

    /// A record variable.
    pub fn record_variable(&mut self, prefix: &str) -> Decl {
        let name = match self.program.typedefs.last() {
            Some(outer) if self.rng.chance(60) => outer.name.clone(),
            _ => "Inner".to_owned(),
        };
        let length = self.may(Feature::Array, 25).then_some(2);
        let decl = Decl::new(Type::Record(name), self.fresh(prefix));
        Decl { length, ..decl }
    }

    /// A variable of a basic type, perhaps an array, perhaps initialised.
    fn variable(&mut self, prefix: &str, top: bool) -> Decl {
        let ty = self.basic_type();
        let array = self.may(Feature::Array, 35) && can_be_array(&ty);
        let length = array.then(|| self.rng.range(2, 3) as u32);
        let init = match length {
            _ if !self.may(Feature::Initialiser, 50) => Init::None,
            // spin: "cannot use an array list initializer here" in inner blocks.
            Some(n) if top && self.rng.chance(50) => {
                Init::List((0..n).map(|_| self.list_constant(&ty)).collect())
            }
            _ => Init::Value(self.constant_of(&ty)),
        };
        let name = self.fresh(prefix);
        Decl { length, init, ..Decl::new(ty, name) }
    }

    /// A constant for an initialiser list: the grammar has no minus there.
    fn list_constant(&mut self, ty: &Type) -> Expr {
        match self.constant_of(ty) {
            Expr::Number(n) if n < 0 => Expr::Number(0),
            constant => constant,
        }
    }

    /// Declares local variables at the top of a process.
    pub fn locals(&mut self, count: i64) -> Vec<Stmt> {
        (0..count).map(|_| self.local(true)).collect()
    }

    /// Declares a local variable further down.
    pub fn inner_local(&mut self) -> Stmt {
        self.local(false)
    }

    fn local(&mut self, top: bool) -> Stmt {
        let mut decl = self.variable("l", top);
        // With priorities spin's verifier takes bit fields for a part of the
        // process header and leaves them out of the comparison of states.
        if self.has(Feature::Priority) {
            decl.ty = match decl.ty {
                Type::Unsigned(9..) => Type::Short,
                Type::Unsigned(_) => Type::Byte,
                ty if Interval::of_type(&ty).high < 8 => Type::Byte,
                ty => ty,
            };
        }
        self.scope.add(&decl, &self.program.typedefs, false);
        Stmt::Decl(decl)
    }

    /// A constant that fits the type, sometimes at the end of its range.
    pub fn constant_of(&mut self, ty: &Type) -> Expr {
        if let Type::Mtype(_) = ty {
            let names = self.mtype_names(ty);
            return self.rng.pick(&names).map_or(Expr::Number(0), |n| Expr::Word(n.clone()));
        }
        let range = Interval::of_type(ty);
        if *ty == Type::Bool {
            return Expr::Word(self.rng.one_of(["true", "false"]).to_owned());
        }
        match self.rng.below(10) {
            0 => Expr::Number(range.high),
            1 => Expr::Number(range.low),
            _ => Expr::Number(self.rng.range(0, 3).min(range.high)),
        }
    }
}

/// The grammar has no place for both a width and a length.
fn can_be_array(ty: &Type) -> bool {
    !matches!(ty, Type::Unsigned(_))
}
