//! Debugging.
use ludex_lud::engine::{Lud, Moves, Pad};
use ludex_lud::expand::{Library, expand};
use ludex_lud::replay::Trial;
use ludex_lud::tree;
use std::io::Read;
fn main() {
    let root = std::path::PathBuf::from("../shared/data/ludii");
    let lib = Library::read(&root.join("def")).0;
    let want = std::env::args().nth(1).unwrap();
    println!("== {want}");
    let upto: usize = std::env::args().nth(2).map_or(3, |s| s.parse().unwrap());
    let mut todo = vec![root.join("lud")];
    while let Some(p) = todo.pop() {
        for e in std::fs::read_dir(&p).unwrap().flatten() {
            if e.path().is_dir() {
                todo.push(e.path())
            } else if e.path().file_stem().unwrap().to_string_lossy() == want {
                let name = e.path().strip_prefix(root.join("lud")).unwrap().display().to_string();
                let src = std::fs::read_to_string(e.path()).unwrap();
                let x = expand(&name, &src, &lib, &[]).unwrap();
                let game = Lud::new(&tree::game(&x.game).unwrap()).unwrap();
                let mut t = String::new();
                flate2::read::GzDecoder::new(
                    std::fs::File::open(root.join("trials").join(name.replace(".lud", ".txt.gz")))
                        .unwrap(),
                )
                .read_to_string(&mut t)
                .unwrap();
                let tr = Trial::read(&t).unwrap();
                let f = root.join("legal").join(name.replace("/", "~").replace(".lud", ".txt.gz"));
                let mut t = String::new();
                if let Ok(f) = std::fs::File::open(f) {
                    let _ = flate2::read::GzDecoder::new(f).read_to_string(&mut t);
                    let l = Trial::read(&t).unwrap();
                    println!("LEGAL {:?}", ludex_lud::replay::replay(&game, &l));
                }
                if std::env::args().nth(3).is_some() {
                    for t in &game.equipment.tracks {
                        println!("{} {:?} {:?}", t.name, t.winding, t.sites);
                    }
                }
                println!("TRIAL {:?}", ludex_lud::replay::replay(&game, &tr));
                if std::env::args().nth(2).is_some() {
                    ludex_lud::replay::trace(&game, &tr, upto);
                }
                let _ = (Moves::default(), Pad::default());
            }
        }
    }
}
