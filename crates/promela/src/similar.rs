//! "Did you mean …?": the known name that is most similar to an unknown one.

/// The candidate with the least edit distance to `name`, if a typing error explains the
/// difference: at most one edit, and one more for every four letters.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = candidates.into_iter().map(|c| (distance(c, name), c));
    near.filter(|(d, c)| *d <= 1 + c.len() / 4 && c.len() > 1).min_by_key(|(d, _)| *d).map(|n| n.1)
}

/// The number of edits from one name to the other, ignoring ASCII case. Only the first 64
/// characters of each count: the time is quadratic.
fn distance(a: &str, b: &str) -> usize {
    let start =
        |name: &str| -> String { name.chars().take(64).map(|c| c.to_ascii_lowercase()).collect() };
    strsim::levenshtein(&start(a), &start(b))
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn typing_errors_are_recognised() {
        let names = ["Server", "Client", "in_use"];
        assert_eq!(similar("Sever", names), Some("Server"));
        assert_eq!(similar("server", names), Some("Server"));
        assert_eq!(similar("inuse", names), Some("in_use"));
        assert_eq!(similar("Philosopher", names), None);
        assert_eq!(similar("x", ["y"]), None, "a single letter says nothing");
    }
}
