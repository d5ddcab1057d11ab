//! Work on several threads, whose results come in the order of the work.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Does the work on all items, `threads` at once. `begin` makes what a thread keeps between items.
/// `done` gets the results in the order of the items, each as soon as all earlier ones are ready;
/// an error from it ends everything, once the items in progress are done.
pub fn in_order<T, S, R, E>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    R: Send,
{
    let (sender, receiver) = mpsc::channel();
    let queue = &Mutex::new(items.enumerate());
    let (begin, work) = (&begin, &work);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            scope.spawn(move || {
                let mut state = None;
                // Taken one by one: an item may take a thousand times longer than another.
                while let Some((at, item)) = take(queue) {
                    let result = work(state.get_or_insert_with(begin), item);
                    if sender.send((at, result)).is_err() {
                        // The results are no longer wanted.
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (at, result) in receiver {
            waiting.insert(at, result);
            while let Some(result) = waiting.remove(&next) {
                done(result)?;
                next += 1;
            }
        }
        Ok(())
    })
}

fn take<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        for threads in [0, 1, 3, 20] {
            let mut found = Vec::new();
            let result = in_order(
                0..10u64,
                threads,
                || (),
                |(), item| {
                    // The first items take longest.
                    thread::sleep(std::time::Duration::from_millis(10 - item));
                    item * item
                },
                |square| {
                    found.push(square);
                    Ok::<(), ()>(())
                },
            );
            assert_eq!(result, Ok(()));
            assert_eq!(found, (0..10).map(|item| item * item).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let worked = AtomicUsize::new(0);
        let work = |(): &mut (), item: usize| {
            worked.fetch_add(1, Ordering::Relaxed);
            item
        };
        let refuse = |item: usize| if item < 3 { Ok(()) } else { Err(item) };
        let result = in_order(0..1_000_000, 2, || (), work, refuse);
        assert_eq!(result, Err(3));
        assert!(worked.into_inner() < 1_000_000);
    }
}
