//! Where included files come from.

use super::{ANNOTATION, CLAIM, MODEL};
use resy_certificate::Include;
use resy_promela::preprocess::Loader;
use resy_promela::quote::quote;
use std::path::{Path, PathBuf};

/// Finds the texts that a text includes.
pub trait Texts {
    /// The file that `from` asks for as `name`, in angled brackets or in quotes: its path and
    /// its text, or a message.
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String>;

    /// Is called before the first `find`, with the name of the main file.
    fn begin(&mut self, main: &str) {
        let _ = main;
    }
}

/// Includes nothing: the subject is one text.
pub struct NoFiles;

impl Texts for NoFiles {
    fn find(&mut self, name: &str, _: bool, _: &str) -> Result<(String, String), String> {
        Err(format!("cannot find `{name}`"))
    }
}

/// Includes files: from the folder of the including file, then from given folders.
///
/// By default, the text may only include files below the folder of the main file and below the given
/// folders: a model from somebody else cannot read the files of its user.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The folders to look into beside that of the including file.
    folders: Vec<PathBuf>,
    root: IncludeRoot,
    /// The folder of the main file.
    home: PathBuf,
}

/// Which files may be included. Links are resolved first.
#[derive(Clone, Debug, Default)]
pub enum IncludeRoot {
    /// Those below the folder of the main file, and below the folders to look into.
    #[default]
    MainFolder,
    /// Those below this folder.
    Folder(PathBuf),
    /// All.
    Anywhere,
}

impl Files {
    /// Looks into these folders beside that of the including file.
    pub fn new(folders: Vec<PathBuf>, root: IncludeRoot) -> Self {
        Self { folders, root, home: PathBuf::new() }
    }

    /// The text of a file that exists; why it may not be included, or cannot be read.
    fn text(&self, path: &Path) -> Result<String, String> {
        let shown = path.display().to_string();
        let shown = quote(&shown);
        let real = path.canonicalize().map_err(|e| format!("cannot read {shown}: {e}"))?;
        let roots: Vec<&Path> = match &self.root {
            IncludeRoot::Anywhere => Vec::new(),
            IncludeRoot::Folder(root) => vec![root],
            IncludeRoot::MainFolder => {
                std::iter::once(&self.home).chain(&self.folders).map(PathBuf::as_path).collect()
            }
        };
        if !roots.is_empty() && !roots.iter().any(|root| is_below(&real, root)) {
            let names: Vec<String> = roots.iter().map(|root| named(root)).collect();
            let names = names.join(" or ");
            return Err(format!("{shown} is not below {names}, so it may not be included"));
        }
        // A device may have no end.
        if !real.is_file() {
            return Err(format!("{shown} is not a regular file"));
        }
        let bytes = std::fs::read(&real).map_err(|e| format!("cannot read {shown}: {e}"))?;
        Ok(decode(bytes))
    }
}

/// Whether a file is below a folder, in the sense of the file system.
fn is_below(real: &Path, folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().is_ok_and(|folder| real.starts_with(folder))
}

fn named(folder: &Path) -> String {
    match folder.as_os_str().is_empty() {
        true => "the folder of the model".to_owned(),
        false => quote(&folder.display().to_string()).into_owned(),
    }
}

impl Texts for Files {
    fn begin(&mut self, main: &str) {
        self.home = Path::new(main).parent().map(Path::to_path_buf).unwrap_or_default();
    }

    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let beside = Path::new(from).parent().map(Path::to_path_buf);
        let mut folders =
            beside.filter(|_| !angled).into_iter().chain(self.folders.iter().cloned());
        let path = folders.find_map(|folder| {
            let path = folder.join(name);
            path.exists().then_some(path)
        });
        let path = path.ok_or_else(|| format!("cannot find `{name}`"))?;
        let text = self.text(&path)?;
        Ok((path.display().to_string(), text))
    }
}

/// The text of a file; bytes that are not UTF-8 are replaced.
pub fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into())
}

/// Finds included files and remembers them.
pub(super) struct Recorder<'a> {
    pub texts: &'a mut dyn Texts,
    /// The model, if a wrapper includes it.
    pub wrapped: Option<(String, String)>,
    /// The claim, if a wrapper includes one.
    pub claim: Option<(String, String)>,
    /// The texts of the conditions of annotations, with the names of their files, by number.
    pub conditions: Vec<Option<(String, String)>>,
    /// What was included.
    pub found: Vec<Include>,
}

impl Loader for Recorder<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        let (path, text) = self.find(name, angled, from)?;
        self.found.push(Include::new(name, angled, from, &path, &text));
        Ok((path, text))
    }
}

impl Recorder<'_> {
    fn find(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        if let Some(model) = self.wrapped.take_if(|_| name == MODEL) {
            return Ok(model);
        }
        if let Some(claim) = self.claim.clone().filter(|_| name == CLAIM) {
            return Ok(claim);
        }
        let number = name.strip_prefix(ANNOTATION).and_then(|number| number.parse::<usize>().ok());
        if let Some(condition) = number.and_then(|n| self.conditions.get(n).cloned().flatten()) {
            return Ok(condition);
        }
        self.texts.find(name, angled, from)
    }
}
