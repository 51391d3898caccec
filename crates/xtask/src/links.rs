//! The links of all pages: a link inside the repository leads to a file, and its anchor to a heading.
//!
//! Addresses of other sites are not asked. Every chapter of the book is in its table of contents.

use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Folders without pages of ours.
const SKIPPED: &[&str] = &["target", "node_modules", ".git", "dist"];

/// The task `links`; true if every link leads somewhere.
pub fn run(_: &TaskArgs) -> Result<bool, TaskFailure> {
    let findings = check(&workspace_root())?;
    findings.iter().for_each(|finding| println!("{finding}"));
    Ok(findings.is_empty())
}

/// The links that lead nowhere, as lines for people.
fn check(root: &Path) -> io::Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    read_pages(root, &mut pages)?;
    let mut findings = Vec::new();
    for (path, text) in &pages {
        for (line, target) in links(text) {
            if let Some(why) = broken(root, path, &target, &pages) {
                let shown = path.strip_prefix(root).unwrap_or(path).display();
                findings.push(format!("{shown}:{line}: `{target}`: {why}"));
            }
        }
    }
    findings.extend(missing_chapters(root, &pages));
    Ok(findings)
}

fn read_pages(folder: &Path, pages: &mut BTreeMap<PathBuf, String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() && !SKIPPED.contains(&name.as_str()) {
            read_pages(&path, pages)?;
        } else if name.ends_with(".md") {
            let text = std::fs::read_to_string(&path)?;
            pages.insert(path, text);
        }
    }
    Ok(())
}

/// Why a link leads nowhere.
fn broken(
    root: &Path,
    page: &Path,
    target: &str,
    pages: &BTreeMap<PathBuf, String>,
) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => page.to_owned(),
        file => normal(&page.parent()?.join(file)),
    };
    if !path.starts_with(root) {
        return Some("it leaves the repository".to_owned());
    }
    if !path.exists() {
        return Some("there is no such file".to_owned());
    }
    let text = pages.get(&path).filter(|_| !anchor.is_empty())?;
    let known = anchors(text);
    (!known.contains(anchor)).then(|| "there is no such heading".to_owned())
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = out.pop(),
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// The chapters that the table of contents does not have.
fn missing_chapters(root: &Path, pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let book = root.join("docs");
    let summary = book.join("SUMMARY.md");
    let Some(text) = pages.get(&summary) else { return vec!["no docs/SUMMARY.md".to_owned()] };
    let listed: BTreeSet<PathBuf> = links(text).into_iter().map(|(_, t)| book.join(t)).collect();
    let chapters = pages.keys().filter(|p| p.parent() == Some(&book) && **p != summary);
    let missing = chapters.filter(|p| !listed.contains(*p));
    missing.map(|p| format!("{}: not in docs/SUMMARY.md", p.display())).collect()
}

/// The lines of a page that are prose, each with its number.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence = None;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) if !line.starts_with("    ") => return Some((i + 1, line)),
            _ => {}
        }
        None
    })
}

/// The targets of the links and pictures of a page.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let line = without_code(line);
        let mut rest = line.as_str();
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let end = rest.find(')').unwrap_or(rest.len());
            // A title may follow the target.
            let target = rest[..end].split_whitespace().next().unwrap_or_default();
            found.push((number, target.to_owned()));
            rest = &rest[end..];
        }
    }
    found
}

/// A line without what is between backquotes.
fn without_code(line: &str) -> String {
    let pieces = line.split('`').enumerate();
    pieces.filter(|(i, _)| i % 2 == 0).map(|(_, piece)| piece).collect()
}

/// The anchors of the headings of a page, as code hosts and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    for (_, line) in prose(text) {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if (1..=6).contains(&level) && title.starts_with(' ') {
            let first = slug(title.trim());
            let again = (1..).map(|i| format!("{first}-{i}"));
            let free = std::iter::once(first.clone()).chain(again).find(|s| !known.contains(s));
            known.extend(free);
        }
    }
    known
}

/// Letters and digits in small letters, with `-` for blanks.
fn slug(title: &str) -> String {
    let kept = title.chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        c if c.is_alphanumeric() || c == '_' => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_leads_somewhere() -> io::Result<()> {
        let findings = check(&workspace_root())?;
        assert!(findings.is_empty(), "\n{}", findings.join("\n"));
        Ok(())
    }

    #[test]
    fn links_in_code_are_none() {
        let text = "see [a](x.md#b) and `[c](y)`\n```\n[d](z)\n```\n![e](p.png \"t\")\n";
        assert_eq!(links(text), [(1, "x.md#b".to_owned()), (5, "p.png".to_owned())]);
    }

    #[test]
    fn headings_have_anchors() {
        let known = anchors("# What `resy` says, first\n## Again\n## Again\n```\n# no\n```\n");
        let expected = ["again", "again-1", "what-resy-says-first"];
        assert!(known.iter().map(String::as_str).eq(expected), "{known:?}");
    }

    #[test]
    fn a_broken_link_is_found() {
        let root = workspace_root();
        let page = root.join("docs/README.md");
        let mut pages = BTreeMap::new();
        pages.insert(page.clone(), "# The book\n".to_owned());
        let why = |target: &str| broken(&root, &page, target, &pages);
        assert_eq!(why("README.md#the-book"), None);
        assert_eq!(why("#the-book"), None);
        assert!(why("#no").is_some() && why("no.md").is_some() && why("../../x").is_some());
    }
}
