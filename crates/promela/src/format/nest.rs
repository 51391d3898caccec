//! Which group each atom lies in.
//!
//! Groups are `{ }`, `if fi`, `do od`, `( )` and `[ ]`. They form a tree with
//! links to the parents, so that a place in it is one number: each branch of a
//! conditional (`#if`) begins at the place where the first one began. Text that
//! does not pair up is accepted: a closing token without partner is a token like
//! any other, and one that closes an outer group closes the inner ones with it.

use super::atom::{Atom, AtomKind};

/// A group, by its number.
pub(super) type GroupId = u32;

/// The text as a whole.
pub(super) const ROOT: GroupId = 0;

/// The kinds of groups.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum GroupKind {
    Root,
    /// `{ }` around statements or declarations.
    Block,
    /// `{ }` around a list of values.
    List,
    /// `{ }` around a formula.
    Formula,
    /// `if fi` or `do od`.
    Choice,
    /// Parentheses or brackets.
    Paren,
}

/// A group.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) kind: GroupKind,
    parent: GroupId,
    /// The innermost group that is not in parentheses, possibly this one.
    plain: GroupId,
    /// The innermost group in braces, possibly this one.
    braces: GroupId,
    /// The indentation of the lines in it.
    pub(super) level: u32,
    /// It is in parentheses: perhaps an argument of a macro.
    pub(super) in_parens: bool,
    /// It is part of a formula.
    pub(super) in_formula: bool,
    line: u32,
    /// It is closed on another line than it was opened on.
    pub(super) broken: bool,
}

/// What an atom does to the groups.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// It opens this group.
    Open(GroupId),
    /// It closes this group.
    Close(GroupId),
    /// `::` of a choice.
    Option,
}

/// The groups of a text.
pub(super) struct Nesting {
    groups: Vec<Group>,
    /// For each atom its role, and the group that it lies in; for an atom that
    /// opens or closes a group, the one around that.
    pub(super) places: Vec<(Role, GroupId)>,
}

impl Nesting {
    /// The number of groups.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    pub(super) fn group(&self, id: GroupId) -> &Group {
        &self.groups[id as usize]
    }

    /// Whether the group is a unit's body over several lines.
    pub(super) fn is_long_unit(&self, id: GroupId) -> bool {
        let group = self.group(id);
        group.broken && group.parent == ROOT && group.kind == GroupKind::Block
    }
}

/// Finds the groups.
pub(super) fn nest(atoms: &[Atom<'_>]) -> Nesting {
    let root = Group {
        kind: GroupKind::Root,
        parent: ROOT,
        plain: ROOT,
        braces: ROOT,
        level: 0,
        in_parens: false,
        in_formula: false,
        line: 0,
        broken: true,
    };
    let nesting = Nesting { groups: vec![root], places: Vec::with_capacity(atoms.len()) };
    let mut nester =
        Nester { nesting, current: ROOT, line: 0, branches: Vec::new(), last: [""; 2] };
    for atom in atoms {
        nester.line += atom.newlines;
        let place = nester.place(atom);
        nester.nesting.places.push(place);
        nester.line += atom.inner_newlines();
        if atom.is_code() {
            nester.last = [nester.last[1], atom.text];
        }
    }
    nester.nesting
}

/// An `#if` that is open: where its branches begin, and where the first one ended.
struct Branches {
    start: GroupId,
    end: Option<GroupId>,
}

struct Nester<'a> {
    nesting: Nesting,
    current: GroupId,
    line: u32,
    branches: Vec<Branches>,
    /// The last two atoms of code.
    last: [&'a str; 2],
}

impl Nester<'_> {
    fn place(&mut self, atom: &Atom<'_>) -> (Role, GroupId) {
        let around = self.current;
        let role = match (atom.kind, atom.text) {
            (AtomKind::Directive, text) => {
                self.directive(text);
                Role::Plain
            }
            (AtomKind::Punct, "(" | "[") => self.open(GroupKind::Paren),
            (AtomKind::Punct, "{") => self.open(self.brace_kind()),
            (AtomKind::Word, "if" | "do") => self.open(GroupKind::Choice),
            (AtomKind::Punct, ")" | "]") => self.close(self.current, GroupKind::Paren),
            (AtomKind::Word, "fi" | "od") => {
                self.close(self.nesting.group(self.current).plain, GroupKind::Choice)
            }
            (AtomKind::Punct, "}") => {
                let braces = self.nesting.group(self.current).braces;
                self.close(braces, self.nesting.group(braces).kind)
            }
            (AtomKind::Punct, "::") if self.in_choice() => Role::Option,
            _ => Role::Plain,
        };
        match role {
            Role::Close(_) => (role, self.current),
            _ => (role, around),
        }
    }

    fn in_choice(&self) -> bool {
        self.nesting.group(self.current).kind == GroupKind::Choice
    }

    fn brace_kind(&self) -> GroupKind {
        let in_list = self.nesting.group(self.current).kind == GroupKind::List;
        match self.last {
            [_, "ltl"] | ["ltl", _] => GroupKind::Formula,
            [_, "=" | "mtype" | "of"] => GroupKind::List,
            _ if in_list => GroupKind::List,
            _ => GroupKind::Block,
        }
    }

    fn open(&mut self, kind: GroupKind) -> Role {
        let outer = self.nesting.group(self.current);
        let id = self.nesting.groups.len() as GroupId;
        let in_row = kind == GroupKind::Paren && outer.kind == GroupKind::Paren;
        let is_braces = !matches!(kind, GroupKind::Choice | GroupKind::Paren);
        let group = Group {
            kind,
            parent: self.current,
            plain: if kind == GroupKind::Paren { outer.plain } else { id },
            braces: if is_braces { id } else { outer.braces },
            level: if in_row { outer.level } else { outer.level + 1 },
            in_parens: outer.in_parens || kind == GroupKind::Paren,
            in_formula: outer.in_formula || kind == GroupKind::Formula,
            line: self.line,
            broken: false,
        };
        self.nesting.groups.push(group);
        self.current = id;
        Role::Open(id)
    }

    /// Closes `id` if it is a group of this kind.
    fn close(&mut self, id: GroupId, kind: GroupKind) -> Role {
        let line = self.line;
        let group = &mut self.nesting.groups[id as usize];
        if id == ROOT || group.kind != kind {
            return Role::Plain;
        }
        group.broken |= line > group.line;
        self.current = group.parent;
        Role::Close(id)
    }

    fn directive(&mut self, text: &str) {
        let word = text.trim_start_matches('#').trim_start();
        if word.starts_with("if") {
            self.branches.push(Branches { start: self.current, end: None });
        } else if word.starts_with("el") {
            if let Some(branches) = self.branches.last_mut() {
                branches.end.get_or_insert(self.current);
                self.current = branches.start;
            }
        } else if word.starts_with("endif")
            && let Some(Branches { end: Some(end), .. }) = self.branches.pop()
        {
            self.current = end;
        }
    }
}
