//! The texts of a program: what a certificate embeds, and what a program is read from again.

use crate::origin::Origin;
use resy_promela::preprocess::{Define, Loader, preprocess};
use resy_promela::{Diagnostics, Severity, SourceMap, unparse};
use resy_system::System;

/// The texts of a program, and how they were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The name of the main file, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Macros from the command line.
    pub defines: Vec<String>,
    /// The included files, in the order in which they were asked for.
    pub includes: Vec<Include>,
}

/// An included file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// `<name` or `"name`, as it stands in the including file.
    asked: String,
    /// The including file.
    from: String,
    /// Where it was found.
    path: String,
    text: String,
}

impl Include {
    /// The file that was found for an `#include`.
    pub fn new(name: &str, angled: bool, from: &str, path: &str, text: &str) -> Self {
        let [from, path, text] = [from, path, text].map(str::to_owned);
        Self { asked: asked(name, angled), from, path, text }
    }

    /// The path and the text of the file that was found for an `#include`.
    pub fn find(list: &[Self], name: &str, angled: bool, from: &str) -> Option<(String, String)> {
        let wanted = asked(name, angled);
        let found = list.iter().find(|i| i.asked == wanted && i.from == from)?;
        Some((found.path.clone(), found.text.clone()))
    }

    /// Whether the name in the including file begins with this.
    pub fn is_called(&self, prefix: &str) -> bool {
        self.asked[1..].starts_with(prefix)
    }
}

fn asked(name: &str, angled: bool) -> String {
    format!("{}{name}", if angled { '<' } else { '"' })
}

impl Sources {
    /// What a certificate needs beside the text to read the program again.
    pub fn settings(&self) -> Vec<(String, String)> {
        let setting = |key: &str, value: String| (key.to_owned(), value);
        let include = |i: &Include| [&*i.asked, &i.from, &i.path, &i.text].join("\n");
        let mut settings = vec![setting("file", self.name.clone())];
        settings.extend(self.defines.iter().map(|define| setting("define", define.clone())));
        settings.extend(self.includes.iter().map(|i| setting("include", include(i))));
        settings
    }

    /// The program of a certificate.
    pub fn of(origin: &Origin) -> Self {
        let values = |key: &'static str| {
            let settings = origin.settings.iter().filter(move |(word, _)| word == key);
            settings.map(|(_, value)| value.clone())
        };
        let include = |value: String| {
            let mut lines = value.splitn(4, '\n').map(str::to_owned);
            let mut next = || lines.next().unwrap_or_default();
            Include { asked: next(), from: next(), path: next(), text: next() }
        };
        Self {
            name: values("file").next().unwrap_or_default(),
            text: origin.text.clone(),
            defines: values("define").collect(),
            includes: values("include").map(include).collect(),
        }
    }

    /// The files by name, the main one first; none twice.
    pub fn files(&self) -> Vec<(&str, &str)> {
        let main = (self.name.as_str(), self.text.as_str());
        let includes = self.includes.iter().map(|i| (i.path.as_str(), i.text.as_str()));
        let mut files: Vec<(&str, &str)> = Vec::new();
        for file in std::iter::once(main).chain(includes) {
            if files.iter().all(|(name, _)| *name != file.0) {
                files.push(file);
            }
        }
        files
    }

    /// The program as one text without macros and includes.
    pub fn preprocessed(&self) -> String {
        let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
        let (name, text) = (&self.name, self.text.clone());
        let loader = &mut Embedded(&self.includes);
        unparse(&preprocess(name, text, &self.defines(), loader, &mut map, &mut diags))
    }

    fn defines(&self) -> Vec<Define> {
        self.defines.iter().map(|define| Define::parse(define)).collect()
    }

    /// The system of the program, or the first thing that is wrong with it.
    pub fn system(&self) -> Result<System, String> {
        self.system_with(Diagnostics::new()).map(|system| system.expect("nothing ends it early"))
    }

    /// Like [`system`](Self::system); `None` if the diagnostics end it early.
    pub(crate) fn system_with(&self, mut diags: Diagnostics) -> Result<Option<System>, String> {
        let mut map = SourceMap::new();
        let defines = self.defines();
        let (name, text) = (&self.name, self.text.clone());
        let loader = &mut Embedded(&self.includes);
        let system = resy_promela::read(name, text, &defines, loader, &mut map, &mut diags);
        if system.is_some() || diags.is_stopped() {
            return Ok(system);
        }
        let first = diags.iter().find(|d| d.severity() == Severity::Error);
        Err(first.map_or_else(|| "the program cannot be read".to_owned(), |d| d.message.clone()))
    }
}

/// Finds included files in a certificate.
struct Embedded<'a>(&'a [Include]);

impl Loader for Embedded<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let found = Include::find(self.0, name, angled, from);
        found.ok_or_else(|| format!("`{name}` is not in the certificate"))
    }
}
