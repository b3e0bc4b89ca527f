//! Any text in any dialect is read, checked and lowered; every finding can be shown in its place.
#![no_main]
use libfuzzer_sys::fuzz_target;
use ludex_core::diagnostic::Texts;
use ludex_gdl::check::{Mode, check_dialect};
use ludex_gdl::hrf::{Dialect, read_rules};
use ludex_gdl::lower::lower;

fuzz_target!(|input: (u8, &str)| {
    let (pick, source) = input;
    let dialect = [Dialect::Kif, Dialect::Hrf, Dialect::Capitals][usize::from(pick) % 3];
    let texts = Texts::one("x.kif", source);
    for finding in check_dialect(source, dialect, Mode::Strict) {
        finding.render(&texts);
    }
    let (rules, _) = read_rules(source, dialect);
    let _ = lower(&rules);
});
