//! Memory straight from the operating system: a range of addresses that is paid for as it is touched.
//!
//! A store does not know how large it will become. Its addresses are therefore reserved once, far more than there is
//! memory, and pages appear when they are first written: nothing is ever copied to grow, a position never moves, and
//! there is no table of chunks between a number and its bytes. Large ranges ask for huge pages, without which half of
//! the time of a search is spent on translating addresses. Where nothing can be reserved, the range is small, and the
//! caller uses another store.
#![expect(unsafe_code, reason = "memory is mapped, and seen as bytes or as words")]

use std::ptr::NonNull;

/// A range of memory that reads as zero until it is written.
pub struct Pages {
    base: NonNull<u64>,
    n_words: usize,
    /// Whether huge pages were asked for.
    is_huge: bool,
}

// SAFETY: the range is owned, as by a `Box<[u64]>`.
unsafe impl Send for Pages {}
// SAFETY: as above; a shared reference only reads.
unsafe impl Sync for Pages {}

/// From this size on, huge pages are asked for: before, one of them would be most of the memory.
const HUGE: usize = 1 << 21;

/// Less than this is not worth a range.
const LEAST: usize = 1 << 26;

impl Pages {
    /// Reserves this many bytes, or as many of them as the system grants, possibly none.
    pub fn reserve(bytes: usize) -> Pages {
        let halves = std::iter::successors(Some(bytes), |bytes| Some(bytes / 2));
        let mut sizes = halves.take_while(|&bytes| bytes >= LEAST);
        sizes.find_map(map).unwrap_or(Pages {
            base: NonNull::dangling(),
            n_words: 0,
            is_huge: false,
        })
    }

    /// The words of the range.
    #[inline]
    pub fn words(&self) -> &[u64] {
        // SAFETY: the range has this many words, all of which are mapped and read as zero if they were not written.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.n_words) }
    }

    /// The words of the range, mutable.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `words`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.base.as_ptr(), self.n_words) }
    }

    /// The bytes of the range.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: as in `words`; every byte of a word is a byte.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr().cast(), 8 * self.n_words) }
    }

    /// Tells how many words are in use, so that a large range gets huge pages.
    #[inline]
    pub fn used(&mut self, n_words: usize) {
        if !self.is_huge && 8 * n_words >= HUGE {
            self.is_huge = true;
            advise_huge(self);
        }
    }

    /// Gives the memory of a part back to the system; it reads as zero again.
    pub fn release(&mut self, words: std::ops::Range<usize>) {
        const PAGE: usize = HUGE / 8;
        let start = words.start.next_multiple_of(PAGE);
        let end = words.end.min(self.n_words) / PAGE * PAGE;
        if start < end {
            release(self, start, end);
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn map(bytes: usize) -> Option<Pages> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
    let (access, kind) =
        (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
    // SAFETY: a new mapping at an address of the kernel's choice; it overlaps nothing.
    let address = unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, access, kind) }.ok()?;
    Some(Pages { base: NonNull::new(address.cast())?, n_words: bytes / 8, is_huge: false })
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn advise_huge(pages: &Pages) {
    use rustix::mm::{Advice, madvise};
    // SAFETY: the range is mapped, and the advice does not change what is in it. A refusal costs time only.
    let _ =
        unsafe { madvise(pages.base.as_ptr().cast(), 8 * pages.n_words, Advice::LinuxHugepage) };
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn release(pages: &mut Pages, start: usize, end: usize) {
    use rustix::mm::{Advice, madvise};
    // SAFETY: the part lies in the range, which is borrowed exclusively; its words become zero, which are valid.
    let _ = unsafe {
        let from = pages.base.as_ptr().add(start).cast();
        madvise(from, 8 * (end - start), Advice::LinuxDontNeed)
    };
}

#[cfg(any(target_os = "linux", target_os = "android"))]
impl Drop for Pages {
    fn drop(&mut self) {
        if self.n_words > 0 {
            // SAFETY: the range was mapped by `map` and is not used any more.
            let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), 8 * self.n_words) };
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn map(bytes: usize) -> Option<Pages> {
    // A page in a browser has little memory, and pays for it at once.
    if cfg!(target_family = "wasm") {
        return None;
    }
    // Elsewhere the allocator's zeroed memory is used, which may be paid for at once: as little as possible.
    let words = vec![0_u64; bytes.min(LEAST) / 8].into_boxed_slice();
    let n_words = words.len();
    Some(Pages { base: NonNull::new(Box::into_raw(words).cast())?, n_words, is_huge: false })
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn advise_huge(_: &Pages) {}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn release(pages: &mut Pages, start: usize, end: usize) {
    pages.words_mut()[start..end].fill(0);
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl Drop for Pages {
    fn drop(&mut self) {
        if self.n_words > 0 {
            let words = std::ptr::slice_from_raw_parts_mut(self.base.as_ptr(), self.n_words);
            // SAFETY: `map` has made it from a box of this length.
            drop(unsafe { Box::from_raw(words) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_released_reads_as_zero() {
        let mut pages = Pages::reserve(1 << 30);
        let n = 3 * HUGE / 8;
        pages.used(n);
        pages.words_mut()[..n].fill(7);
        assert_eq!(
            pages.bytes()[8 * n - 8..8 * n + 8],
            [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        pages.release(0..n - 1);
        let left = pages.words()[..n].iter().filter(|&&word| word == 7).count();
        assert_eq!(left, HUGE / 8, "whole pages are released");
        assert_eq!(pages.words()[n - 1], 7);
    }

    #[test]
    fn nothing_is_reserved_if_there_is_too_little() {
        assert!(Pages::reserve(LEAST - 1).words().is_empty());
    }
}
