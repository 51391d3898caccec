//! How an atom is joined to its neighbours on the line.

use super::atom::{Atom, AtomKind};
use super::names::Names;
use super::nest::{GroupId, GroupKind, Nesting, Role};
use super::words::{WordClass, class, is_temporal};

/// How an atom is joined to its neighbours.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A value, or the end of one.
    Operand,
    /// A word before arguments in parentheses.
    Function,
    /// A word that stands apart.
    Keyword,
    /// `else`, `fi`, `od`: stands apart, and a statement may end with it.
    End,
    /// An operator before its operand.
    Prefix,
    /// `++` and `--`.
    Postfix,
    /// An operator between blanks.
    Infix,
    /// `;`, `->` and `::`, with a blank before the latter two.
    Separator,
    /// `,`.
    Comma,
    /// `[]` and `<>`: apart from what follows, unless that is one too.
    Modal,
    /// An operator without blanks around it.
    Tight,
    /// A name before the colon of a label.
    Label,
    /// The colon of a label.
    LabelEnd,
    /// `(`, `[`, and `<` of a receive that leaves the message.
    Open,
    /// Their counterparts.
    Close,
    /// `{`.
    OpenBrace,
    /// `}`.
    CloseBrace,
    /// A comment or a directive.
    Aside,
    /// Blanks are left as they are.
    AsWritten,
}

impl Form {
    /// Whether an operator after it stands between two operands.
    pub(super) fn ends_operand(self) -> bool {
        matches!(self, Self::Operand | Self::Close | Self::Postfix)
    }

    /// Whether a statement can begin after it on the same line.
    pub(super) fn ends_statement(self) -> bool {
        use Form::*;
        matches!(self, OpenBrace | CloseBrace | LabelEnd | End | Separator)
    }
}

/// The form of every atom.
pub(super) fn forms(atoms: &[Atom<'_>], nesting: &Nesting, names: &Names<'_>) -> Vec<Form> {
    let mut former = Former {
        atoms,
        nesting,
        names,
        last: "",
        form: Form::Separator,
        colons: vec![false; nesting.len()],
        angle: None,
    };
    let mut forms = vec![Form::Aside; atoms.len()];
    for (i, atom) in atoms.iter().enumerate() {
        if atom.is_code() {
            forms[i] = former.form(i);
            (former.form, former.last) = (forms[i], atom.text);
        }
    }
    forms
}

struct Former<'t, 'a> {
    atoms: &'t [Atom<'a>],
    nesting: &'t Nesting,
    names: &'t Names<'a>,
    /// The last atom of code, and its form.
    last: &'a str,
    form: Form,
    /// For each group, whether a colon in it stands between blanks.
    colons: Vec<bool>,
    /// The group in which a `?<` is open.
    angle: Option<GroupId>,
}

impl Former<'_, '_> {
    fn form(&mut self, i: usize) -> Form {
        let atom = &self.atoms[i];
        let (role, group) = self.nesting.places[i];
        match atom.kind {
            AtomKind::Word => self.word(i, group),
            AtomKind::Punct => {
                if let Role::Open(opened) = role {
                    self.colons[opened as usize] = matches!(self.last, "for" | "select");
                }
                self.punct(atom.text, group)
            }
            AtomKind::Other => Form::AsWritten,
            _ => Form::Operand,
        }
    }

    fn word(&self, i: usize, group: GroupId) -> Form {
        let text = self.atoms[i].text;
        if self.nesting.group(group).in_formula && is_temporal(text) {
            return Form::Keyword;
        }
        if text == "in" && self.colons[group as usize] && self.form.ends_operand() {
            return Form::Keyword;
        }
        match class(text) {
            WordClass::Operand if self.is_label(i, group) => Form::Label,
            WordClass::Operand => Form::Operand,
            WordClass::Function => Form::Function,
            WordClass::Keyword => Form::Keyword,
            WordClass::End => Form::End,
        }
    }

    fn is_label(&self, i: usize, group: GroupId) -> bool {
        let atom = &self.atoms[i];
        let before_colon = self.atoms.get(i + 1).is_some_and(|a| a.is(":") && a.newlines == 0);
        let kind = self.nesting.group(group).kind;
        let after_line = atom.newlines > 0 && self.form.ends_operand();
        before_colon
            && matches!(kind, GroupKind::Block | GroupKind::Choice)
            && (self.form.ends_statement() || after_line)
            && !self.names.is_proctype(atom.text)
    }

    fn punct(&mut self, text: &str, group: GroupId) -> Form {
        let operand = self.form.ends_operand();
        let in_formula = self.nesting.group(group).in_formula;
        if matches!(text, ";" | "->" | "::") {
            self.angle = None;
        }
        match text {
            "(" | "[" => Form::Open,
            ")" | "]" => Form::Close,
            "{" => Form::OpenBrace,
            "}" => Form::CloseBrace,
            "," => Form::Comma,
            "->" if self.nesting.group(group).kind == GroupKind::Paren => {
                self.colons[group as usize] |= !in_formula;
                Form::Infix
            }
            ";" | "->" | "-->" | "::" => Form::Separator,
            "[]" | "<>" => Form::Modal,
            "." | "@" | "?" | "??" => Form::Tight,
            "!" | "!!" if operand && !in_formula => Form::Tight,
            "!" | "!!" | "~" => Form::Prefix,
            "-" | "+" if !operand => Form::Prefix,
            "++" | "--" if operand => Form::Postfix,
            "++" | "--" => Form::Prefix,
            "<" if matches!(self.last, "?" | "??") => {
                self.angle = Some(group);
                Form::Open
            }
            ">" if self.angle == Some(group) => {
                self.angle = None;
                Form::Close
            }
            ":" => self.colon(group),
            "#" | "##" | "$" | "\\" | "*/" => Form::AsWritten,
            _ => Form::Infix,
        }
    }

    fn colon(&self, group: GroupId) -> Form {
        let kind = self.nesting.group(group).kind;
        match self.form {
            Form::Label => Form::LabelEnd,
            _ if self.last == "mtype" => Form::Tight,
            _ if self.colons[group as usize] => Form::Infix,
            _ if matches!(kind, GroupKind::Paren | GroupKind::Formula) => Form::Tight,
            // `P[0]:x` and `P:x` are variables of processes, `unsigned x : 3` is a width.
            Form::Close => Form::Tight,
            _ if self.names.is_proctype(self.last) => Form::Tight,
            _ => Form::Infix,
        }
    }
}
