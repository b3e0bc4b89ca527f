//! Any text is a mind, a budget or an error; what prints reads back.
#![no_main]
use libfuzzer_sys::fuzz_target;
use ludex_agents::{AgentSpec, Budget};

fuzz_target!(|text: &str| {
    if let Ok(agent) = text.parse::<AgentSpec>() {
        let printed = agent.to_string();
        let back = printed.parse::<AgentSpec>().expect("a printed mind reads back");
        assert_eq!(back.to_string(), printed);
    }
    if let Ok(budget) = text.parse::<Budget>() {
        assert_eq!(budget.to_string().parse::<Budget>(), Ok(budget));
    }
});
