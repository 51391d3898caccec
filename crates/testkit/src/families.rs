//! The families of the benchmark, with what is true of each at any size: `bench/families.toml`.

use crate::bench_models::bench_dir;
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A model with a process for each of `N`.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// Of the file, too.
    pub name: String,
    /// The Promela file.
    pub path: PathBuf,
    /// The property that is asked for.
    pub property: String,
    /// What is true: `holds` or `fails`, in the order of [`Variant::ALL`].
    truths: [String; 2],
    /// The size to be decided within ten seconds.
    pub goal: u32,
    /// The largest size whose states can all be searched in a test.
    pub searched: u32,
}

/// Whether all processes of a family behave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// They do.
    Plain,
    /// One does not.
    Broken,
}

impl Variant {
    /// Both.
    pub const ALL: [Variant; 2] = [Variant::Plain, Variant::Broken];

    /// As in the table.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Plain => "plain",
            Variant::Broken => "broken",
        }
    }
}

impl Family {
    /// What is true of a variant: `holds` or `fails`.
    pub fn truth(&self, variant: Variant) -> &str {
        &self.truths[variant as usize]
    }
}

/// The macros of one size of a variant as arguments, the same for spin and resy.
pub fn define_flags(variant: Variant, n: u32) -> Vec<String> {
    let broken = (variant == Variant::Broken).then(|| "-DBROKEN".to_owned());
    std::iter::once(format!("-DN={n}")).chain(broken).collect()
}

/// All families of the table, by name.
pub fn families() -> io::Result<Vec<Family>> {
    let text = std::fs::read_to_string(bench_dir().join("families.toml"))?;
    parse(&text, &bench_dir().join("families")).map_err(io::Error::other)
}

fn parse(text: &str, folder: &Path) -> Result<Vec<Family>, String> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    table.iter().map(|(name, entry)| entry_of(name, entry, folder)).collect()
}

fn entry_of(name: &str, entry: &Value, folder: &Path) -> Result<Family, String> {
    let text = |key: &str| {
        let value = entry.get(key).and_then(Value::as_str);
        value.map(str::to_owned).ok_or_else(|| format!("{name}: no text `{key}`"))
    };
    let number = |key: &str| {
        let value = entry.get(key).and_then(Value::as_integer);
        value.and_then(|n| n.try_into().ok()).ok_or_else(|| format!("{name}: no number `{key}`"))
    };
    Ok(Family {
        name: name.to_owned(),
        path: folder.join(name).with_extension("pml"),
        property: text("property")?,
        truths: [text(Variant::Plain.name())?, text(Variant::Broken.name())?],
        goal: number("goal")?,
        searched: number("searched")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"
        [ring]
        property = "one"
        plain = "holds"
        broken = "fails"
        goal = 200
        searched = 3"#;

    #[test]
    fn an_entry_is_read() -> Result<(), String> {
        let families = parse(ENTRY, Path::new("f"))?;
        let [ring] = &families[..] else { panic!("one family, not {families:?}") };
        assert_eq!((ring.path.as_path(), ring.goal), (Path::new("f/ring.pml"), 200));
        assert_eq!(Variant::ALL.map(|variant| ring.truth(variant)), ["holds", "fails"]);
        assert_eq!(define_flags(Variant::Plain, 3), ["-DN=3"]);
        assert_eq!(define_flags(Variant::Broken, 3), ["-DN=3", "-DBROKEN"]);
        Ok(())
    }

    #[test]
    fn an_entry_with_a_gap_is_refused() {
        for line in ["property = \"one\"", "broken = \"fails\"", "goal = 200", "searched = 3"] {
            assert!(parse(&ENTRY.replace(line, ""), Path::new("f")).is_err(), "without {line}");
        }
    }
}
