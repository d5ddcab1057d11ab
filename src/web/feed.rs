//! What viewers get as it happens: server-sent events, and how many are watching.
//!
//! A viewer keeps only its place in what is published, so slow viewers cost no memory: of a search they
//! miss reports in between, of a match they get all events later.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::watch;
use warp::sse::Event;

/// Texts that are published one after the other.
pub(super) struct Feed {
    /// All of them, or only the last.
    texts: Mutex<Vec<Arc<str>>>,
    keeps_all: bool,
    /// How many were published, and whether there will be more.
    count: watch::Sender<(usize, bool)>,
    viewers: AtomicUsize,
    /// When the last viewer left, or when it began.
    left: Mutex<Instant>,
}

/// A viewer, counted until this is dropped.
pub(super) struct Viewer {
    feed: Arc<Feed>,
    count: watch::Receiver<(usize, bool)>,
    seen: usize,
}

/// No more events are kept; a match that long is not watched to its end.
const MOST: usize = 100_000;

impl Feed {
    /// A feed of which only the last text matters.
    pub(super) fn latest() -> Self {
        Feed::new(false)
    }

    /// A feed whose texts are kept for viewers who come later.
    pub(super) fn whole() -> Self {
        Feed::new(true)
    }

    fn new(keeps_all: bool) -> Self {
        let (texts, left) = (Mutex::default(), Mutex::new(Instant::now()));
        let (count, viewers) = (watch::Sender::new((0, false)), AtomicUsize::new(0));
        Feed { texts, keeps_all, count, viewers, left }
    }

    /// Publishes a text.
    pub(super) fn publish(&self, text: String) {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.keeps_all {
            texts.clear();
        }
        if texts.len() < MOST {
            texts.push(text.into());
        }
        drop(texts);
        self.count.send_modify(|(count, _)| *count += 1);
    }

    /// Nothing more is published: viewers get the rest, and their streams end.
    pub(super) fn close(&self) {
        self.count.send_modify(|(_, is_closed)| *is_closed = true);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.count.borrow().1
    }

    /// The last text.
    pub(super) fn last(&self) -> Option<Arc<str>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).last().cloned()
    }

    /// Whether nobody has watched for this long.
    pub(super) fn is_abandoned(&self, patience: Duration) -> bool {
        let left = *self.left.lock().unwrap_or_else(PoisonError::into_inner);
        self.viewers.load(SeqCst) == 0 && left.elapsed() > patience
    }

    pub(super) fn viewers(&self) -> usize {
        self.viewers.load(SeqCst)
    }

    /// One more viewer.
    pub(super) fn watch(self: &Arc<Self>) -> Viewer {
        self.viewers.fetch_add(1, SeqCst);
        Viewer { feed: self.clone(), count: self.count.subscribe(), seen: 0 }
    }

    /// The next text for a viewer who has seen some.
    fn after(&self, seen: usize, count: usize) -> Option<(Arc<str>, usize)> {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        match self.keeps_all {
            true => texts.get(seen).map(|text| (text.clone(), seen + 1)),
            false => texts.last().filter(|_| count > seen).map(|text| (text.clone(), count)),
        }
    }
}

impl Viewer {
    /// The texts as events, from the beginning or the latest on.
    pub(super) fn events(self) -> impl Stream<Item = Result<Event, Infallible>> + Send + Sync {
        unfold(self, |mut viewer| async move {
            loop {
                let (count, is_closed) = *viewer.count.borrow_and_update();
                if let Some((text, seen)) = viewer.feed.after(viewer.seen, count) {
                    viewer.seen = seen;
                    return Some((Ok(Event::default().data(&*text)), viewer));
                }
                if is_closed || viewer.count.changed().await.is_err() {
                    return None;
                }
            }
        })
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        *self.feed.left.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.feed.viewers.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use tokio::runtime::Builder;

    use super::*;

    /// What a viewer gets who comes now.
    fn texts(feed: &Arc<Feed>) -> Vec<String> {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        let events = feed.watch().events();
        let events: Vec<_> = runtime.block_on(events.collect());
        events.into_iter().map(|Ok(event)| event.to_string().trim().to_string()).collect()
    }

    #[test]
    fn viewers_get_all_or_the_latest() {
        for (feed, expected) in
            [(Feed::whole(), vec!["data:one", "data:two"]), (Feed::latest(), vec!["data:two"])]
        {
            let feed = Arc::new(feed);
            feed.publish("one".to_string());
            feed.publish("two".to_string());
            feed.close();
            assert_eq!(texts(&feed), expected);
            assert_eq!(texts(&feed), expected, "late viewers get the same");
        }
    }

    #[test]
    fn nobody_watches_after_the_last_viewer_left() {
        let feed = Arc::new(Feed::latest());
        let one = feed.watch();
        let two = feed.watch();
        assert!(!feed.is_abandoned(Duration::ZERO));
        drop(one);
        assert!(!feed.is_abandoned(Duration::ZERO) && feed.viewers() == 1);
        drop(two);
        std::thread::sleep(Duration::from_millis(2));
        assert!(feed.is_abandoned(Duration::ZERO));
        assert!(!feed.is_abandoned(Duration::from_secs(3600)));
    }
}
