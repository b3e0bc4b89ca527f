//! Our descriptions are our own: none of them reads like a public one.
//!
//! Similarity is the ratio 2 m / (a + b) of two lists of tokens of lengths a and b, where m counts the tokens
//! in matching blocks: the longest common run of tokens, and then the longest ones to the left and to the right of
//! it, and so on (Ratcliff and Obershelp; Python's difflib without its rule about frequent tokens). Tokens are
//! brackets, strings and words; comments and metadata are left out.

mod common;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// More than this is too much.
const MOST: f64 = 0.75;

/// Shorter descriptions have hardly another way to say what they say.
const SHORTEST: usize = 60;

/// The tokens of a description, without comments and metadata.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '(' | ')' | '{' | '}' => 1,
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ => {
                rest.find(|c: char| c.is_whitespace() || "(){}\"".contains(c)).unwrap_or(rest.len())
            }
        };
        let (token, after) = rest.split_at(length.max(1));
        if !token.starts_with("//") {
            all.push(token);
        }
        rest = after.trim_start();
    }
    while let Some(at) = all.windows(2).position(|pair| pair == ["(", "metadata"]) {
        let mut depth = 0;
        let end = all[at..].iter().position(|&token| {
            depth += i32::from(token == "(") - i32::from(token == ")");
            depth == 0
        });
        all.drain(at..end.map_or(all.len(), |end| at + end + 1));
    }
    all
}

/// How many tokens are in matching blocks.
fn matching(a: &[&str], b: &[&str]) -> usize {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (j, &token) in b.iter().enumerate() {
        places.entry(token).or_default().push(j);
    }
    let none = Vec::new();
    let places: Vec<&Vec<usize>> = a.iter().map(|t| places.get(t).unwrap_or(&none)).collect();
    // The lengths of the common runs that end before a token of `b`: for the last token of `a`, for this one.
    let (mut ends, mut now) = (vec![0; b.len() + 1], vec![0; b.len() + 1]);
    let mut todo: Vec<(Range<usize>, Range<usize>)> = vec![(0..a.len(), 0..b.len())];
    let mut total = 0;
    while let Some((x, y)) = todo.pop() {
        // The longest common run, the first of several.
        let mut best = (x.start, y.start, 0);
        ends[y.start..=y.end].fill(0);
        for i in x.clone() {
            now[y.start..=y.end].fill(0);
            for &j in places[i].iter().filter(|j| y.contains(j)) {
                // The run before the block's first token is none of the block.
                now[j + 1] = 1 + if j > y.start { ends[j] } else { 0 };
                if now[j + 1] > best.2 {
                    best = (i + 1 - now[j + 1], j + 1 - now[j + 1], now[j + 1]);
                }
            }
            std::mem::swap(&mut ends, &mut now);
        }
        let (i, j, length) = best;
        if length > 0 {
            total += length;
            todo.push((x.start..i, y.start..j));
            todo.push((i + length..x.end, j + length..y.end));
        }
    }
    total
}

/// No two lists with these numbers of each token have more in common.
fn bound(a: &[&str], b: &[&str]) -> usize {
    let mut left: HashMap<&str, i32> = HashMap::new();
    b.iter().for_each(|&token| *left.entry(token).or_default() += 1);
    let common = a.iter().filter(|&&token| {
        let many = left.entry(token).or_default();
        *many -= 1;
        *many >= 0
    });
    common.count()
}

/// The public description that is nearest to a text, and how near it is.
fn nearest<'a>(own: &str, public: &'a [(String, Vec<&str>)]) -> (f64, &'a str) {
    let own = tokens(own);
    let mut best = (0.0, "");
    for (name, other) in public {
        let ratio = |m: usize| 2.0 * m as f64 / (own.len() + other.len()).max(1) as f64;
        if ratio(bound(&own, other)) > best.0 {
            let found = ratio(matching(&own, other));
            if found > best.0 {
                best = (found, name);
            }
        }
    }
    best
}

fn read(folder: &Path) -> Vec<(String, String)> {
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let files = common::files(folder, ".lud").into_iter();
    files.map(|path| (name(&path), std::fs::read_to_string(&path).expect("readable"))).collect()
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared")]
fn own_descriptions_differ_from_all_public_ones() {
    let shared = common::shared();
    let texts = read(&shared.join("lud"));
    let public: Vec<(String, Vec<&str>)> =
        texts.iter().map(|(name, text)| (name.clone(), tokens(text))).collect();
    assert!(public.len() > 800, "only {} public descriptions", public.len());
    let own = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games"));
    assert!(own.len() >= 36, "only {} descriptions", own.len());
    let mut near = Vec::new();
    for (name, text) in &own {
        let (ratio, other) = nearest(text, &public);
        let length = tokens(text).len();
        println!("{name}: {length} tokens, {ratio:.3} of {other}");
        if ratio >= MOST && length >= SHORTEST {
            near.push(format!("{name}: {ratio:.3} of `{other}`"));
        }
    }
    assert!(near.is_empty(), "too near to a public description:\n{}", near.join("\n"));
    // The measure finds a copy in which a piece has another name.
    let (_, go) = texts.iter().find(|(name, _)| name == "Go").expect("a public description");
    let copy = go.replace("Stone", "Pebble").replace("Marker", "Pebble");
    assert!(nearest(&copy, &public).0 > 0.9);
}

#[test]
fn similarity_is_that_of_matching_blocks() {
    let ratio = |a: &str, b: &str| {
        let (a, b) = (tokens(a), tokens(b));
        (matching(&a, &b), a.len(), b.len())
    };
    assert_eq!(ratio("(a b) // c\n", "( a b ) (metadata (x \"(\"))"), (4, 4, 4));
    assert_eq!(ratio("a b c d", "d a b c"), (3, 4, 4));
    // The longest run splits the rest: what is on its other side does not count.
    assert_eq!(ratio("x y z a b c", "a b c x y"), (3, 6, 5));
    assert_eq!(ratio("a \"b c\" d", "a \"b\" d"), (2, 3, 3));
}
