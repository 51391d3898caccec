//! Names in double quotes.

/// The name in quotes; quotes, backslashes and ends of lines in it get a backslash.
pub fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    text.push('"');
    for c in name.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

/// The name between two quotes. A backslash before a character that [`quoted`] does not escape
/// stands for itself.
pub fn unquoted(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let meant = match (c, rest.clone().next()) {
            ('\\', Some(next @ ('"' | '\\'))) => next,
            ('\\', Some('n')) => '\n',
            ('\\', Some('r')) => '\r',
            _ => {
                name.push(c);
                continue;
            }
        };
        name.push(meant);
        rest.next();
    }
    name
}
