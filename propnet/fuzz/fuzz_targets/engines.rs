//! Bytes as the choices of a generator of sheets, on which all engines and back ends must agree.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    propnet_fuzz::compare_all(bytes);
});
