//! From a file name to a system, with everything there is to say about it.

use crate::Exit;
use crate::args::{Color, Common, Properties};
use crate::program::{Include, Program};
use resy_export::run::{Level, SarifFinding, Site};
use resy_promela::preprocess::{Define, Loader};
use resy_promela::{Diagnostic, Diagnostics, Severity, SourceMap, render};
use resy_system::System;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Properties given on the command line. They are read behind the model, as if it
/// were included before them, so that its macros and inlines are known.
#[derive(Default)]
pub struct Extra<'a> {
    /// A formula.
    pub ltl: Option<&'a str>,
    /// A file with a claim.
    pub claim: Option<&'a Path>,
}

/// The names under which the wrapper includes its parts.
const MODEL: &str = "resy:model";
const CLAIM: &str = "resy:claim";

/// Reads a model and prints its diagnostics to standard error.
pub fn load(file: &Path, common: &Common) -> Result<System, Exit> {
    load_with(file, common, &Extra::default())
}

/// Reads a model with properties from the command line.
pub fn load_with(file: &Path, common: &Common, extra: &Extra<'_>) -> Result<System, Exit> {
    load_whole(file, common, extra).map(|(system, _)| system)
}

/// The same, with all texts that were read.
pub fn load_whole(
    file: &Path,
    common: &Common,
    extra: &Extra<'_>,
) -> Result<(System, Program), Exit> {
    let Parsed { system, program, map, diags } = parse(file, common, extra).map_err(|error| {
        eprintln!("resy: cannot read {}: {error}", file.display());
        if let Some(meant) = beside(file) {
            eprintln!("  = help: did you mean `{}`?", meant.display());
        }
        Exit::BadInput
    })?;
    report(&map, &diags, common);
    Ok((system.ok_or(Exit::BadInput)?, program))
}

/// A file in the same folder with a similar name.
fn beside(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let name = file.file_name()?.to_str()?;
    let meant =
        resy_promela::similar(name, names.iter().map(String::as_str).filter(|n| *n != name));
    meant.map(|meant| file.with_file_name(meant))
}

/// What there is to say about a model, for other programs.
pub fn complaints(file: &Path, common: &Common, properties: &Properties) -> Vec<SarifFinding> {
    let extra = Extra { ltl: properties.ltl.as_deref(), claim: properties.claim.as_deref() };
    let Ok(Parsed { map, diags, .. }) = parse(file, common, &extra) else { return Vec::new() };
    let shown = diags.iter().filter(|d| d.severity() == Severity::Error || !common.quiet);
    let finding = |diagnostic: &Diagnostic| {
        let span = map.outermost(diagnostic.span);
        let at = map.line_column(span);
        SarifFinding {
            rule: diagnostic.code.as_str().to_owned(),
            level: match diagnostic.severity() {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
            },
            message: diagnostic.message.clone(),
            site: Site {
                file: map.file(map.file_of(span)).name.clone(),
                line: at.line as u32,
                column: at.column as u32,
            },
            steps: Vec::new(),
        }
    };
    shown.map(finding).collect()
}

/// What came of reading a model.
struct Parsed {
    system: Option<System>,
    program: Program,
    map: SourceMap,
    diags: Diagnostics,
}

fn parse(file: &Path, common: &Common, extra: &Extra<'_>) -> std::io::Result<Parsed> {
    let text = read(file)?;
    let name = file.display().to_string();
    let mut map = SourceMap::new();
    let mut diags = Diagnostics::new();
    let defines: Vec<Define> = common.define.iter().map(|d| Define::parse(d)).collect();
    let mut loader =
        FileLoader { include: &common.include, model: None, claim: extra.claim, found: Vec::new() };
    let (name, text) = match wrapper(extra) {
        Some(wrapper) => {
            loader.model = Some((name, text));
            ("command line".to_string(), wrapper)
        }
        None => (name, text),
    };
    let read = text.clone();
    let system = resy_promela::read(&name, read, &defines, &mut loader, &mut map, &mut diags);
    let (defines, includes) = (common.define.clone(), loader.found);
    let program = Program { name, text, defines, includes };
    Ok(Parsed { system, program, map, diags })
}

/// The text that includes the model and then the properties.
fn wrapper(extra: &Extra<'_>) -> Option<String> {
    let claim = extra.claim.map(|_| format!("#include \"{CLAIM}\"\n"));
    let ltl = extra.ltl.map(|formula| format!("ltl formula {{\n{formula}\n}}\n"));
    let parts: String = claim.into_iter().chain(ltl).collect();
    (!parts.is_empty()).then(|| format!("#include \"{MODEL}\"\n{parts}"))
}

/// Standard input can be read once only.
static STANDARD_INPUT: OnceLock<Vec<u8>> = OnceLock::new();

/// The text of a file; bytes that are not UTF-8 are replaced.
pub fn read(file: &Path) -> std::io::Result<String> {
    let bytes = match file == Path::new("-") {
        true => match STANDARD_INPUT.get() {
            Some(bytes) => bytes.clone(),
            None => {
                let mut bytes = Vec::new();
                std::io::stdin().read_to_end(&mut bytes)?;
                STANDARD_INPUT.get_or_init(|| bytes).clone()
            }
        },
        false => std::fs::read(file)?,
    };
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into()))
}

fn report(map: &SourceMap, diags: &Diagnostics, common: &Common) {
    let color = match common.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stderr().is_terminal(),
    };
    for diagnostic in diags.iter() {
        if diagnostic.severity() == Severity::Error || !common.quiet {
            eprintln!("{}", render::render(map, diagnostic, color));
        }
    }
}

/// Finds included files: beside the including file, then in the given folders.
struct FileLoader<'a> {
    include: &'a [PathBuf],
    /// The model, if a wrapper includes it.
    model: Option<(String, String)>,
    claim: Option<&'a Path>,
    /// What was included.
    found: Vec<Include>,
}

impl Loader for FileLoader<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let (path, text) = self.find(name, angled, from)?;
        self.found.push(Include::new(name, angled, from, &path, &text));
        Ok((path, text))
    }
}

impl FileLoader<'_> {
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        if let Some(model) = self.model.take_if(|_| name == MODEL) {
            return Ok(model);
        }
        if let Some(claim) = self.claim.filter(|_| name == CLAIM) {
            let text = read(claim).map_err(|e| format!("{}: {e}", claim.display()))?;
            return Ok((claim.display().to_string(), text));
        }
        let beside = Path::new(from).parent().map(Path::to_path_buf);
        let folders = beside.filter(|_| !angled).into_iter().chain(self.include.iter().cloned());
        let mut last = format!("cannot find `{name}`");
        for folder in folders {
            let path = folder.join(name);
            match read(&path) {
                Ok(text) => return Ok((path.display().to_string(), text)),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => last = format!("cannot read {}: {e}", path.display()),
            }
        }
        Err(last)
    }
}
