//! The subset of Mermaid's sequence diagrams that charts use.

/// Checks a diagram line by line.
pub fn check(diagram: &str) {
    let mut lines = diagram.lines();
    assert_eq!(lines.next(), Some("sequenceDiagram"));
    let (mut known, mut n_open) = (Vec::new(), 0);
    for line in lines.map(str::trim) {
        if let Some(rest) = line.strip_prefix("participant ") {
            let (id, name) = rest.split_once(" as ").expect("a participant has a name");
            assert!(!known.contains(&id) && id.chars().all(char::is_alphanumeric));
            // Characters that end the name of an actor in Mermaid's lexer.
            assert!(!name.contains(['<', '>', ':', ',', '\n', '-']), "the name {name}");
            check_text(name);
            known.push(id);
            continue;
        }
        if line.starts_with("%%") {
            continue;
        }
        if let Some(words) = line.strip_prefix("loop ") {
            check_text(words);
            n_open += 1;
            continue;
        }
        if line == "end" {
            n_open -= 1;
            assert!(n_open >= 0, "an end of nothing");
            continue;
        }
        let (head, text) = line.split_once(": ").expect("a statement has a text");
        check_text(text);
        let actors: Vec<&str> = match head.strip_prefix("Note over ") {
            Some(actors) => actors.split(',').collect(),
            None => {
                let arrow = ["->>", "--)"].into_iter().find(|arrow| head.contains(arrow));
                head.split(arrow.expect("an arrow")).collect()
            }
        };
        assert!((1..=2).contains(&actors.len()));
        assert!(actors.iter().all(|actor| known.contains(actor)), "{line}");
    }
    assert_eq!(n_open, 0, "every loop ends");
}

/// `#` and `;` end a text, unless they are an entity: `#59;`.
fn check_text(text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find(['#', ';']) {
        let entity = rest[at..].strip_prefix('#').and_then(|e| e.split_once(';'));
        let (number, after) = entity.unwrap_or_else(|| panic!("ends too early: {text}"));
        assert!(number.parse::<u32>().is_ok(), "the entity {number} in {text}");
        rest = after;
    }
}
