//! Any text is a name or an error; a name prints and reads back as itself.
#![no_main]
use libfuzzer_sys::fuzz_target;
use ludex_core::Spec;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse::<Spec>(), Ok(spec));
    }
});
