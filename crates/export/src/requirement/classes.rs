//! A class of states described by what its members have in common: `lines 35 to 37, any who`.
//!
//! The name of a state is a place and values of variables. In the description of a class a variable is
//! left out if the place determines it, is `any` if the class does not depend on it, and has its values
//! otherwise. All this is relative to the states that the module has.

use super::Described;
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger modules are not described but listed.
const MAX_CELLS: usize = 50_000;
/// A list with more entries is cut short.
const MAX_LISTED: usize = 4;

/// The words of a state's name, one for each column.
type Row = Vec<String>;

impl Described {
    /// For each state, what its members have in common.
    pub(crate) fn summaries(&self) -> Vec<Vec<String>> {
        let summaries = Table::of(self).map(|table| table.summaries());
        let listed = || self.states.iter().map(|state| shortened(state.members.clone())).collect();
        summaries.unwrap_or_else(listed)
    }
}

/// The names of all states of a module, cut into columns.
struct Table {
    /// The name of each column: of a variable, or nothing for the place.
    columns: Vec<String>,
    /// The rows of each class.
    classes: Vec<FxHashSet<Row>>,
    /// The rows of all classes.
    all: FxHashSet<Row>,
}

/// The members of a class that are at these places and have these values of the shown variables.
struct Group {
    places: Vec<String>,
    /// The combinations of values, in order.
    values: Vec<Row>,
}

impl Table {
    /// `None` if the names do not have the same columns, or are too many.
    fn of(described: &Described) -> Option<Self> {
        let members = || described.states.iter().flat_map(|state| &state.members);
        let columns: Vec<String> = cells(members().next()?).map(|(key, _)| key).collect();
        if members().count().checked_mul(columns.len())? > MAX_CELLS {
            return None;
        }
        let row = |member: &String| -> Option<Row> {
            let (keys, row): (Vec<String>, Row) = cells(member).unzip();
            (keys == columns).then_some(row)
        };
        let class = |members: &Vec<String>| members.iter().map(row).collect::<Option<_>>();
        let classes: Option<Vec<FxHashSet<Row>>> =
            described.states.iter().map(|state| class(&state.members)).collect();
        let classes = classes?;
        let all = classes.iter().flatten().cloned().collect();
        Some(Self { columns, classes, all })
    }

    fn summaries(&self) -> Vec<Vec<String>> {
        self.classes.iter().map(|class| self.summary(class)).collect()
    }

    fn summary(&self, class: &FxHashSet<Row>) -> Vec<String> {
        let is_only = self.classes.iter().filter(|class| !class.is_empty()).count() == 1;
        if is_only && class.len() > 1 {
            return vec!["any state".to_owned()];
        }
        let variables: Vec<usize> =
            (0..self.columns.len()).filter(|&c| self.is_variable(c)).collect();
        let mut free: Vec<usize> = Vec::new();
        for &column in &variables {
            free.push(column);
            if !self.is_closed(class, &free) {
                free.pop();
            }
        }
        let kept: Vec<usize> = variables.iter().copied().filter(|c| !free.contains(c)).collect();
        let groups = self.groups(class, &kept);
        let clauses = groups.iter().flat_map(|group| {
            let any: Vec<&str> = free
                .iter()
                .filter(|&&column| self.varies(class, group, column))
                .map(|&column| self.columns[column].as_str())
                .collect();
            self.clauses(group, &kept, &any)
        });
        shortened(clauses.collect())
    }

    fn is_variable(&self, column: usize) -> bool {
        !self.columns[column].is_empty() && !self.columns[column].ends_with(": ")
    }

    /// Whether the class has every state that differs from a member in these columns only.
    fn is_closed(&self, class: &FxHashSet<Row>, free: &[usize]) -> bool {
        let without = |row: &Row| {
            let kept = row.iter().enumerate().filter(|(column, _)| !free.contains(column));
            kept.map(|(_, word)| word.clone()).collect::<Row>()
        };
        let inside: FxHashSet<Row> = class.iter().map(without).collect();
        self.all.iter().all(|row| class.contains(row) || !inside.contains(&without(row)))
    }

    fn place(&self, row: &Row) -> String {
        let columns = (0..self.columns.len()).filter(|&column| !self.is_variable(column));
        let between = if self.columns[0].is_empty() { ", " } else { "; " };
        let words = columns.map(|column| format!("{}{}", self.columns[column], row[column]));
        words.collect::<Vec<_>>().join(between)
    }

    /// The members by place and by the values of the shown variables. Places with the same values
    /// are together.
    fn groups(&self, class: &FxHashSet<Row>, kept: &[usize]) -> Vec<Group> {
        let mut by_place: FxHashMap<String, FxHashSet<Row>> = FxHashMap::default();
        for row in class {
            let values = kept.iter().map(|&column| row[column].clone()).collect();
            by_place.entry(self.place(row)).or_default().insert(values);
        }
        let mut by_place: Vec<(String, Vec<Row>)> = by_place
            .into_iter()
            .map(|(place, values)| {
                let mut values: Vec<Row> = values.into_iter().collect();
                values.sort_by_key(|row| row.iter().map(|word| key(word)).collect::<Vec<_>>());
                (place, values)
            })
            .collect();
        by_place.sort_by_key(|(place, _)| key(place));
        let mut groups: Vec<Group> = Vec::new();
        for (place, values) in by_place {
            match groups.iter_mut().find(|group| group.values == values) {
                Some(group) => group.places.push(place),
                None => groups.push(Group { places: vec![place], values }),
            }
        }
        groups
    }

    /// Whether the variable has several values at one place of the group.
    fn varies(&self, class: &FxHashSet<Row>, group: &Group, column: usize) -> bool {
        let mut seen: FxHashMap<String, &String> = FxHashMap::default();
        class.iter().any(|row| {
            let place = self.place(row);
            group.places.contains(&place)
                && seen.insert(place, &row[column]).is_some_and(|other| *other != row[column])
        })
    }

    /// The descriptions of a group: one, if the values are all combinations of some for each variable.
    fn clauses(&self, group: &Group, kept: &[usize], any: &[&str]) -> Vec<String> {
        let any = any.iter().map(|name| format!("any {name}"));
        if kept.is_empty() && any.len() == 0 && !group.places.iter().any(|p| line(p).is_some()) {
            return group.places.clone();
        }
        let place = Some(places(&group.places)).filter(|place| !place.is_empty());
        let clause = |values: Vec<String>| {
            let words = place.clone().into_iter().chain(values).chain(any.clone());
            words.collect::<Vec<_>>().join(", ")
        };
        let one = |(number, &column): (usize, &usize)| {
            let mut words: Vec<&str> =
                group.values.iter().map(|row| row[number].as_str()).collect();
            words.sort_by_key(|word| key(word));
            words.dedup();
            (words.len(), format!("{}={}", self.columns[column], values(&words)))
        };
        let each: Vec<(usize, String)> = kept.iter().enumerate().map(one).collect();
        if each.iter().map(|(n, _)| n).product::<usize>() == group.values.len() {
            return vec![clause(each.into_iter().map(|(_, text)| text).collect())];
        }
        let text = |row: &Row| {
            let words = kept.iter().zip(row);
            clause(words.map(|(&c, word)| format!("{}={word}", self.columns[c])).collect())
        };
        group.values.iter().map(text).collect()
    }
}

/// The parts of a state's name: a variable and its value, or a component (or nothing) and a place.
fn cells(member: &str) -> impl Iterator<Item = (String, String)> {
    let several = member.contains("; ");
    member.split("; ").flat_map(move |part| {
        let (prefix, part) = match part.split_once(": ") {
            Some((name, part)) if several => (format!("{name}: "), part),
            _ => (String::new(), part),
        };
        part.split(", ").map(move |word| match word.split_once('=') {
            Some((name, value)) => (format!("{prefix}{name}"), value.to_owned()),
            None => (prefix.clone(), word.to_owned()),
        })
    })
}

/// Orders words by the numbers in them.
fn key(word: &str) -> (String, i64, String) {
    let is_digit = |c: char| c.is_ascii_digit();
    let head: String = word.chars().take_while(|&c| !is_digit(c)).collect();
    let number: String = word[head.len()..].chars().take_while(|&c| is_digit(c)).collect();
    (head, number.parse().unwrap_or(-1), word.to_owned())
}

fn line(place: &str) -> Option<i64> {
    place.strip_prefix("line ")?.parse().ok()
}

/// Labels, then lines.
fn places(places: &[String]) -> String {
    let others = places.iter().filter(|place| line(place).is_none()).cloned();
    let mut lines: Vec<i64> = places.iter().filter_map(|place| line(place)).collect();
    lines.sort_unstable();
    let lines = match &lines[..] {
        [] => None,
        [one] => Some(format!("line {one}")),
        many => Some(format!("lines {}", numbers(many, ", "))),
    };
    shortened(others.chain(lines).collect()).join(", ")
}

/// Values of a variable: a range, or a list.
fn values(words: &[&str]) -> String {
    let parsed: Option<Vec<i64>> = words.iter().map(|word| word.parse().ok()).collect();
    match parsed {
        Some(list) if list.len() > 1 => numbers(&list, "|"),
        _ => shortened(words.iter().map(|&word| word.to_owned()).collect()).join("|"),
    }
}

/// Numbers in order: `3 to 6, 9`.
fn numbers(sorted: &[i64], between: &str) -> String {
    let runs = sorted.chunk_by(|a, b| b - a == 1).flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        short => short.iter().map(i64::to_string).collect(),
    });
    runs.collect::<Vec<String>>().join(between)
}

/// The first entries, followed by the number of the others.
fn shortened(mut list: Vec<String>) -> Vec<String> {
    if list.len() > MAX_LISTED {
        let n_more = list.len() - (MAX_LISTED - 1);
        list.truncate(MAX_LISTED - 1);
        list.push(format!("… {n_more} more"));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::super::{DescribedState, StateMark};
    use super::*;

    fn summaries(classes: &[&[&str]]) -> Vec<String> {
        let states = classes.iter().map(|members| DescribedState {
            members: members.iter().map(|&member| member.to_owned()).collect(),
            mark: StateMark::Plain,
        });
        let described = Described {
            module: "P".to_owned(),
            initial: 0,
            states: states.collect(),
            arrows: Vec::new(),
        };
        described.summaries().iter().map(|clauses| clauses.join(" / ")).collect()
    }

    #[test]
    fn what_does_not_matter_is_any() {
        let first =
            ["line 3, x=0, y=0", "line 3, x=1, y=0", "line 3, x=0, y=1", "line 3, x=1, y=1"];
        let second =
            ["line 4, x=0, y=0", "line 4, x=1, y=1", "line 5, x=0, y=0", "line 5, x=1, y=1"];
        let all = summaries(&[&first, &second]);
        assert_eq!(all, ["line 3, any x, any y", "lines 4, 5, any x, any y"]);
    }

    #[test]
    fn what_matters_has_its_values() {
        let first =
            ["line 3, x=0, y=0", "line 3, x=0, y=1", "line 3, x=2, y=0", "line 3, x=2, y=1"];
        let second = ["line 3, x=1, y=0", "line 3, x=1, y=1"];
        assert_eq!(summaries(&[&first, &second]), ["line 3, x=0|2, any y", "line 3, x=1, any y"]);
        // Not all combinations of values: one after the other.
        let (diagonal, rest) = (["x=0, y=0", "x=1, y=1"], ["x=0, y=1", "x=1, y=0"]);
        assert_eq!(summaries(&[&diagonal, &rest]), ["x=0, y=0 / x=1, y=1", "x=0, y=1 / x=1, y=0"]);
    }

    #[test]
    fn what_the_place_determines_is_not_said() {
        let first = ["again, x=0", "line 7, x=1", "line 8, x=1", "line 9, x=0"];
        assert_eq!(summaries(&[&first, &["end, x=0"]]), ["again, lines 7 to 9", "end"]);
    }

    #[test]
    fn names_without_columns_are_listed() {
        assert_eq!(summaries(&[&["A", "B"], &["C"]]), ["A / B", "C"]);
        assert_eq!(summaries(&[&["A", "B", "C", "D", "E"], &["F"]]), ["A / B / C / … 2 more", "F"]);
        assert_eq!(summaries(&[&["A", "B"]]), ["any state"]);
        assert_eq!(summaries(&[&["A, x=1"], &["B"]]), ["A, x=1", "B"]);
    }

    #[test]
    fn several_components_have_a_place_each() {
        let first = ["P: line 1; Q: line 5, x=0", "P: line 1; Q: line 5, x=1"];
        let second = ["P: line 2; Q: line 5, x=0"];
        assert_eq!(
            summaries(&[&first, &second]),
            ["P: line 1; Q: line 5, any Q: x", "P: line 2; Q: line 5",]
        );
    }
}
