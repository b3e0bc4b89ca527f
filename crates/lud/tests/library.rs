//! Public descriptions, where they are there: they expand and read without a fault.

mod common;

use common::{files, shared};
use ludex_lud::expand::{Library, expand};
use ludex_lud::tree;

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn every_public_description_expands_to_one_game() {
    let shared = shared();
    let (library, problems) = Library::read(&shared.join("def"));
    assert!(problems.is_empty(), "{problems:?}");
    let mut failed = Vec::new();
    for path in files(&shared.join("lud"), ".lud") {
        let source = std::fs::read_to_string(&path).expect("readable description");
        let name = path.display().to_string();
        let expanded = match expand(&name, &source, &library, &[]) {
            Ok(expanded) => expanded,
            Err(error) => {
                failed.push(error.to_string());
                continue;
            }
        };
        match tree::game(&expanded.game) {
            Err(fault) => failed.push(fault.render(&expanded.sources)),
            Ok(game) => game.walk(&mut |node| {
                if node.items().len() > 1
                    && matches!(&node.items()[0].form, tree::Form::Str(_))
                    && matches!(node.form, tree::Form::Call(_))
                {
                    failed.push(format!("{name}: a call of an unknown define"));
                }
            }),
        }
    }
    assert!(failed.is_empty(), "{} failed: {:#?}", failed.len(), &failed[..failed.len().min(30)]);
}
