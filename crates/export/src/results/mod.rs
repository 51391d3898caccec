//! What the library has found out, as text for people and as JSON for programs.

mod abstracted;
mod assume;
mod assumption;
mod check;
mod contract;
mod forbidden;
mod handover;
mod recheck;
mod remark;

pub use abstracted::AbstractView;
pub use assume::{AssumeView, all_json};
pub(crate) use check::store_words;
pub use check::{CheckView, TextStyle};
pub use contract::{Judged, draft_json, draft_text, judged_json, judged_text, scope_json};
pub use handover::HandoverView;
pub use recheck::{RecheckView, data_recheck_view, recheck_view, recheck_views};
pub use remark::Remark;

use serde_json::{Value, json};

/// The fields that every result has, and then its own.
pub(crate) fn object(command: &str, file: &str, own: Value) -> Value {
    let mut object = json!({ "schema": "resy/1", "command": command, "file": file });
    if let (Some(object), Value::Object(own)) = (object.as_object_mut(), own) {
        object.extend(own);
    }
    object
}
