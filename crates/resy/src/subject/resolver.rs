//! What the clauses of annotations mean in a program: which variables, parameters, clocks, conditions and labels they name.

use super::annotated::{DataAnnotations, LabelledStatement, SourcedClause};
use super::clocks::Clocks;
use resy_promela::annotation::{
    AnnotationKeyword as Keyword, AnnotationName, CONDITION_PREFIX as PREFIX, annotation_names,
};
use resy_symbolic::{DataCell, DataKind, DataVariable};
use resy_system::{
    BinaryOp, CellInit, CellType, ClaimKind, Command, Expr, Formula, Frame, Instruction, Pattern,
    ProctypeId, Scope, System, UnaryOp, Variable,
};

/// The system that the names are looked up in, and what was found out so far.
pub(super) struct Resolver<'a> {
    pub system: &'a System,
    pub found: DataAnnotations,
}

impl Resolver<'_> {
    /// The condition of a clause.
    pub fn condition(&self, number: usize) -> Option<Result<Expr, String>> {
        let name = format!("{PREFIX}{number}");
        let claim = self.system.claims.iter().find(|claim| claim.name == name)?;
        let ClaimKind::Ltl(ltl) = &claim.kind else { return None };
        Some(expr_of(&ltl.formula, &ltl.propositions))
    }

    /// Adds what a clause says.
    pub fn add(
        &mut self,
        clause: &SourcedClause,
        condition: Option<Result<Expr, String>>,
    ) -> Result<(), String> {
        let condition = condition.transpose()?;
        let text = clause.text.split_whitespace().collect::<Vec<_>>().join(" ");
        match (clause.keyword, condition) {
            (Keyword::Unbounded, _) => self.variables(&clause.text, |resolver, variable, name| {
                resolver.unbounded(variable, name, false)
            }),
            (Keyword::Parameter, None) => self.parameters(&clause.text),
            (Keyword::Parameter, Some(condition)) => self.conditioned(&text, condition),
            (Keyword::Clock, _) => self.variables(&clause.text, Self::clock),
            (Keyword::Progress, Some(condition)) => self.progress(condition),
            (Keyword::Predicate, Some(condition)) => {
                self.found.predicates.push((text, condition));
                Ok(())
            }
            (Keyword::Assume, Some(condition)) => {
                self.found.assumed.push(text);
                self.found.declarations.assumptions.push(condition);
                Ok(())
            }
            (Keyword::Rank, Some(term)) => {
                self.found.ranks.push((text, term));
                Ok(())
            }
            (Keyword::Just, _) => {
                let labels = self.labels(&clause.text)?;
                self.found.just.extend(labels);
                Ok(())
            }
            (Keyword::Compassionate, _) => {
                let labels = self.labels(&clause.text)?;
                self.found.compassionate.extend(labels);
                Ok(())
            }
            // The condition has an error of its own.
            (_, None) => Ok(()),
        }
    }

    fn variables(
        &mut self,
        text: &str,
        mut add: impl FnMut(&mut Self, DataVariable, &AnnotationName) -> Result<(), String>,
    ) -> Result<(), String> {
        let names = annotation_names(text)
            .ok_or_else(|| format!("`{}` is not a list of variables", text.trim()))?;
        for name in &names {
            for variable in self.find(name)? {
                add(self, variable, name)?;
            }
        }
        Ok(())
    }

    /// The variables that a name means: a global one, or the local ones of a proctype or of all.
    fn find(&self, name: &AnnotationName) -> Result<Vec<DataVariable>, String> {
        let of = |frame: &Frame, proctype: Option<ProctypeId>| {
            let variable = frame.variables.iter().find(|v| v.name == name.name);
            variable.map(|v| data_variable(v, proctype))
        };
        if let (None, Some(global)) = (&name.proctype, of(&self.system.globals, None)) {
            return Ok(vec![global]);
        }
        let proctypes = self.system.proctypes.iter_enumerated();
        let wanted = proctypes.filter(|(_, p)| name.proctype.as_ref().is_none_or(|n| *n == p.name));
        let found: Vec<DataVariable> =
            wanted.filter_map(|(id, p)| of(&p.frame, Some(id))).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let known = self.system.globals.variables.iter();
        let known = known.chain(self.system.proctypes.iter().flat_map(|p| &p.frame.variables));
        let meant = resy_promela::similar(&name.name, known.map(|v| v.name.as_str()));
        let hint = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        Err(format!("there is no variable `{}`{hint}", name.name))
    }

    fn unbounded(
        &mut self,
        mut variable: DataVariable,
        name: &AnnotationName,
        is_parameter: bool,
    ) -> Result<(), String> {
        let DataKind::Integer(ty) = variable.cell.kind else { return Ok(()) };
        if matches!(ty, CellType::Mtype | CellType::Chan) {
            return Err(format!("`{}` is no number, so it cannot be unbounded", name.name));
        }
        if name.is_array {
            let globals = &self.system.globals.variables;
            let is_array = globals.iter().any(|v| v.offset == variable.offset && v.is_array);
            if variable.proctype.is_none() && !is_array || ty != CellType::Int {
                return Err(format!("`{}` is not an array of `int`", name.name));
            }
            if variable.proctype.is_some() || is_initialised(&self.system.globals, &variable) {
                return Err(format!("the array `{}` is local or has initial values", name.name));
            }
            variable.cell.kind = DataKind::Array;
        }
        variable.cell.is_parameter = is_parameter;
        self.declare(variable)
    }

    /// Adds a variable, unless it is there.
    fn declare(&mut self, variable: DataVariable) -> Result<(), String> {
        let variables = &mut self.found.declarations.variables;
        let is_it =
            |v: &&mut DataVariable| v.proctype == variable.proctype && v.offset == variable.offset;
        match variables.iter_mut().find(is_it) {
            Some(known) if known.cell.kind == variable.cell.kind => {
                known.cell.is_parameter |= variable.cell.is_parameter;
                Ok(())
            }
            Some(known) => Err(format!("`{}` is said to be two things", known.name)),
            None => {
                variables.push(variable);
                Ok(())
            }
        }
    }

    fn parameters(&mut self, text: &str) -> Result<(), String> {
        self.variables(text, |resolver, variable, name| {
            resolver.check_parameter(&variable)?;
            resolver.unbounded(variable, name, true)
        })
    }

    fn check_parameter(&self, variable: &DataVariable) -> Result<(), String> {
        let name = &variable.name;
        if variable.proctype.is_some() {
            return Err(format!("`{name}` is local: a parameter is a global variable"));
        }
        if is_assigned(self.system, variable) {
            return Err(format!("`{name}` is assigned: a parameter keeps its initial value"));
        }
        Ok(())
    }

    /// A condition on parameters: every variable in it is one.
    fn conditioned(&mut self, text: &str, condition: Expr) -> Result<(), String> {
        let mut offsets = Vec::new();
        condition.walk(&mut |e| match e {
            Expr::Load(place) if place.scope == Scope::Global => offsets.push(place.offset),
            _ => {}
        });
        if offsets.is_empty() {
            return Err("a condition on parameters contains a global variable".to_owned());
        }
        for offset in offsets {
            let variables = self.system.globals.variables.iter();
            let Some(variable) = { variables }.find(|v| v.offset == offset) else { continue };
            let name = variable.name.clone();
            let variable = data_variable(variable, None);
            self.check_parameter(&variable)?;
            let name = AnnotationName { proctype: None, name, is_array: false };
            self.unbounded(variable, &name, true)?;
        }
        self.found.assumed.push(text.to_owned());
        self.found.declarations.assumptions.push(condition);
        Ok(())
    }

    fn clock(&mut self, mut variable: DataVariable, name: &AnnotationName) -> Result<(), String> {
        if variable.cell.kind != DataKind::Integer(CellType::Int) || name.is_array {
            return Err(format!("the clock `{}` is not declared as `int`", name.name));
        }
        let frame =
            variable.proctype.map_or(&self.system.globals, |p| &self.system.proctypes[p].frame);
        if is_initialised(frame, &variable) {
            return Err(format!(
                "the clock `{}` has an initial value: clocks begin with 0",
                name.name
            ));
        }
        variable.cell.kind = DataKind::Clock;
        self.declare(variable)
    }

    fn progress(&mut self, condition: Expr) -> Result<(), String> {
        self.found.declarations.progress.push(condition);
        Ok(())
    }

    /// What can only be said when all clauses are known.
    pub fn check(&self) -> Result<(), String> {
        let clocks = Clocks::of(&self.found.declarations);
        clocks.check_statements(self.system)?;
        self.found.declarations.progress.iter().try_for_each(|p| clocks.check_progress(p))?;
        let conditions = self.found.predicates.iter().chain(&self.found.ranks);
        for (text, condition) in conditions {
            if !self.is_about_data(condition) {
                return Err(format!("`{text}` is not about unbounded data only"));
            }
        }
        Ok(())
    }

    fn is_about_data(&self, condition: &Expr) -> bool {
        let variables = &self.found.declarations.variables;
        let is_data = |proctype: Option<ProctypeId>, offset: u32| {
            let holds = |v: &DataVariable| (v.offset..v.offset + v.n_cells).contains(&offset);
            variables.iter().any(|v| v.proctype == proctype && holds(v))
        };
        !condition.any(|e| match e {
            Expr::Load(place) => !is_data(None, place.offset),
            Expr::RemoteLoad { proctype, place, .. } => !is_data(Some(*proctype), place.offset),
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => false,
            _ => true,
        })
    }

    fn labels(&self, text: &str) -> Result<Vec<LabelledStatement>, String> {
        let names = annotation_names(text)
            .ok_or_else(|| format!("`{}` is not a list of labels", text.trim()))?;
        let mut all = Vec::new();
        for name in names {
            let n_before = all.len();
            for (proctype, p) in self.system.proctypes.iter_enumerated() {
                if name.proctype.as_ref().is_some_and(|wanted| *wanted != p.name) {
                    continue;
                }
                let labels = p.labels.iter().filter(|(label, _)| *label == name.name);
                all.extend(labels.map(|(label, location)| LabelledStatement {
                    proctype,
                    location: *location,
                    label: label.clone(),
                }));
            }
            if all.len() == n_before {
                return Err(format!("there is no label `{}`", name.name));
            }
        }
        Ok(all)
    }
}

fn data_variable(variable: &Variable, proctype: Option<ProctypeId>) -> DataVariable {
    let kind = DataKind::Integer(variable.cell);
    DataVariable {
        name: variable.name.clone(),
        proctype,
        offset: variable.offset,
        cell: DataCell { kind, is_parameter: false },
        n_cells: variable.n_cells,
    }
}

/// Whether an array begins with something other than zeros.
fn is_initialised(frame: &Frame, variable: &DataVariable) -> bool {
    let cells = variable.offset..variable.offset + variable.n_cells;
    frame.init.iter().any(|init| match init {
        CellInit::Value(cell, value) => cells.contains(cell) && *value != Expr::Const(0),
        CellInit::Channel(..) => false,
    })
}

/// A formula without temporal operators, as an expression.
fn expr_of(formula: &Formula, propositions: &[Expr]) -> Result<Expr, String> {
    let of = |f: &Formula| expr_of(f, propositions);
    let not = |e| Expr::Unary(UnaryOp::Not, Box::new(e));
    let both = |op, a, b| Expr::Binary(op, Box::new(a), Box::new(b));
    Ok(match formula {
        Formula::Bool(value) => Expr::Const(i32::from(*value)),
        Formula::Prop(number) => propositions[*number as usize].clone(),
        Formula::Not(a) => not(of(a)?),
        Formula::And(a, b) => both(BinaryOp::And, of(a)?, of(b)?),
        Formula::Or(a, b) => both(BinaryOp::Or, of(a)?, of(b)?),
        Formula::Implies(a, b) => both(BinaryOp::Or, not(of(a)?), of(b)?),
        Formula::Equiv(a, b) => both(BinaryOp::Eq, not(of(a)?), not(of(b)?)),
        _ => return Err("an annotation is about one state: it has no temporal operators".into()),
    })
}

/// Whether a statement stores something in a global variable.
fn is_assigned(system: &System, variable: &DataVariable) -> bool {
    let mut edges = system.proctypes.iter().flat_map(|p| p.edges.iter().flatten());
    edges.any(|edge| stores(&edge.command, variable.offset))
}

fn stores(command: &Command, offset: u32) -> bool {
    let is_it =
        |place: &resy_system::CellRef| place.scope == Scope::Global && place.offset == offset;
    match command {
        Command::Assign(place, _) => is_it(place),
        Command::Receive { patterns, .. } => {
            patterns.iter().any(|p| matches!(p, Pattern::Bind(place) if is_it(place)))
        }
        Command::DStep(d_step) => d_step.code.iter().any(|instruction| match instruction {
            Instruction::Run { command, .. } => stores(command, offset),
            Instruction::Choose(options, _) => {
                options.iter().filter_map(|o| o.guard.as_ref()).any(|c| stores(c, offset))
            }
            Instruction::Jump(_) | Instruction::End => false,
        }),
        _ => false,
    }
}
