//! Declarations of variables and of `mtype` constants.

use super::parser::{Parse, Parser};
use super::words::{Kind, Kw, type_word};
use crate::ast::{
    BasicType, ChanInit, Decl, Initialiser, MtypeDecl, Name, TypeName, VarDecl, Visibility,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

/// What a declaration declares.
pub(super) enum Declared {
    Vars(Decl),
    /// With its span.
    Mtype(MtypeDecl, Span),
}

impl Parser<'_> {
    /// Whether a declaration begins here.
    pub(super) fn at_declaration(&mut self) -> bool {
        matches!(
            self.peek().kind,
            Kind::Type(_) | Kind::TypeName(_) | Kind::Kw(Kw::Hidden | Kw::Show | Kw::Local)
        )
    }

    pub(super) fn declaration(&mut self) -> Parse<Declared> {
        let start = self.peek().span;
        let visibility = match self.peek().kind {
            Kind::Kw(Kw::Hidden) => Some(Visibility::Hidden),
            Kind::Kw(Kw::Show) => Some(Visibility::Show),
            Kind::Kw(Kw::Local) => Some(Visibility::Local),
            _ => None,
        };
        if visibility.is_some() {
            self.bump();
        }
        let ty = match self.peek().kind.clone() {
            Kind::TypeName(text) => TypeName::User(Name { text, span: self.bump().span }),
            Kind::Type(basic) => {
                self.bump();
                let subtype = self.subtype()?;
                if matches!(self.peek().kind, Kind::Punct(Punct::Assign | Punct::LBrace)) {
                    return self.constants(basic, subtype, start);
                }
                TypeName::Basic(basic, subtype)
            }
            _ => return Err(self.expected("a type")),
        };
        let vars = self.variables()?;
        let span = self.src.map.cover(start, self.last);
        Ok(Declared::Vars(Decl { visibility, ty, vars, span }))
    }

    /// A declaration where no `mtype` constants can be declared.
    pub(super) fn variables_only(&mut self) -> Parse<Decl> {
        match self.declaration()? {
            Declared::Vars(decl) => Ok(decl),
            Declared::Mtype(_, span) => {
                let message = "an `mtype` can only be declared outside of everything else";
                Err(self.fail(Diagnostic::new(Code::Declaration, span, message)))
            }
        }
    }

    fn subtype(&mut self) -> Parse<Option<Name>> {
        if !self.eat(Punct::Colon) {
            return Ok(None);
        }
        Ok(Some(self.name("the name of a subtype")?))
    }

    /// `= { a, b }` or `{ a, b }`, after `mtype`. The commas are optional.
    fn constants(
        &mut self,
        basic: BasicType,
        subtype: Option<Name>,
        start: Span,
    ) -> Parse<Declared> {
        // `mtype:sub { … }` without `=` is not in the grammar, `mtype { … }` is.
        if subtype.is_some() && !self.at(Punct::Assign) {
            return Err(self.expected("`=` after the subtype"));
        }
        if basic != BasicType::Mtype {
            let found = format!("the name of a variable after `{}`", type_word(basic));
            return Err(self.expected(&found));
        }
        self.eat(Punct::Assign);
        self.expect(Punct::LBrace, "before the names of the `mtype`")?;
        let mut names = vec![self.constant_name()?];
        loop {
            if self.eat(Punct::Comma) {
                continue;
            }
            if self.at(Punct::RBrace) {
                let span = start.to(self.bump().span);
                self.src.names.declare_mtype(subtype.as_ref(), &names);
                return Ok(Declared::Mtype(MtypeDecl { subtype, names }, span));
            }
            names.push(self.constant_name()?);
        }
    }

    fn constant_name(&mut self) -> Parse<Name> {
        if let Kind::Mtype(text, _) = &self.peek().kind {
            let message = format!("the constant `{text}` is declared twice");
            let span = self.peek().span;
            return Err(self.fail(Diagnostic::new(Code::Redeclared, span, message)));
        }
        self.name("the name of an `mtype` constant or `}`")
    }

    fn variables(&mut self) -> Parse<Vec<VarDecl>> {
        let mut vars = vec![self.variable_declaration()?];
        while self.eat(Punct::Comma) {
            if matches!(self.peek().kind, Kind::Type(_) | Kind::TypeName(_)) {
                let lex = self.peek().clone();
                let message = format!("expected the name of a variable, found {}", lex.describe());
                let hint = "declarations of different types are separated by `;`";
                return Err(self.fail(Diagnostic::new(Code::Syntax, lex.span, message).hint(hint)));
            }
            vars.push(self.variable_declaration()?);
        }
        Ok(vars)
    }

    fn variable_declaration(&mut self) -> Parse<VarDecl> {
        let name = self.name("the name of a variable")?;
        let (mut width, mut array) = (None, None);
        if self.eat(Punct::Colon) {
            width = self.peek_constant();
            if width.is_none() {
                return Err(self.expected("the number of bits"));
            }
            self.bump();
        } else if self.at(Punct::LBracket) {
            array = Some(self.size()?);
        }
        let init = if self.eat(Punct::Assign) { Some(self.initialiser()?) } else { None };
        Ok(VarDecl { name, width, array, init })
    }

    fn initialiser(&mut self) -> Parse<Initialiser> {
        if self.at(Punct::LBracket) {
            return Ok(Initialiser::Chan(self.channel()?));
        }
        if !self.eat(Punct::LBrace) {
            return Ok(Initialiser::Expr(self.expr()?));
        }
        let mut list = vec![self.constant()?];
        while self.eat(Punct::Comma) {
            list.push(self.constant()?);
        }
        self.expect(Punct::RBrace, "after the list of constants")?;
        Ok(Initialiser::List(list))
    }

    /// `[n] of { types }`.
    fn channel(&mut self) -> Parse<ChanInit> {
        let start = self.bump().span;
        let capacity = self.const_expr()?;
        self.expect(Punct::RBracket, "after the capacity of the channel")?;
        if !self.eat_kw(Kw::Of) {
            return Err(self.expected("`of` after the capacity of the channel"));
        }
        self.expect(Punct::LBrace, "before the types of a message")?;
        let mut fields = vec![self.message_type()?];
        while self.eat(Punct::Comma) {
            fields.push(self.message_type()?);
        }
        let end = self.expect(Punct::RBrace, "after the types of a message")?;
        Ok(ChanInit { capacity, fields, span: start.to(end) })
    }

    fn message_type(&mut self) -> Parse<TypeName> {
        match self.peek().kind.clone() {
            Kind::TypeName(text) => Ok(TypeName::User(Name { text, span: self.bump().span })),
            Kind::Type(basic) => {
                self.bump();
                Ok(TypeName::Basic(basic, self.subtype()?))
            }
            _ => Err(self.expected("the type of a message field")),
        }
    }
}
