//! `resy lsp` and `resy dap`: the servers of an editor.

use crate::Exit;
use crate::tell::bad_input;

/// Serves a language client; checks are run with this program.
pub fn serve() -> Exit {
    match std::env::current_exe().map(resy_lsp::serve_stdio) {
        Ok(true) => Exit::Holds,
        Ok(false) => bad_input("the editor has ended the session without `shutdown`"),
        Err(error) => bad_input(format!("cannot find this program: {error}")),
    }
}

/// Serves a debugger.
pub fn debug() -> Exit {
    resy_lsp::debug::serve_stdio();
    Exit::Holds
}
