//! The `(graphics ...)` part of a description's metadata, as far as drawings use it. It is no part of the rules: an item that
//! cannot be understood is left out.

use crate::source::Text;
use crate::tree::{self, Form, Node};

/// The wishes of a description about its drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Graphics {
    /// `(board Style ...)`, in lower case.
    pub(crate) style: Option<String>,
    /// `(board Checkered)`.
    pub(crate) checkered: bool,
    /// `(stackType ...)` of the whole board, in lower case.
    pub(crate) stack: Option<String>,
    /// `(player Colour P1 ...)`: players by number, from 1, with `#rrggbb`.
    pub(crate) colours: Vec<(usize, String)>,
    /// `(player Name P1 ...)`.
    pub(crate) names: Vec<(usize, String)>,
    /// `(piece Rename piece:... ...)`: the name in the rules and the name of the picture.
    pub(crate) renames: Vec<(String, String)>,
    /// `(show Symbol ...)` with sites or the name of a region.
    pub(crate) symbols: Vec<Symbol>,
}

/// A mark on sites of the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Symbol {
    /// The name of the picture, in lower case.
    pub(crate) name: String,
    /// Sites by number.
    pub(crate) sites: Vec<i32>,
    /// Sites by label, and regions by name.
    pub(crate) names: Vec<String>,
}

impl Graphics {
    /// Reads the metadata of a description.
    pub(crate) fn read(metadata: &Text) -> Graphics {
        let mut graphics = Graphics::default();
        let (nodes, _) = tree::read(metadata);
        for node in &nodes {
            node.walk(&mut |node| {
                if node.keyword() == Some("graphics") {
                    for item in node.args() {
                        items(item).iter().for_each(|item| graphics.item(item));
                    }
                }
            });
        }
        graphics
    }

    fn item(&mut self, item: &Node) {
        let args = item.args();
        let first = args.first().and_then(word);
        match (item.keyword(), first) {
            (Some("board"), Some("Style")) => {
                self.style = args.get(1).and_then(word).map(str::to_lowercase);
            }
            (Some("board"), Some("Checkered")) => {
                self.checkered = !matches!(args.get(1).and_then(word), Some("False"));
            }
            // With a number in front it is about hands.
            (Some("stackType"), Some(kind)) => self.stack = Some(kind.to_lowercase()),
            (Some("player"), Some("Colour")) => {
                let player = args.get(1).and_then(word).and_then(player_number);
                if let (Some(player), Some(colour)) = (player, args.get(2).and_then(colour)) {
                    self.colours.push((player, colour));
                }
            }
            (Some("player"), Some("Name")) => {
                let player = args.get(1).and_then(word).and_then(player_number);
                if let (Some(player), Some(name)) = (player, args.get(2).and_then(string)) {
                    self.names.push((player, name.to_owned()));
                }
            }
            (Some("piece"), Some("Rename")) => {
                let labelled = |node: &&Node| node.label.as_deref() == Some("piece");
                let of = args.iter().find(labelled).and_then(string);
                let to = args.iter().rfind(|node| node.label.is_none()).and_then(string);
                if let (Some(of), Some(to)) = (of, to) {
                    self.renames.push((of.to_lowercase(), to.to_lowercase()));
                }
            }
            (Some("show"), Some("Symbol")) => self.symbols.extend(symbol(&args[1..])),
            _ => {}
        }
    }
}

fn symbol(args: &[Node]) -> Option<Symbol> {
    let mut symbol = Symbol { name: string(args.first()?)?.to_lowercase(), ..Symbol::default() };
    for arg in args.iter().skip(1).filter(|arg| arg.label.as_deref().is_none_or(|l| l == "site")) {
        for place in items(arg) {
            let inner = if place.keyword() == Some("sites") {
                place.args()
            } else {
                std::slice::from_ref(place)
            };
            for place in inner.iter().flat_map(items) {
                match &place.form {
                    Form::Int(site) => symbol.sites.push(*site),
                    Form::Str(name) => symbol.names.push(name.clone()),
                    _ => {}
                }
            }
        }
    }
    Some(symbol)
}

/// The parts of a list, or the node alone.
fn items(node: &Node) -> &[Node] {
    match &node.form {
        Form::List(items) => items,
        _ => std::slice::from_ref(node),
    }
}

fn word(node: &Node) -> Option<&str> {
    match &node.form {
        Form::Word(word) => Some(word),
        _ => None,
    }
}

fn string(node: &Node) -> Option<&str> {
    match &node.form {
        Form::Str(text) => Some(text),
        _ => None,
    }
}

/// The number in `P1`.
fn player_number(word: &str) -> Option<usize> {
    word.strip_prefix('P')?.parse().ok().filter(|number| *number > 0)
}

/// `(colour 20 40 60)`, `(colour "#a0b0c0")` or `(colour Red)` as `#rrggbb`.
fn colour(node: &Node) -> Option<String> {
    let args = node.args();
    let part = |number: usize| match args.get(number)?.form {
        Form::Int(part) => u8::try_from(part).ok(),
        _ => None,
    };
    if let (Some(red), Some(green), Some(blue)) = (part(0), part(1), part(2)) {
        return Some(format!("#{red:02x}{green:02x}{blue:02x}"));
    }
    if let Some(hex) = args.first().and_then(string) {
        let digits = hex.trim_start_matches('#');
        let valid = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        return valid.then(|| format!("#{}", digits.to_lowercase()));
    }
    let name = args.first().and_then(word)?;
    let known = NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    known.map(|(_, value)| (*value).to_owned())
}

/// Our values for the colours that the language names.
const NAMED: [(&str, &str); 26] = [
    ("White", "#f7f3e8"),
    ("Black", "#33363b"),
    ("Grey", "#8f8f8f"),
    ("LightGrey", "#c4c4c4"),
    ("VeryLightGrey", "#e2e2e2"),
    ("DarkGrey", "#5f5f5f"),
    ("VeryDarkGrey", "#3a3a3a"),
    ("Dark", "#2a2a2a"),
    ("Red", "#d0342c"),
    ("LightRed", "#ef8a80"),
    ("DarkRed", "#8e1b16"),
    ("Green", "#2f9e44"),
    ("LightGreen", "#94d3a2"),
    ("DarkGreen", "#1b5e2b"),
    ("Blue", "#2b6cb0"),
    ("LightBlue", "#90c2ea"),
    ("DarkBlue", "#1d3f70"),
    ("Yellow", "#f2c230"),
    ("LightYellow", "#f9e69a"),
    ("Orange", "#e8842a"),
    ("Brown", "#7a4b2a"),
    ("DarkBrown", "#4c2d17"),
    ("Purple", "#7b4397"),
    ("Pink", "#e59ac0"),
    ("Cyan", "#3fb8c9"),
    ("Magenta", "#c2408f"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Text;

    #[test]
    fn the_wishes_of_a_description_are_read_and_the_rest_is_left_out() {
        let text = "(metadata (info { (description \"x\") }) (graphics {
            (board Style Backgammon) (board Checkered) (stackType Backgammon) (stackType 2 Count)
            (player Colour P1 (colour 255 0 16)) (player Colour P2 (colour Black)) (player Colour P9 (colour Plaid))
            (player Name P2 \"Chaos\") (piece Rename piece:\"Calf\" \"Cow\") (show Symbol \"Disc\" (sites {3 \"B2\"}))
            (unknown Thing) }))";
        let graphics = Graphics::read(&Text::of_file(0, text));
        assert_eq!(graphics.style.as_deref(), Some("backgammon"));
        assert!(graphics.checkered);
        assert_eq!(graphics.stack.as_deref(), Some("backgammon"));
        assert_eq!(graphics.colours, [(1, "#ff0010".into()), (2, "#33363b".into())]);
        assert_eq!(graphics.names, [(2, "Chaos".into())]);
        assert_eq!(graphics.renames, [("calf".into(), "cow".into())]);
        let disc = Symbol { name: "disc".into(), sites: vec![3], names: vec!["B2".into()] };
        assert_eq!(graphics.symbols, [disc]);
    }
}
