//! Any text is a description or a fault with a place; nothing panics or hangs.
#![no_main]
use libfuzzer_sys::fuzz_target;
use ludex_lud::expand::{Library, expand};
use ludex_lud::{compile, tree};

fuzz_target!(|text: &str| {
    match expand("fuzz.lud", text, &Library::default(), &[]) {
        Err(located) => assert!(located.to_string().contains("error[")),
        Ok(expanded) => match tree::game(&expanded.game) {
            Err(fault) => assert!(fault.render(&expanded.sources).contains("error[")),
            Ok(game) => {
                if let Err(fault) = compile::compile(&game) {
                    assert!(fault.render(&expanded.sources).contains("error["));
                }
            }
        },
    }
});
