//! With parts spoiled: whatever comes of it is read.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

use super::sheets;
use crate::common::spoil::{edits, spoil, survive};
use crate::trials::Trials;

pub(crate) fn add(trials: &mut Trials) {
    trials.with_corpus(spoiled_sheets_are_read);
}

fn spoiled_sheets_are_read(shared: &Path) {
    let mut sheets = sheets(shared);
    sheets.retain(|(_, bytes)| bytes.len() < 20_000);
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() };
    proptest!(config, |(which: Index, edits in edits())| {
        survive(&spoil(&sheets[which.index(sheets.len())].1, &edits));
    });
}
