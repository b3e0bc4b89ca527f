//! The processor: what the program was built for, and what it uses beyond that on this machine.

use ludex_core::cpu::Modern;
use std::sync::LazyLock;

/// The text of `ludex --version` behind the name of the program.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let built = list(&built_for());
    let extra = list(&found_here());
    let version = env!("CARGO_PKG_VERSION");
    let build = env!("LUDEX_BUILD");
    format!(
        "{version}\nbuild {build}\nbuilt for {} with {built}\nadded on this machine: {extra}",
        level()
    )
});

fn list(names: &[&str]) -> String {
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

/// The architecture; for x86-64 its level.
fn level() -> String {
    let v2 = cfg!(all(target_feature = "sse4.2", target_feature = "popcnt"));
    let v3 =
        v2 && cfg!(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "fma"));
    let v4 = v3 && cfg!(all(target_feature = "avx512f", target_feature = "avx512vl"));
    let arch = std::env::consts::ARCH;
    match (arch, v2, v3, v4) {
        ("x86_64", _, _, true) => "x86-64-v4".into(),
        ("x86_64", _, true, _) => "x86-64-v3".into(),
        ("x86_64", true, ..) => "x86-64-v2".into(),
        ("x86_64", ..) => "x86-64".into(),
        (other, ..) => other.into(),
    }
}

/// The features that the compiler may use everywhere, as far as they matter to us.
fn built_for() -> Vec<&'static str> {
    let features = [
        (cfg!(target_feature = "popcnt"), "popcnt"),
        (cfg!(target_feature = "bmi2"), "BMI2"),
        (cfg!(target_feature = "avx2"), "AVX2"),
        (cfg!(target_feature = "avx512f"), "AVX-512"),
        (cfg!(target_feature = "neon"), "NEON"),
    ];
    features.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect()
}

/// The features that are looked for when the program runs: playouts and the lanes of rule sheets use them.
fn found_here() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq");
        let features = [
            (Modern::here().is_some(), "AVX2 and BMI2 (playouts)"),
            (
                avx2 && avx512 && !cfg!(target_feature = "avx512f"),
                "AVX-512 (playouts of rule sheets)",
            ),
        ];
        features.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}
