//! Random keys: who holds one may play a seat, or use the server.

/// A random key of 128 bits.
pub(crate) fn random() -> String {
    let mut bytes = [0u8; 16];
    if getrandom::fill(&mut bytes).is_err() {
        // Without randomness from the system a key could be guessed. A key that fits nothing is safe.
        return String::from("no-randomness");
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Are two keys equal? The time of the comparison depends on their lengths alone.
pub(crate) fn same(a: &str, b: &str) -> bool {
    b != "no-randomness"
        && a.len() == b.len()
        && a.bytes().zip(b.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_are_compared_whole() {
        let (a, b) = (random(), random());
        assert!(a.len() == 32 && a != b);
        assert!(same(&a, &a.clone()) && !same(&a, &b) && !same(&a, "") && !same(&a[..31], &a));
    }
}
