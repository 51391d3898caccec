//! A parallel loop over seeds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether the loop continues with the remaining items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopControl {
    /// Continue.
    Continue,
    /// Start no further item.
    Stop,
}

/// Calls `work` on the items on `jobs` threads, starting them in order. The first error ends the loop and
/// is returned.
pub fn for_each<T, E>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<LoopControl, E> + Sync,
) -> Result<(), E>
where
    T: Sync,
    E: Send,
{
    let (position, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let Some(item) = items.get(position.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    match work(item) {
                        Ok(LoopControl::Continue) => {}
                        Ok(LoopControl::Stop) => stop.store(true, Ordering::Relaxed),
                        Err(error) => {
                            stop.store(true, Ordering::Relaxed);
                            lock(&failure).get_or_insert(error);
                        }
                    }
                }
            });
        }
    });
    failure.into_inner().unwrap_or_else(|e| e.into_inner()).map_or(Ok(()), Err)
}

/// Locks even if another thread panicked: the data are counters and lists, which stay consistent.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_once() {
        let sum = AtomicUsize::new(0);
        let items: Vec<usize> = (0..100).collect();
        let result: Result<(), ()> = for_each(&items, 3, |&i| {
            sum.fetch_add(i, Ordering::Relaxed);
            Ok(LoopControl::Continue)
        });
        assert_eq!((result, sum.into_inner()), (Ok(()), 4950));
    }

    #[test]
    fn an_error_ends_the_loop() {
        let items: Vec<usize> = (0..1000).collect();
        let fail_at_ten = |&i: &usize| if i == 10 { Err(i) } else { Ok(LoopControl::Continue) };
        assert_eq!(for_each(&items, 2, fail_at_ten), Err(10));
    }
}
