//! What the fuzz targets share beside `resy_testkit::targets`: a stack for signal handlers.

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
