//! How many there are, in words: `1 state`, `2 states`.

use std::fmt::Display;

/// A number and what is counted, in the singular where it is one. `thing` is the singular.
pub fn counted(n: impl Display, thing: &str) -> String {
    let n = n.to_string();
    let one_before_y = thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match one_before_y {
        _ if n == "1" => format!("1 {thing}"),
        Some(stem) => format!("{n} {stem}ies"),
        None if thing.ends_with('s') => format!("{n} {thing}es"),
        None => format!("{n} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(0, "state"), "0 states");
        assert_eq!(counted(2, "class"), "2 classes");
        assert_eq!(counted(3, "query"), "3 queries");
        assert_eq!(counted(21, "way"), "21 ways");
    }
}
