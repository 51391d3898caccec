//! Names with commas in them: `CELL(0,1)`, `{a,b}::FORK`.

/// The names that were given with commas in between: a comma inside brackets belongs to a name.
pub fn whole_names(pieces: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    for piece in pieces {
        match names.last_mut().filter(|_| depth > 0) {
            Some(name) => {
                name.push(',');
                name.push_str(piece);
            }
            None => names.push(piece.clone()),
        }
        for c in piece.chars() {
            match c {
                '(' | '{' | '[' => depth += 1,
                ')' | '}' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_in_brackets_is_part_of_a_name() {
        let names = |text: &str| {
            whole_names(&text.split(',').map(str::to_owned).collect::<Vec<_>>()).join(" | ")
        };
        assert_eq!(names("A,B[1],C"), "A | B[1] | C");
        assert_eq!(names("CELL(0,1),{a,b.c}::FORK,P"), "CELL(0,1) | {a,b.c}::FORK | P");
        assert_eq!(names("(,A"), "(,A");
    }
}
