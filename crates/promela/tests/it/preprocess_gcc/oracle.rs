//! Runs gcc and us on one text and compares what comes out.

use resy_promela::preprocess::{Loader, preprocess};
use resy_promela::token::{Punct, Token, TokenKind};
use resy_promela::{Diagnostics, SourceMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A token's text, and whether a line ends before it.
type Item = (String, bool);

/// `Err` describes the first difference.
pub fn compare(text: &str, folder: &Path) -> Result<(), String> {
    let (theirs, they_fail, messages) = gcc(text, folder);
    let (ours, we_fail, findings) = us(text, folder);
    if messages.contains("fatal error") && we_fail {
        return Ok(()); // Gcc stops at a missing file, we go on.
    }
    let same = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let show = |items: &[Item]| {
        let row = items.iter().skip(same.saturating_sub(5)).take(15);
        row.map(|(t, n)| format!("{}{t}", if *n { "⏎" } else { "" })).collect::<Vec<_>>().join(" ")
    };
    if ours != theirs {
        let (ours, theirs) = (show(&ours), show(&theirs));
        let input = if text.len() < 3000 { text } else { "(long)" };
        return Err(format!(
            "token {same}\nours   {ours}\ntheirs {theirs}\n{messages}\n{findings}\ninput\n{input}"
        ));
    }
    if we_fail != they_fail {
        let input = if text.len() < 3000 { text } else { "(long)" };
        return Err(format!(
            "we fail: {we_fail}, gcc: {they_fail}\n{messages}\n{findings}\ninput\n{input}"
        ));
    }
    Ok(())
}

struct Folder(PathBuf);

impl Loader for Folder {
    fn load(&mut self, name: &str, _: bool, from: &str) -> Result<(String, String), String> {
        let beside = Path::new(from).with_file_name(name);
        let bytes = std::fs::read(self.0.join(&beside)).map_err(|e| e.to_string())?;
        Ok((beside.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
    }
}

fn us(text: &str, folder: &Path) -> (Vec<Item>, bool, String) {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let mut loader = Folder(folder.to_path_buf());
    let tokens = preprocess("<stdin>", text.to_string(), &[], &mut loader, &mut map, &mut diags);
    let fail =
        diags.iter().any(|d| d.code.as_str().starts_with("E01") || d.message.contains("comment"));
    let findings = diags
        .iter()
        .map(|d| format!("{} {} {}\n", map.location(d.span), d.code.as_str(), d.message));
    (tokens.iter().filter_map(item).collect(), fail, findings.collect())
}

fn item(token: &Token) -> Option<Item> {
    let text = match &token.kind {
        TokenKind::Word(word) => word.to_string(),
        TokenKind::Number(number) => number.to_string(),
        TokenKind::Text(text) => format!("\"{text}\""),
        TokenKind::Punct(punct) => punct.text().to_string(),
        TokenKind::End => return None,
    };
    Some((text, token.newline_before))
}

fn gcc(text: &str, folder: &Path) -> (Vec<Item>, bool, String) {
    let mut child = Command::new("gcc")
        .args(["-std=gnu99", "-E", "-undef", "-x", "c", "-"])
        .current_dir(folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test needs gcc: it is the oracle for the preprocessor");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = text.as_bytes().to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("gcc runs");
    let _ = writer.join();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    (lex(&printed), !output.status.success(), messages)
}

/// Spin's lexer, written down a second time and naively.
fn lex(printed: &str) -> Vec<Item> {
    let mut out = Vec::new();
    let mut newline = true;
    for line in printed.lines() {
        newline = true;
        let marker =
            line.strip_prefix("# ").is_some_and(|l| l.starts_with(|c: char| c.is_ascii_digit()));
        if marker || line.starts_with("#pragma") || line.starts_with("#ident") {
            continue;
        }
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let (text, len) = token(rest, first);
            rest = rest[len..].trim_start();
            if let Some(text) = text {
                out.push((text, std::mem::take(&mut newline)));
            }
        }
    }
    let _ = newline;
    out
}

fn token(rest: &str, first: char) -> (Option<String>, usize) {
    let len = |keep: fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
    match first {
        '0'..='9' => {
            let len = len(|c| c.is_ascii_digit());
            let value = rest[..len].parse().unwrap_or(i64::MAX) as i32;
            (Some(value.to_string()), len)
        }
        'a'..='z' | 'A'..='Z' | '_' => {
            let len = len(|c| c.is_ascii_alphanumeric() || c == '_');
            (Some(rest[..len].to_string()), len)
        }
        '"' => {
            let len = quoted(rest, '"');
            let text = &rest[..len];
            let closed = if text.len() > 1 && text.ends_with('"') {
                text.to_string()
            } else {
                format!("{text}\"")
            };
            (Some(closed), len)
        }
        '\'' => {
            let len = quoted(rest, '\'');
            (Some(character(&rest[..len]).to_string()), len)
        }
        _ => {
            for odd in [("-->", "->"), ("!!=", "!="), ("<=<", "<<"), (">=>", ">>")] {
                if rest.starts_with(odd.0) {
                    return (Some(odd.1.to_string()), 3);
                }
            }
            let punct = Punct::longest_first().into_iter().find(|p| rest.starts_with(p.text()));
            punct.map_or((None, first.len_utf8()), |p| (Some(p.text().to_string()), p.text().len()))
        }
    }
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

fn character(text: &str) -> i32 {
    match text.as_bytes() {
        [_, b'\\', b'n', _] => 10,
        [_, b'\\', b't', _] => 9,
        [_, b'\\', b'r', _] => 13,
        [_, b'\\', b'f', _] => 12,
        [_, b'\\', c, b'\''] => i32::from(*c),
        [_, c, b'\''] if *c != b'\\' && *c != b'\'' => i32::from(*c),
        _ => 0,
    }
}
