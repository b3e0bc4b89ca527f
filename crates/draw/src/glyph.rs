//! The shapes of pieces, as SVG in a box of one unit around the origin. Shapes differ in their outline, so that colour is
//! never the only difference.

use std::fmt::Write;

/// A shape by its name; `None` if there is none of this name.
///
/// Paths are drawn with `y` downwards, as SVG has it.
pub(crate) fn shape(name: &str) -> Option<&'static str> {
    Some(match name {
        "disc" | "stone" | "ball" | "marker" | "counter" | "seed" => "<circle r='.36'/>",
        "ring" | "nought" => {
            "<path d='M-.36 0a.36.36 0 1 0 .72 0a.36.36 0 1 0-.72 0M-.22 0a.22.22 0 1 1 .44 0a.22.22 0 1 1-.44 0' fill-rule='evenodd'/>"
        }
        "cross" => {
            "<path d='M-.36-.24L-.24-.36L0-.12L.24-.36L.36-.24L.12 0L.36 .24L.24 .36L0 .12L-.24 .36L-.36 .24L-.12 0Z'/>"
        }
        "square" | "tile" => "<rect x='-.32' y='-.32' width='.64' height='.64' rx='.04'/>",
        "triangle" => "<path d='M0-.38L.36 .3H-.36Z'/>",
        "diamond" => "<path d='M0-.4L.34 0L0 .4L-.34 0Z'/>",
        "hexagon" => "<path d='M-.2-.35H.2L.4 0L.2 .35H-.2L-.4 0Z'/>",
        "star" => {
            "<path d='M0-.42L.1-.13L.4-.13L.16 .05L.25 .35L0 .17L-.25 .35L-.16 .05L-.4-.13L-.1-.13Z'/>"
        }
        "man" | "checker" => "<circle r='.37'/><circle r='.25' fill='none'/>",
        "double" | "crowned" => {
            "<circle r='.37'/><circle r='.25' fill='none'/><path d='M-.15 .08L-.18-.12L-.07-.02L0-.17L.07-.02L.18-.12L.15 .08Z'/>"
        }
        "pawn" => {
            "<path d='M0-.36a.13.13 0 0 1 .08 .23c.06 .14 .1 .2 .14 .32H-.22c.04-.12 .08-.18 .14-.32A.13.13 0 0 1 0-.36ZM-.27 .23H.27V.37H-.27Z'/>"
        }
        "rook" => {
            "<path d='M-.27-.37H-.15V-.29H-.06V-.37H.06V-.29H.15V-.37H.27V-.17L.18-.1L.2 .2H-.2L-.18-.1L-.27-.17ZM-.3 .24H.3V.38H-.3Z'/>"
        }
        "knight" => {
            "<path d='M-.2 .2C-.2 .02 .02-.02 0-.12L-.14-.04L-.26-.1L-.12-.3L-.08-.38L0-.31C.2-.28 .26-.06 .24 .2ZM-.28 .24H.28V.38H-.28Z'/>"
        }
        "bishop" => {
            "<path d='M0-.4a.05.05 0 0 1 .03 .09C.16-.22 .19-.1 .13 .02L.17 .2H-.17L-.13 .02C-.19-.1-.16-.22-.03-.31A.05.05 0 0 1 0-.4ZM-.28 .24H.28V.38H-.28Z'/>"
        }
        "queen" => {
            "<path d='M-.36-.26L-.18-.06L-.12-.36L0-.08L.12-.36L.18-.06L.36-.26L.22 .2H-.22ZM-.28 .24H.28V.38H-.28Z'/>"
        }
        "king" => {
            "<path d='M-.03-.42H.03V-.35H.1V-.29H.03V-.22C.2-.3 .38-.2 .3-.02L.2 .2H-.2L-.3-.02C-.38-.2-.2-.3-.03-.22V-.29H-.1V-.35H-.03ZM-.28 .24H.28V.38H-.28Z'/>"
        }
        "arrow" => "<path d='M0-.42L.28-.06H.1V.4H-.1V-.06H-.28Z'/>",
        "card" => "<rect x='-.26' y='-.38' width='.52' height='.76' rx='.06'/>",
        "wall" | "block" => "<rect x='-.45' y='-.45' width='.9' height='.9'/>",
        _ => return None,
    })
}

/// A disc with letters, for pieces without a shape of their own.
pub(crate) fn lettered(out: &mut String, letters: &str, ink: &str) {
    let size = if letters.chars().count() > 1 { 0.3 } else { 0.42 };
    let _ = write!(
        out,
        "<circle r='.38'/><text y='{:.2}' font-size='{size}' fill='{ink}' stroke='none'>{}</text>",
        size * 0.36,
        escape(letters)
    );
}

/// A text with the characters that XML keeps for itself replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
