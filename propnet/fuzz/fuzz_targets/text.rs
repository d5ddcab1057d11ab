//! Bytes as a sheet: read, checked, and played for a step where that is possible.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| propnet_fuzz::read_sheet(bytes));
