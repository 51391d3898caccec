//! Lines: where they break, how deep they are, which empty ones remain.

use super::atom::{Atom, AtomKind};
use super::form::Form;
use super::gap::blank_between;
use super::nest::{GroupId, GroupKind, Nesting, Role};
use super::text::{end_line, end_text, push_lines, trimmed};

const INDENT: &str = "    ";

/// Lines are not indented deeper than this: the output stays linear in the text.
const MAX_LEVEL: u32 = 40;

/// Prints the atoms to `out`.
pub(super) fn lay_out(atoms: &[Atom<'_>], nesting: &Nesting, forms: &[Form], out: &mut String) {
    let leads = leads(atoms);
    let mut layout = Layout {
        atoms,
        nesting,
        forms,
        leads: &leads,
        out,
        code: None,
        line_has_code: false,
        after_unit: false,
    };
    for i in 0..atoms.len() {
        layout.put(i);
    }
    if let Some(last) = atoms.last() {
        end_text(out, last);
    }
}

/// For each atom the code that its line is indented for: the atom itself, or
/// the next code after a comment, if no directive stands between.
fn leads(atoms: &[Atom<'_>]) -> Vec<Option<u32>> {
    let mut leads = vec![None; atoms.len()];
    let mut next = None;
    for (i, atom) in atoms.iter().enumerate().rev() {
        next = match atom.kind {
            AtomKind::Directive => None,
            _ if atom.is_code() => Some(i as u32),
            _ => next,
        };
        leads[i] = next;
    }
    leads
}

struct Layout<'t, 'a> {
    atoms: &'t [Atom<'a>],
    nesting: &'t Nesting,
    forms: &'t [Form],
    leads: &'t [Option<u32>],
    out: &'t mut String,
    /// The last code that was printed.
    code: Option<usize>,
    /// Whether there is code on the line being printed.
    line_has_code: bool,
    /// A long unit was closed, and no empty line has followed yet.
    after_unit: bool,
}

impl Layout<'_, '_> {
    fn put(&mut self, i: usize) {
        let atom = &self.atoms[i];
        if i == 0 {
            self.indent(i);
        } else if atom.newlines > 0 || self.must_break(i) {
            self.break_line(i);
        } else {
            self.gap(i);
        }
        self.put_text(atom);
        if atom.is_code() {
            self.code = Some(i);
            self.line_has_code = true;
            self.after_unit = match self.nesting.places[i].0 {
                Role::Close(group) => self.nesting.is_long_unit(group),
                _ => self.after_unit && atom.is(";"),
            };
        }
    }

    /// Whether the line is broken before an atom where the author did not.
    fn must_break(&self, i: usize) -> bool {
        let atom = &self.atoms[i];
        if atom.kind == AtomKind::Directive {
            return true;
        }
        let Some(last) = self.code.filter(|_| self.line_has_code && atom.is_code()) else {
            return false;
        };
        // These would become a directive, or join the lines, or lines are counted here.
        if atom.text.starts_with('#') || self.atoms[i - 1].text.ends_with('\\') || atom.keep {
            return false;
        }
        let (role, around) = self.nesting.places[i];
        let opens = matches!(self.nesting.places[last].0, Role::Open(group) if self.is_long(group));
        let unit_ends = self.after_unit && atom.kind == AtomKind::Word;
        opens
            || unit_ends
            || match role {
                Role::Close(group) => self.is_long(group),
                Role::Option => self.is_long(around),
                _ => false,
            }
    }

    /// Whether the group is laid out over several lines.
    fn is_long(&self, group: GroupId) -> bool {
        let group = self.nesting.group(group);
        group.broken && !group.in_parens
    }

    fn break_line(&mut self, i: usize) {
        let atom = &self.atoms[i];
        end_line(self.out);
        if self.wants_empty_line(i) {
            self.out.push('\n');
        }
        let goes_on = atom.kind == AtomKind::Directive && goes_on(atom.text) || atom.is(";");
        self.after_unit &= goes_on;
        self.line_has_code = false;
        self.indent(i);
    }

    fn wants_empty_line(&self, i: usize) -> bool {
        let atom = &self.atoms[i];
        let goes_on = atom.kind == AtomKind::Directive && goes_on(atom.text) || atom.is(";");
        let opened = self.is_long_edge(i - 1, |role| match role {
            Role::Open(group) => Some(group),
            _ => None,
        });
        let closes = self.is_long_edge(i, |role| match role {
            Role::Close(group) => Some(group),
            _ => None,
        });
        let wanted = atom.newlines > 1 || self.after_unit && !goes_on;
        wanted && !opened && !closes
    }

    fn is_long_edge(&self, i: usize, group: impl Fn(Role) -> Option<GroupId>) -> bool {
        group(self.nesting.places[i].0).is_some_and(|g| self.is_long(g))
    }

    fn indent(&mut self, i: usize) {
        if self.atoms[i].kind != AtomKind::Directive {
            for _ in 0..self.level(i).min(MAX_LEVEL) {
                self.out.push_str(INDENT);
            }
        }
    }

    /// The indentation of a line that begins with atom `i`.
    fn level(&self, i: usize) -> u32 {
        let group = self.nesting.group(self.nesting.places[i].1);
        let Some(lead) = self.leads[i].map(|l| l as usize) else { return group.level };
        let (role, around) = self.nesting.places[lead];
        let group = self.nesting.group(around);
        match role {
            Role::Close(closed) if lead > i => self.nesting.group(closed).level,
            Role::Close(closed) => self.nesting.group(closed).level.saturating_sub(1),
            Role::Option => group.level - 1,
            _ if self.forms[lead] == Form::Label => group.level - 1,
            _ => group.level + u32::from(self.continues(lead, group.kind)),
        }
    }

    /// Whether the atom goes on with a statement of the line before.
    fn continues(&self, i: usize, kind: GroupKind) -> bool {
        let Some(last) = self.code else { return false };
        let in_statement = matches!(kind, GroupKind::Root | GroupKind::Block | GroupKind::Choice);
        let form = self.forms[i];
        if !in_statement || form == Form::OpenBrace {
            return false;
        }
        let open_end = match self.forms[last] {
            Form::Comma | Form::Prefix | Form::Tight | Form::Infix | Form::Function => true,
            Form::Keyword => !matches!(self.nesting.places[last].0, Role::Open(_)),
            _ => false,
        };
        open_end || matches!(form, Form::Infix | Form::Tight | Form::Comma)
    }

    fn gap(&mut self, i: usize) {
        let (left, right) = (&self.atoms[i - 1], &self.atoms[i]);
        if right.before.contains('\\') {
            push_lines(self.out, right.before);
            return;
        }
        let (before, after) = (self.forms[i - 1], self.forms[i]);
        let ends_line = match self.atoms.get(i + 1) {
            Some(next) => next.newlines > 0 || self.must_break(i + 1),
            None => true,
        };
        let n_blanks = match (left.is_comment(), right.is_comment()) {
            (false, true) if ends_line && self.line_has_code => 2,
            (_, true) => usize::from(!matches!(before, Form::Open)),
            (true, false) => usize::from(!matches!(after, Form::Close | Form::Comma)),
            (false, false) => usize::from(blank_between((left, before), (right, after))),
        };
        self.out.push_str(&INDENT[..n_blanks]);
    }

    fn put_text(&mut self, atom: &Atom<'_>) {
        match atom.kind {
            AtomKind::LineComment | AtomKind::Directive => push_lines(self.out, trimmed(atom.text)),
            _ => push_lines(self.out, atom.text),
        }
    }
}

/// Whether a directive belongs to the `#if` before it.
fn goes_on(directive: &str) -> bool {
    directive.trim_start_matches('#').trim_start().starts_with('e')
}
