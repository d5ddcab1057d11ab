//! Sheets -> reports of their grounding, one by one or several at once.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, mpsc};

use propnet::gdl::Source;
use propnet::ground::{Grounding, StageSizes};
use propnet::reference;

use super::bounds::{Bounds, ground_watched};
use super::clock::StageClock;
use super::failure::Outcome;
use super::memory::no_peak;
use super::report::SheetReport;

/// Grounds a sheet from its text on. `peak` is asked for the peak of memory behind each stage.
pub fn survey(
    sheet: Source,
    bounds: &Bounds,
    peak: fn() -> Option<u64>,
) -> (SheetReport, Option<Grounding>) {
    let name = sheet.name().to_string();
    let mut clock = StageClock::new(bounds.time).with_peak(peak);
    let rules = reference::load(sheet);
    let given = rules.as_ref().map_or(0, |rules| rules.rules.len() as u64);
    clock.note("parse", StageSizes { rules: given, ..StageSizes::default() });
    let rules = match rules {
        Ok(rules) => rules,
        Err(error) => {
            let report = SheetReport::new(&name, Outcome::Unplayable).with_stages(clock.stages());
            return (SheetReport { message: Some(error.to_string()), ..report }, None);
        }
    };
    match ground_watched(&rules, bounds, &mut clock) {
        Ok(grounding) => {
            let report = SheetReport::new(&name, Outcome::Grounded).with_stages(clock.stages());
            (report.with_grounding(&grounding), Some(grounding))
        }
        Err(error) => {
            clock.note("unfinished", StageSizes::default());
            let report = SheetReport::new(&name, error.outcome()).with_stages(clock.stages());
            let message = Some(error.to_string());
            (SheetReport { message, growth: error.growth().map(Into::into), ..report }, None)
        }
    }
}

/// Grounds all sheets, `threads` at once. `done` gets the reports in the order of the sheets, each
/// as soon as those before it are there; an error from it ends the work.
pub fn survey_all<E>(
    sheets: Vec<Source>,
    bounds: &Bounds,
    threads: usize,
    mut done: impl FnMut(SheetReport) -> Result<(), E>,
) -> Result<(), E> {
    let (sender, receiver) = mpsc::channel();
    let threads = threads.min(sheets.len());
    let queue = &Mutex::new(sheets.into_iter().enumerate());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                // Taken one by one: a sheet may take a thousand times longer than another.
                while let Some((at, sheet)) = take(queue) {
                    let report = survey(sheet, bounds, no_peak).0;
                    if sender.send((at, report)).is_err() {
                        // Nobody wants to know any more.
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (at, report) in receiver {
            waiting.insert(at, report);
            while let Some(report) = waiting.remove(&next) {
                done(report)?;
                next += 1;
            }
        }
        Ok(())
    })
}

fn take<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}
