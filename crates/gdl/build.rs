//! Says which tests can run on this machine.

fn main() {
    ludex_needs::main();
}
