//! The top level: proctypes, claims, declarations.

use super::decl::Declared;
use super::parser::{Parse, Parser};
use super::words::{Kind, Kw};
use crate::annotation::is_condition;
use crate::ast::{Claim, Decl, ExprKind, Init, Ltl, Name, Proctype, Size, Typedef, Unit};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

impl Parser<'_> {
    /// All units up to the end of the text.
    pub(super) fn units(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        if self.peek().kind == Kind::End && !self.src.diags.has_errors() {
            self.expected(UNIT);
        }
        loop {
            let lex = self.peek();
            if lex.kind == Kind::End {
                return units;
            }
            if lex.is_separator() {
                self.bump();
                continue;
            }
            let start = lex.span;
            let before = self.taken;
            match self.unit() {
                Ok(Some(unit)) => {
                    units.push(unit);
                    self.unit_extents.push(self.src.map.cover(start, self.last));
                }
                Ok(None) => {}
                Err(failed) => self.skip_unit(failed, before),
            }
        }
    }

    /// A unit; `None` for one that is not part of the program.
    pub(super) fn unit(&mut self) -> Parse<Option<Unit>> {
        if self.at_declaration() {
            return self.global_declaration().map(Some);
        }
        let Kind::Kw(kw) = self.peek().kind else {
            return Err(self.expected(UNIT));
        };
        match kw {
            Kw::Active | Kw::Proctype | Kw::DProctype => {
                self.proctype().map(|p| p.map(Unit::Proctype))
            }
            Kw::Init => self.init().map(|i| Some(Unit::Init(i))),
            Kw::Never => self.never().map(|c| Some(Unit::Never(c))),
            Kw::Trace | Kw::Notrace => self.trace().map(|c| Some(Unit::Trace(c))),
            Kw::Ltl => self.ltl().map(|l| Some(Unit::Ltl(l))),
            Kw::Typedef => self.typedef().map(|t| Some(Unit::Typedef(t))),
            Kw::Inline => Ok(self.inline_definition()?.map(Unit::Inline)),
            Kw::CCode | Kw::CDecl => self.embedded_c().map(|_| None),
            Kw::CState | Kw::CTrack => self.c_state().map(|()| None),
            _ => Err(self.expected(UNIT)),
        }
    }

    fn global_declaration(&mut self) -> Parse<Unit> {
        Ok(match self.declaration()? {
            Declared::Vars(decl) => Unit::Decl(decl),
            Declared::Mtype(mtype, _) => Unit::Mtype(mtype),
        })
    }

    /// `None` if the head cannot be read up to the name. A mistake behind the name loses the
    /// rest of the head only.
    fn proctype(&mut self) -> Parse<Option<Proctype>> {
        let mut head = None;
        if let Err(failed) = self.proctype_head(&mut head) {
            self.skip_to_body(failed);
            if !self.at(Punct::LBrace) {
                return Ok(head);
            }
        }
        let body = self.body()?;
        Ok(head.map(|head| Proctype { body, ..head }))
    }

    /// Everything but the body; `head` is set as soon as the name is known.
    fn proctype_head(&mut self, head: &mut Option<Proctype>) -> Parse<()> {
        let active = self.active()?;
        let deterministic = match self.peek().kind {
            Kind::Kw(Kw::Proctype) => false,
            Kind::Kw(Kw::DProctype) => true,
            _ => return Err(self.expected("`proctype`")),
        };
        self.bump();
        let name = self.new_name("the name of the proctype")?;
        self.src.names.declare_proctype(&name.text);
        let body = crate::ast::Block { steps: Vec::new(), span: name.span };
        let head = head.insert(Proctype {
            active,
            deterministic,
            name,
            params: Vec::new(),
            priority: None,
            provided: None,
            body,
        });
        self.expect(Punct::LParen, "after the name of the proctype")?;
        self.parameters(&mut head.params)?;
        self.expect(Punct::RParen, "after the parameters of the proctype")?;
        head.priority = self.priority()?;
        if self.eat_kw(Kw::Provided) {
            self.expect(Punct::LParen, "after `provided`")?;
            head.provided = Some(self.full_expr()?);
            self.expect(Punct::RParen, "after the condition of `provided`")?;
        }
        if !self.at(Punct::LBrace) {
            return Err(self.expected("`{` before the body of the proctype"));
        }
        Ok(())
    }

    fn active(&mut self) -> Parse<Option<Option<Size>>> {
        if !self.eat_kw(Kw::Active) {
            return Ok(None);
        }
        if self.at(Punct::LBracket) {
            return Ok(Some(Some(self.size()?)));
        }
        Ok(Some(None))
    }

    fn parameters(&mut self, params: &mut Vec<Decl>) -> Parse<()> {
        if !self.at(Punct::RParen) {
            loop {
                let decl = self.variables_only()?;
                if decl.vars.iter().any(|v| v.init.is_some()) {
                    let message = "a parameter cannot be initialised";
                    return Err(self.fail(Diagnostic::new(Code::Declaration, decl.span, message)));
                }
                params.push(decl);
                if !self.eat(Punct::Semi) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A name that must not be known for something else.
    fn new_name(&mut self, what: &str) -> Parse<Name> {
        let lex = self.peek().clone();
        let (Kind::ProcName(text)
        | Kind::TypeName(text)
        | Kind::InlineName(text)
        | Kind::Mtype(text, _)) = &lex.kind
        else {
            return self.name(what);
        };
        let message = format!("the name `{text}` is taken: it is {}", lex.describe());
        Err(self.fail(Diagnostic::new(Code::Redeclared, lex.span, message)))
    }

    fn init(&mut self) -> Parse<Init> {
        let span = self.bump().span;
        let priority = self.priority()?;
        Ok(Init { priority, body: self.body()?, span })
    }

    fn never(&mut self) -> Parse<Claim> {
        let span = self.bump().span;
        let name = self.optional_name("the name of the claim or `{`")?;
        Ok(Claim { negated: false, name, body: self.body()?, span })
    }

    fn optional_name(&mut self, what: &str) -> Parse<Option<Name>> {
        if self.at(Punct::LBrace) { Ok(None) } else { self.name(what).map(Some) }
    }

    fn trace(&mut self) -> Parse<Claim> {
        let lex = self.bump();
        let negated = lex.is_kw(Kw::Notrace);
        Ok(Claim { negated, name: None, body: self.body()?, span: lex.span })
    }

    fn ltl(&mut self) -> Parse<Ltl> {
        let span: Span = self.bump().span;
        let name = self.optional_name("the name of the formula or `{`")?;
        let open = self.expect(Punct::LBrace, "before the formula")?;
        self.src.in_ltl = true;
        self.src.in_condition = name.as_ref().is_some_and(|name| is_condition(&name.text));
        let formula = self.ltl_body(open);
        (self.src.in_ltl, self.src.in_condition) = (false, false);
        Ok(Ltl { name, formula: formula?, span })
    }

    fn ltl_body(&mut self, open: Span) -> Parse<crate::ast::Expr> {
        let formula = self.full_expr()?;
        self.eat(Punct::Semi);
        if self.peek().kind == Kind::End {
            return Err(self.fail(Diagnostic::new(Code::Syntax, open, "this `{` is not closed")));
        }
        if self.at(Punct::LParen)
            && let ExprKind::Var(operator) = &formula.kind
            && let [part] = &operator.parts[..]
            && let Some(hint) = super::hints::for_operator(&part.name.text)
        {
            let message = format!("`{}` is no temporal operator of Promela", part.name.text);
            let diagnostic = Diagnostic::new(Code::Syntax, formula.span, message);
            return Err(self.fail(diagnostic.hint(hint)));
        }
        self.expect(Punct::RBrace, "after the formula")?;
        Ok(formula)
    }

    fn typedef(&mut self) -> Parse<Typedef> {
        self.bump();
        let name = self.new_name("the name of the type")?;
        let open = self.expect(Punct::LBrace, "after the name of the type")?;
        self.src.in_body = true;
        let fields = self.fields(open);
        self.src.in_body = false;
        // The name is declared even if a field has an error, so that its uses are not reported.
        self.src.names.declare_type(&name.text);
        Ok(Typedef { name, fields: fields? })
    }

    fn fields(&mut self, open: Span) -> Parse<Vec<Decl>> {
        let mut fields = vec![self.variables_only()?];
        while self.eat(Punct::Semi) {
            fields.push(self.variables_only()?);
        }
        if self.peek().kind == Kind::End {
            return Err(self.fail(Diagnostic::new(Code::Syntax, open, "this `{` is not closed")));
        }
        self.expect(Punct::RBrace, "or `;` after a field")?;
        Ok(fields)
    }
}

const UNIT: &str = "a declaration, a proctype, `init` or a claim";
