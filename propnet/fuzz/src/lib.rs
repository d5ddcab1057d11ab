//! What the fuzz targets do: all of it is code of the tests on generated sheets.

#![allow(dead_code, reason = "the tests use parts that no target needs")]

#[path = "../../tests/generated/agree.rs"]
mod agree;
#[path = "../../tests/generated/bytes.rs"]
mod bytes;
#[path = "../../tests/generated/choices.rs"]
mod choices;
#[path = "../../tests/lanes/engine.rs"]
mod engine;
#[path = "../../tests/generated/engines.rs"]
mod engines;
#[path = "../../tests/generated/lanes.rs"]
mod lanes;
#[path = "../../tests/generated/make.rs"]
mod make;
#[path = "../../tests/generated/mutate.rs"]
mod mutate;
#[path = "../../tests/generated/recursion.rs"]
mod recursion;
#[path = "../../tests/lanes/replay.rs"]
mod replay;
#[path = "../../tests/generated/rules.rs"]
mod rules;
#[path = "../../tests/generated/sheet.rs"]
mod sheet;
#[path = "../../tests/generated/terms.rs"]
mod terms;
#[path = "../../tests/generated/ways.rs"]
mod ways;

/// Reads bytes as a sheet; see the tests.
pub fn read_sheet(data: &[u8]) {
    bytes::read_sheet(data);
}

/// Makes a sheet of bytes and compares all engines on it; see the tests.
pub fn compare_all(data: &[u8]) {
    bytes::compare_all(data);
}
