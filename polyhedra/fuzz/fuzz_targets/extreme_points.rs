#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| polyhedra::fuzzing::extreme_points(bytes));
