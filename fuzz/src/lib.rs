//! What the fuzz targets share: text out of bytes, files to include, and the
//! checks that every stage must pass.

use resy_promela::preprocess::{Define, Loader, preprocess};
use resy_promela::render::{render, render_all, render_short};
use resy_promela::token::Token;
use resy_promela::{Diagnostics, SourceMap};

/// The name of the text under test; it can include itself by it.
const NAME: &str = "m.pml";

/// The files that a text can include, besides itself.
const FILES: [(&str, &str); 8] = [
    ("a.h", "#define A 1\n#define F(x) (x + A)\nint from_a;\n"),
    ("guard.h", "#ifndef GUARD\n#define GUARD\n#include \"m.pml\"\n#endif\n"),
    ("loop.h", "#include \"loop.h\"\n"),
    ("twice.h", "#include \"twice.h\"\n#include \"twice.h\"\n"),
    ("if.h", "#if A\n"),
    ("end.h", "#else\n#endif\n"),
    ("call.h", "F("),
    ("open.h", "/* \"not closed"),
];

/// The loader of the fuzz targets.
pub struct Files<'a> {
    text: &'a str,
}

impl Loader for Files<'_> {
    fn load(&mut self, name: &str, angled: bool, from: &str) -> Result<(String, String), String> {
        if name == NAME {
            return Ok((name.to_string(), self.text.to_string()));
        }
        match FILES.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Ok((name.to_string(), text.to_string())),
            None => Err(format!("no such file (angled: {angled}, from {from})")),
        }
    }
}

/// Preprocesses a text, with the files above.
pub fn tokens(
    text: &str,
    defines: &[Define],
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Vec<Token> {
    preprocess(NAME, text.to_string(), defines, &mut Files { text }, map, diags)
}

/// Of many findings, this many are rendered with their excerpts: it takes longer
/// than everything else.
const MAX_RENDERED: usize = 3;

/// Every finding has a text, and none is endless.
pub fn check_diagnostics(map: &SourceMap, diags: &Diagnostics) {
    let n = diags.iter().count();
    for (i, diagnostic) in diags.iter().enumerate() {
        assert!(!render_short(map, diagnostic).is_empty());
        if i % n.div_ceil(MAX_RENDERED) == 0 {
            let text = render(map, diagnostic, i % 2 == 0);
            assert!(text.ends_with('\n') && text.len() < 1 << 20, "{} bytes", text.len());
        }
    }
    if n == 1 {
        assert!(render_all(map, diags, false).ends_with("1 error\n") == diags.has_errors());
    }
}

/// Gives libFuzzer's signal handlers a stack of their own: without one, a stack
/// overflow would leave no artifact. To be called before they are installed.
pub fn use_signal_stack() {
    const SIZE: usize = 1 << 18;
    let stack = libc::stack_t {
        ss_sp: Box::leak(vec![0u8; SIZE].into_boxed_slice()).as_mut_ptr().cast(),
        ss_flags: 0,
        ss_size: SIZE,
    };
    // SAFETY: the memory is never freed and used for nothing else; the default
    // action has no code of ours (libFuzzer keeps the flag when it replaces it).
    unsafe {
        assert_eq!(libc::sigaltstack(&stack, std::ptr::null_mut()), 0);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        action.sa_flags = libc::SA_ONSTACK;
        for signal in [libc::SIGSEGV, libc::SIGBUS] {
            assert_eq!(libc::sigaction(signal, &action, std::ptr::null_mut()), 0);
        }
    }
}
