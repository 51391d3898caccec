//! What the playground asks of the library: a request is a JSON object, and so is the answer.
//!
//! | `do` | answer |
//! |---|---|
//! | `words` | the keywords of both languages, for colours |
//! | `read` | what there is to say about the text, and its processes |
//! | `format` | the text in canonical layout |
//! | `check` | the verdict, as text and as the report page |
//! | `assume` | the requirement of the process `module`, as text and as its page |
//!
//! All but `words` have the `name` of the text, whose extension says the language, and the `text`. `seconds` limits
//! the time. What cannot be done is a sentence in `error`. There are no files: an `#include` is not found.
#![forbid(unsafe_code)]

mod answers;

use resy::Control;
use serde_json::{Value, json};
use std::time::Duration;

/// The time that a check may take if the request does not say.
const SECONDS: f64 = 10.0;

/// The most memory: a page that takes more is ended by some browsers.
const MEMORY: usize = 1 << 30;

/// A request about a text.
struct Request<'a> {
    /// The name of the text, which says its language.
    name: &'a str,
    text: &'a str,
    /// The process that a requirement is asked for.
    module: &'a str,
    seconds: f64,
}

impl<'a> Request<'a> {
    fn of(request: &'a Value) -> Result<Self, String> {
        let word = |key: &str| request[key].as_str();
        let name = word("name").unwrap_or("model.pml");
        let text = word("text").ok_or("the request has no text")?;
        let seconds = request["seconds"].as_f64().unwrap_or(SECONDS).clamp(0.1, 600.0);
        Ok(Self { name, text, module: word("module").unwrap_or_default(), seconds })
    }

    /// The limits of a computation that begins now.
    fn control(&self) -> Control {
        let time = Duration::from_secs_f64(self.seconds);
        Control::unlimited().with_timeout(Some(time)).with_memory(Some(MEMORY))
    }
}

/// The answer to a request.
pub fn answer(request: &str) -> String {
    let answer = serde_json::from_str(request).map_err(|error| error.to_string());
    let answer = answer.and_then(|request: Value| about(&request));
    answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

fn about(request: &Value) -> Result<Value, String> {
    let what = request["do"].as_str().unwrap_or_default();
    if what == "words" {
        return Ok(answers::words());
    }
    let request = Request::of(request)?;
    match what {
        "read" => Ok(answers::read(&request)),
        "format" => answers::format(&request),
        "check" => answers::check(&request),
        "assume" => answers::assume(&request),
        _ => Err(format!("`{what}` is not known here")),
    }
}
