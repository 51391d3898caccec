//! Did you mean …? The name that is nearest to one that is not known.

/// The candidate that is most like `name`, if one is so much like it that a slip of the pen explains the difference.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = candidates.into_iter().map(|c| (distance(c, name), c));
    near.filter(|(d, c)| *d <= 1 + c.len() / 4 && c.len() > 1).min_by_key(|(d, _)| *d).map(|n| n.1)
}

/// The number of edits from one name to the other, capitals and small letters being alike; names are short.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = diagonal + usize::from(!ca.eq_ignore_ascii_case(cb));
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn slips_of_the_pen_are_understood() {
        let names = ["Server", "Client", "in_use"];
        assert_eq!(similar("Sever", names), Some("Server"));
        assert_eq!(similar("server", names), Some("Server"));
        assert_eq!(similar("inuse", names), Some("in_use"));
        assert_eq!(similar("Philosopher", names), None);
        assert_eq!(similar("x", ["y"]), None, "a single letter is not a slip");
    }
}
