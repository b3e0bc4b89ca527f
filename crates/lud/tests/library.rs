//! Public descriptions expand and read without an error.

mod common;

use common::{files, shared};
use ludex_lud::expand::expand;
use ludex_lud::tree;

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn every_public_description_expands_to_one_game() {
    let (shared, library) = (shared(), common::library());
    let mut failed = Vec::new();
    for path in files(&shared.join("lud"), ".lud") {
        let source = std::fs::read_to_string(&path).expect("readable description");
        let name = path.display().to_string();
        let (expanded, mut found) = expand(&name, &source, &library, &[]);
        let (game, more) = tree::game(&expanded.game);
        found.extend(more);
        failed.extend(found.iter().map(|finding| finding.render(&expanded.texts)));
        game.iter().for_each(|game| {
            game.walk(&mut |node| {
                if node.items().len() > 1
                    && matches!(&node.items()[0].form, tree::Form::Str(_))
                    && matches!(node.form, tree::Form::Call(_))
                {
                    failed.push(format!("{name}: a call of an unknown define"));
                }
            });
        });
    }
    assert!(failed.is_empty(), "{} failed: {:#?}", failed.len(), &failed[..failed.len().min(30)]);
}
