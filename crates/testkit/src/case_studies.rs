//! The case studies of the papers, with what is true of each and what was published: `bench/case_studies.toml`.

use crate::bench_models::bench_dir;
use crate::families::Variant;
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A model with the macros that fix its size, and one property: a row of the papers' tables, or one of ours.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseStudy {
    /// As in the papers: `SW 3/2/A`, `Elevator 4`.
    pub name: String,
    /// The Promela file.
    pub path: PathBuf,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The property that is asked for.
    pub property: String,
    /// Both splits; the first is the papers'.
    pub modules: [String; 2],
    /// What is true: `holds` or `fails`, in the order of [`Variant::ALL`].
    truths: [String; 2],
    /// The row of the tool paper's table.
    pub published: Option<Published>,
    /// What the algorithm paper says.
    pub algorithm: Option<Algorithm>,
}

/// A row of table 1 of the tool paper (TACAS 2008).
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// States of the process.
    pub m: u64,
    /// States of its environment.
    pub e: u64,
    /// States of the requirement.
    pub a: u64,
    /// Assumption generation.
    pub assume: Cost,
    /// Compositional model checking.
    pub cmc: Cost,
    /// As a front-end to spin, with a threshold of 10 %.
    pub r10: Cost,
    /// Spin alone.
    pub spin: Cost,
}

/// Milliseconds and megabytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Time.
    pub ms: f64,
    /// Memory.
    pub mb: f64,
}

/// What the text of the algorithm paper (FORTE 2006) says. There the module is called N.
#[derive(Debug, Clone, PartialEq)]
pub struct Algorithm {
    /// States of the environment.
    pub m: u64,
    /// States of the module.
    pub n: u64,
    /// States of the requirement.
    pub a: u64,
    /// Steps of refinement.
    pub steps: Option<u64>,
    /// Seconds of spin with the requirement in the module's place.
    pub spin_with_a: Option<f64>,
    /// Seconds of spin alone.
    pub spin: Option<f64>,
}

impl CaseStudy {
    /// What is true of a variant: `holds` or `fails`.
    pub fn truth(&self, variant: Variant) -> &str {
        &self.truths[variant as usize]
    }

    /// Whether a paper has figures of it.
    pub fn is_in_a_paper(&self) -> bool {
        self.published.is_some() || self.algorithm.is_some()
    }

    /// The macros of a variant as arguments, the same for spin and resy.
    pub fn define_flags(&self, variant: Variant) -> Vec<String> {
        let broken = (variant == Variant::Broken).then(|| "-DBROKEN".to_owned());
        self.defines.iter().map(|define| format!("-D{define}")).chain(broken).collect()
    }

    /// What has the same curve when the parameter grows: `SW A`, `Elevator`.
    pub fn family(&self) -> String {
        let (family, parameter) = self.name.split_once(' ').unwrap_or((&self.name, ""));
        match parameter.rsplit_once('/') {
            Some((_, property)) => format!("{family} {property}"),
            None => family.to_owned(),
        }
    }

    /// The parameter: `3/2`, `4`, `algorithm`.
    pub fn size(&self) -> &str {
        let parameter = self.name.split_once(' ').map_or("", |(_, parameter)| parameter);
        parameter.rsplit_once('/').map_or(parameter, |(size, _)| size)
    }
}

/// All rows, in the order of the file.
pub fn case_studies() -> io::Result<Vec<CaseStudy>> {
    let text = std::fs::read_to_string(bench_dir().join("case_studies.toml"))?;
    parse(&text, &bench_dir().join("..")).map_err(io::Error::other)
}

fn parse(text: &str, root: &Path) -> Result<Vec<CaseStudy>, String> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    let entries = table.get("row").and_then(Value::as_array).into_iter().flatten();
    entries.map(|entry| Entry(entry).case_study(root)).collect()
}

/// A table of the file.
#[derive(Clone, Copy)]
struct Entry<'a>(&'a Value);

impl Entry<'_> {
    fn case_study(self, root: &Path) -> Result<CaseStudy, String> {
        let modules = self.texts("modules")?;
        let modules = modules.try_into().map_err(|_| format!("not two modules: {}", self.0))?;
        Ok(CaseStudy {
            name: self.text("name")?,
            path: root.join(self.text("file")?),
            defines: self.texts("defines")?,
            property: self.text("property")?,
            modules,
            truths: [self.text("verdict")?, self.text("broken")?],
            published: self.inner("published").map(Entry::published).transpose()?,
            algorithm: self.inner("algorithm_paper").map(Entry::algorithm).transpose()?,
        })
    }

    fn published(self) -> Result<Published, String> {
        Ok(Published {
            m: self.count("m")?,
            e: self.count("e")?,
            a: self.count("a")?,
            assume: self.cost("assume")?,
            cmc: self.cost("cmc")?,
            r10: self.cost("r10")?,
            spin: self.cost("spin")?,
        })
    }

    fn algorithm(self) -> Result<Algorithm, String> {
        Ok(Algorithm {
            m: self.count("m")?,
            n: self.count("n")?,
            a: self.count("a")?,
            steps: self.count("steps").ok(),
            spin_with_a: self.0.get("spin_with_a").and_then(number),
            spin: self.0.get("spin").and_then(number),
        })
    }

    fn inner(&self, key: &str) -> Option<Entry<'_>> {
        self.0.get(key).map(Entry)
    }

    fn text(self, key: &str) -> Result<String, String> {
        let value = self.0.get(key).and_then(Value::as_str);
        value.map(str::to_owned).ok_or_else(|| format!("no text `{key}`: {}", self.0))
    }

    fn texts(self, key: &str) -> Result<Vec<String>, String> {
        let values = self.0.get(key).and_then(Value::as_array);
        let values = values.ok_or_else(|| format!("no list `{key}`: {}", self.0))?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let texts: Option<Vec<String>> = values.iter().map(text).collect();
        texts.ok_or_else(|| format!("`{key}` has more than texts: {}", self.0))
    }

    fn count(self, key: &str) -> Result<u64, String> {
        let value = self.0.get(key).and_then(Value::as_integer);
        let value = value.and_then(|v| u64::try_from(v).ok());
        value.ok_or_else(|| format!("no number `{key}`: {}", self.0))
    }

    fn cost(self, key: &str) -> Result<Cost, String> {
        let pair = self.0.get(key).and_then(Value::as_array).map(Vec::as_slice);
        let numbers = match pair {
            Some([ms, mb]) => number(ms).zip(number(mb)),
            _ => None,
        };
        let (ms, mb) = numbers.ok_or_else(|| format!("no two numbers `{key}`: {}", self.0))?;
        Ok(Cost { ms, mb })
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = r#"
        [[row]]
        name = "SW 3/1/A"
        file = "m/w.pml"
        defines = ["BUFFER=3", "WINDOW=1"]
        property = "A"
        modules = ["Sender", "Receiver"]
        verdict = "holds"
        broken = "fails"
        published = { m = 256, e = 120, a = 6, assume = [2880, 2.6], cmc = [2877, 2.4], r10 = [3960, 2.7], spin = [9017, 3.9] }
        algorithm_paper = { m = 192, n = 190, a = 8 }"#;

    #[test]
    fn an_entry_is_read() -> Result<(), String> {
        let rows = parse(ENTRY, Path::new("root"))?;
        let [row] = &rows[..] else { panic!("one row, not {rows:?}") };
        assert_eq!(row.path, Path::new("root/m/w.pml"));
        assert_eq!(row.define_flags(Variant::Broken), ["-DBUFFER=3", "-DWINDOW=1", "-DBROKEN"]);
        assert_eq!(Variant::ALL.map(|variant| row.truth(variant)), ["holds", "fails"]);
        assert_eq!((row.family().as_str(), row.size()), ("SW A", "3/1"));
        let published = row.published.as_ref().ok_or("no figures")?;
        assert_eq!((published.e, published.r10), (120, Cost { ms: 3960.0, mb: 2.7 }));
        let algorithm = row.algorithm.as_ref().ok_or("no figures")?;
        assert_eq!((algorithm.n, algorithm.steps, algorithm.spin), (190, None, None));
        Ok(())
    }

    #[test]
    fn an_entry_with_a_gap_is_refused() {
        for gap in
            ["property = \"A\"", "broken = \"fails\"", ", \"Receiver\"", "e = 120, ", ", 2.7"]
        {
            assert!(parse(&ENTRY.replace(gap, ""), Path::new("")).is_err(), "without {gap}");
        }
    }

    #[test]
    fn families_and_sizes_are_in_the_names() {
        let named = |name: &str| {
            let entry = ENTRY.replace("SW 3/1/A", name);
            let row = parse(&entry, Path::new("")).expect("it is whole").remove(0);
            (row.family(), row.size().to_owned())
        };
        let pair = |family: &str, size: &str| (family.to_owned(), size.to_owned());
        assert_eq!(named("Elevator 4"), pair("Elevator", "4"));
        assert_eq!(named("SW algorithm/D"), pair("SW D", "algorithm"));
        assert_eq!(named("Mutual exclusion"), pair("Mutual", "exclusion"));
    }

    #[test]
    fn the_table_can_be_read() -> io::Result<()> {
        let rows = case_studies()?;
        assert!(rows.iter().all(|row| row.path.exists()));
        assert_eq!(rows.iter().filter(|row| row.published.is_some()).count(), 24);
        assert_eq!(rows.iter().filter(|row| row.algorithm.is_some()).count(), 5);
        Ok(())
    }
}
