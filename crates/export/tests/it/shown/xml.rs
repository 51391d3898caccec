//! Checks that a document is well-formed XML.

/// Checks that elements are nested, attributes are quoted, and text contains no markup.
pub fn check(document: &str) {
    let (mut open, mut rest, mut n_elements) = (Vec::new(), document, 0);
    while let Some((text, after)) = rest.split_once('<') {
        check_text(text);
        assert!(!text.contains('>'), "a bare `>` in {text}");
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "elements are closed in order");
            continue;
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphabetic()), "the name {name}");
        check_attributes(attributes);
        n_elements += 1;
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty() && n_elements > 0);
}

fn check_attributes(mut rest: &str) {
    while let Some((name, after)) = rest.split_once("=\"") {
        let name = name.trim();
        assert!(
            name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'),
            "the attribute {name}"
        );
        let (value, after) = after.split_once('"').expect("a value ends");
        check_text(value);
        rest = after;
    }
    assert_eq!(rest.trim(), "");
}

fn check_text(text: &str) {
    for part in text.split('&').skip(1) {
        let (entity, _) = part.split_once(';').expect("an entity ends");
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&entity), "the entity {entity}");
    }
}
