//! Any text is an experiment or a problem with a place; an experiment in TOML is one in JSON.
#![no_main]
use libfuzzer_sys::fuzz_target;
use ludex_arena::Experiment;

fuzz_target!(|text: &str| {
    // JSON has no numbers that are none; such an experiment is refused when it is planned.
    let finite = !text.contains("nan") && !text.contains("inf");
    if let Some(experiment) = Experiment::from_toml("x.toml", text).ok().filter(|_| finite) {
        let json = serde_json::to_string(&experiment).expect("an experiment prints");
        assert_eq!(Experiment::from_json("x.json", &json).as_ref(), Ok(&experiment));
    }
    if let Err(problem) = Experiment::from_json("x.json", text) {
        assert!(problem.to_string().starts_with("x.json:"));
    }
});
