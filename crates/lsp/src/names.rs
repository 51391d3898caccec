//! The names of a document, whatever its language: declarations, and what each name refers to.

use resy_fsp::{FspNameKind, FspSymbols};
use resy_promela::symbols::DeclarationKind;
use resy_promela::{SourceMap, Span, Symbols};
use std::ops::Range;

/// What a name stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    Variable,
    Channel,
    Parameter,
    /// A proctype, or a process of FSP.
    Process,
    /// `init`.
    Init,
    /// A `never` claim or event trace.
    Claim,
    /// An `ltl` formula, or an `assert` or `progress` of FSP.
    Formula,
    /// A safety property of FSP.
    SafetyProperty,
    /// A composite of FSP.
    Composite,
    Inline,
    Macro,
    Constant,
    /// A typedef, a subtype of `mtype`, a range or set of FSP.
    Type,
    Field,
    /// A label, or a local process of FSP.
    Label,
    Fluent,
    Action,
}

/// A range of a file of the document; file 0 is the document itself.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: usize,
    pub start: usize,
    pub end: usize,
}

impl Place {
    pub fn touches(self, offset: usize) -> bool {
        self.file == 0 && self.start <= offset && offset <= self.end
    }

    pub fn contains(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Entry {
    pub kind: NameKind,
    pub name: String,
    pub name_place: Place,
    pub place: Place,
    /// What it belongs to, by its index.
    pub container: Option<usize>,
    /// Where in the document the name alone refers to it; `None` for everywhere.
    pub visible: Option<Range<usize>>,
    /// The declaration on one line.
    pub detail: String,
}

/// A name that refers to an entry.
#[derive(Copy, Clone, Debug)]
pub struct NamePlace {
    pub place: Place,
    pub entry: usize,
    pub writes: bool,
}

/// The names of a document.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub entries: Vec<Entry>,
    pub uses: Vec<NamePlace>,
}

impl Names {
    /// The names of a Promela program.
    pub fn of_promela(symbols: &Symbols, map: &SourceMap) -> Self {
        let main = map.files().next().map_or(0, |(_, file)| file.start);
        let ids: Vec<_> = symbols.declarations().map(|(id, _)| id).collect();
        let index = |id| ids.binary_search(&id).ok();
        let entries = symbols.declarations().map(|(_, d)| Entry {
            kind: kind_of(d.kind),
            name: d.name.to_string(),
            name_place: place_of(map, d.name_span),
            place: place_of(map, d.span),
            container: d.container.and_then(index),
            visible: d.visible.as_ref().map(|range| {
                let offset = |at: u32| at.saturating_sub(main) as usize;
                offset(range.start)..offset(range.end)
            }),
            detail: d.detail.clone(),
        });
        let uses = symbols.uses().iter().filter_map(|u| {
            let (place, writes) = (place_of(map, u.span), u.writes);
            Some(NamePlace { place, entry: index(u.declaration)?, writes })
        });
        Self { entries: entries.collect(), uses: uses.collect() }
    }

    /// The names of processes in FSP.
    pub fn of_fsp(symbols: &FspSymbols, text: &str) -> Self {
        let place = |span: resy_fsp::Span| Place {
            file: 0,
            start: span.start as usize,
            end: span.end as usize,
        };
        let entries = symbols.declarations.iter().map(|d| Entry {
            kind: kind_of_fsp(d.kind),
            name: d.name.clone(),
            name_place: place(d.name_span),
            place: place(d.span),
            container: d.container,
            visible: d.container.map(|c| {
                let around = symbols.declarations[c].span;
                around.start as usize..around.end as usize
            }),
            detail: match d.kind {
                FspNameKind::Action => format!("action {}", d.name),
                _ => first_line(d.span.text(text)),
            },
        });
        let uses = symbols.uses.iter();
        let uses = uses.map(|&(at, entry)| NamePlace { place: place(at), entry, writes: false });
        Self { entries: entries.collect(), uses: uses.collect() }
    }

    /// The entries that the name at an offset of the document declares or refers to.
    pub fn at(&self, offset: usize) -> Vec<usize> {
        let declared = self.entries.iter().enumerate();
        let declared = declared.filter(|(_, e)| e.name_place.touches(offset)).map(|(i, _)| i);
        let used = self.uses.iter().filter(|u| u.place.touches(offset)).map(|u| u.entry);
        let mut found: Vec<usize> = declared.chain(used).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The place of the name at an offset.
    pub fn name_at(&self, offset: usize) -> Option<Place> {
        let declared = self.entries.iter().map(|e| e.name_place);
        let used = self.uses.iter().map(|u| u.place);
        declared.chain(used).find(|place| place.touches(offset))
    }

    /// All places of the names of some entries: declarations and uses, sorted.
    pub fn places(&self, entries: &[usize], with_declarations: bool) -> Vec<Place> {
        let used = self.uses.iter().filter(|u| entries.contains(&u.entry)).map(|u| u.place);
        let declared = entries.iter().map(|&e| self.entries[e].name_place);
        let mut places: Vec<Place> = used.chain(declared.filter(|_| with_declarations)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The process, claim, inline or macro that a place lies in.
    pub fn unit_around(&self, place: Place) -> Option<&Entry> {
        let is_unit = |e: &&Entry| {
            matches!(
                e.kind,
                NameKind::Process
                    | NameKind::Init
                    | NameKind::Claim
                    | NameKind::Inline
                    | NameKind::Macro
            )
        };
        self.entries.iter().filter(is_unit).find(|e| e.place.contains(place))
    }
}

/// A span as a place in its file, outside of all expansions.
pub fn place_of(map: &SourceMap, span: Span) -> Place {
    let span = map.outermost(span);
    let mut files = map.files().enumerate();
    let holds =
        |start: u32, len: usize| start <= span.start && span.start as usize <= start as usize + len;
    match files.find(|(_, (_, file))| holds(file.start, file.text.len())) {
        Some((number, (_, file))) => {
            let offset = |at: u32| (at.saturating_sub(file.start) as usize).min(file.text.len());
            let start = offset(span.start);
            Place { file: number, start, end: offset(span.end).max(start) }
        }
        None => Place { file: 0, start: 0, end: 0 },
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(80).collect()
}

fn kind_of(kind: DeclarationKind) -> NameKind {
    match kind {
        DeclarationKind::Variable => NameKind::Variable,
        DeclarationKind::Channel => NameKind::Channel,
        DeclarationKind::Parameter
        | DeclarationKind::InlineParameter
        | DeclarationKind::MacroParameter => NameKind::Parameter,
        DeclarationKind::Proctype => NameKind::Process,
        DeclarationKind::Init => NameKind::Init,
        DeclarationKind::Never | DeclarationKind::Trace => NameKind::Claim,
        DeclarationKind::Ltl => NameKind::Formula,
        DeclarationKind::Inline => NameKind::Inline,
        DeclarationKind::Macro => NameKind::Macro,
        DeclarationKind::MtypeConstant => NameKind::Constant,
        DeclarationKind::MtypeSubtype | DeclarationKind::Typedef => NameKind::Type,
        DeclarationKind::Label => NameKind::Label,
        DeclarationKind::Field => NameKind::Field,
    }
}

fn kind_of_fsp(kind: FspNameKind) -> NameKind {
    match kind {
        FspNameKind::Constant => NameKind::Constant,
        FspNameKind::Range | FspNameKind::Set | FspNameKind::Menu => NameKind::Type,
        FspNameKind::Process => NameKind::Process,
        FspNameKind::SafetyProperty => NameKind::SafetyProperty,
        FspNameKind::Composite => NameKind::Composite,
        FspNameKind::Local => NameKind::Label,
        FspNameKind::Parameter => NameKind::Parameter,
        FspNameKind::Variable => NameKind::Variable,
        FspNameKind::Fluent => NameKind::Fluent,
        FspNameKind::Progress | FspNameKind::Formula => NameKind::Formula,
        FspNameKind::Action => NameKind::Action,
    }
}
