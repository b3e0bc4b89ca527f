//! Loads descriptions from a file, one per line, `name<TAB>text`, and prints what is refused.
use ludex_lud::expand::Library;
use ludex_lud::load::load;
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    for line in text.lines() {
        let Some((name, source)) = line.split_once('\t') else { continue };
        let loaded = load("lud", "", source, &Library::default(), &[]);
        match loaded.found.first() {
            None => println!("OK\t{name}"),
            Some(f) => println!("{}\t{name}", f.message),
        }
    }
}
