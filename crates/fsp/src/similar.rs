//! Did you mean …? The known name that is nearest to an unknown one.

/// The candidate nearest to `name`, if a slip of the pen explains the difference.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = candidates.into_iter().map(|c| (distance(c, name), c));
    near.filter(|(d, c)| *d <= 1 + c.len() / 4 && c.len() > 1).min_by_key(|(d, _)| *d).map(|n| n.1)
}

/// The number of edits from one name to the other, letter case ignored; only the first 64
/// characters count.
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
        let names = ["CLIENT", "SERVER"];
        assert_eq!(similar("CLEINT", names), Some("CLIENT"));
        assert_eq!(similar("server", names), Some("SERVER"));
        assert_eq!(similar("BUFFER", names), None);
    }
}
