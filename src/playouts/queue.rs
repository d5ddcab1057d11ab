//! Job numbers, handed out in portions.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The jobs that no thread has taken yet.
pub(super) struct Queue {
    next: AtomicU64,
    end: u64,
    threads: u64,
}

impl Queue {
    /// All jobs below the end, for this many threads.
    pub(super) fn new(end: u64, threads: usize) -> Self {
        Queue { next: AtomicU64::new(0), end, threads: threads as u64 }
    }

    /// The next portion; `None` if all jobs are taken. Near the end it is smaller than requested,
    /// so that all threads end at about the same time, but not smaller than `least`.
    pub(super) fn take(&self, wanted: u64, least: u64) -> Option<Range<u64>> {
        let portion = |next: u64| {
            let left = self.end - next;
            wanted.min(left / (2 * self.threads)).max(least).min(left)
        };
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            (next < self.end).then(|| next + portion(next))
        });
        taken.ok().map(|next| next..next + portion(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_job_is_handed_out_once_and_portions_get_smaller() {
        let queue = Queue::new(1_000, 2);
        let taken: Vec<Range<u64>> = std::iter::from_fn(|| queue.take(300, 50)).collect();
        assert_eq!(taken[0], 0..250);
        assert!(taken.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(taken.windows(2).all(|pair| pair[0].clone().count() >= pair[1].clone().count()));
        assert_eq!(taken.last().map(|last| last.end), Some(1_000));
        assert!(taken.len() > 4, "{taken:?}");
        assert_eq!(Queue::new(0, 1).take(1, 1), None);
    }
}
