//! Parameters of names as data: what may stand in `uct(c=1.4,playout=mast)`, written once.
//!
//! [`params!`](crate::params) declares a struct of parameters. A field has a type, a default, bounds where they apply, and a
//! doc comment. Everything else follows from the declaration: reading with errors that name the range, printing only what
//! differs from the defaults, and the table of parameters ([`Param`]) that help texts, completions and forms are made from.
//!
//! ```
//! use ludex_core::schema::Schema;
//!
//! ludex_core::params! {
//!     /// The parameters of a search.
//!     pub struct Params {
//!         /// Exploration constant.
//!         pub c: f32 = 0.7, 0.0..;
//!         /// Playouts at a leaf.
//!         pub leaf: Option<u32> = None, (1..=1024, "auto");
//!     }
//! }
//!
//! let usual = Params::default();
//! let params = usual.read(&"uct(c=1.4)".parse().unwrap()).unwrap();
//! assert_eq!((params.c, params.leaf), (1.4, None));
//! assert_eq!(params.call("uct", &usual).to_string(), "uct(c=1.4)");
//! let error = usual.read(&"uct(leaf=0)".parse().unwrap()).unwrap_err();
//! assert_eq!(error.to_string(), "uct: `leaf` must be auto, or a whole number from 1 to 1024, not `0`");
//! assert_eq!(usual.describe()[0].meaning, "Exploration constant.");
//! ```

use crate::error::{Error, Result, did_you_mean};
use crate::spec::{Arg, Spec};
use std::fmt;
use std::ops::{RangeFrom, RangeInclusive};

/// One parameter of a name, for people and for programs that make forms.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// The key, as in `c=1.4`.
    pub key: &'static str,
    /// The values that the parameter takes.
    pub kind: Kind,
    /// The word that may stand for "no value", such as `auto`.
    pub none: Option<&'static str>,
    /// The value where none is given, as people would type it.
    pub default: String,
    /// The meaning of the parameter.
    pub meaning: String,
}

/// The values that a parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A whole number from the first to the second bound.
    Whole(f64, f64),
    /// A number from the first to the second bound.
    Number(f64, f64),
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(Vec<&'static str>),
    /// The name of such a thing, with parameters of its own: `agent`, `heuristic`.
    Name(&'static str),
    /// Any text: a path, or a word that depends on the game.
    Text(&'static str),
    /// Any number of plain arguments of one kind.
    List(Box<Kind>),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Whole(least, most) => range(f, "a whole number", *least, *most),
            Kind::Number(least, most) => range(f, "a number", *least, *most),
            Kind::Flag => f.write_str("true or false"),
            Kind::Word(words) => match words.as_slice() {
                [one, other] => write!(f, "{one} or {other}"),
                _ => write!(f, "one of {}", words.join(", ")),
            },
            Kind::Name(what) | Kind::Text(what) => f.write_str(what),
            Kind::List(kind) => write!(f, "plain arguments, each {kind}"),
        }
    }
}

fn range(f: &mut fmt::Formatter<'_>, what: &str, least: f64, most: f64) -> fmt::Result {
    let open = |bound: f64| bound.abs() >= f64::from(u32::MAX);
    match (open(least), open(most)) {
        (true, true) => f.write_str(what),
        (false, true) if most.is_infinite() => write!(f, "{what} from {least} up, or inf"),
        (false, true) => write!(f, "{what} from {least} up"),
        (true, false) => write!(f, "{what} up to {most}"),
        (false, false) => write!(f, "{what} from {least} to {most}"),
    }
}

/// What a declaration says of a value beside its type.
///
/// It is written as a range (`1..=8`, `0.0..`), the word for "no value" (`"auto"`), both (`(1..=8, "auto")`), or the words for
/// false and true (`["off", "on"]`).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    range: Option<(f64, f64)>,
    none: Option<&'static str>,
    switch: Option<[&'static str; 2]>,
}

impl Bounds {
    /// The word for "no value".
    pub fn none(&self) -> Option<&'static str> {
        self.none
    }
}

impl From<()> for Bounds {
    fn from((): ()) -> Self {
        Bounds::default()
    }
}

impl<T: Into<f64>> From<RangeInclusive<T>> for Bounds {
    fn from(range: RangeInclusive<T>) -> Self {
        let (least, most) = range.into_inner();
        Bounds { range: Some((least.into(), most.into())), ..Bounds::default() }
    }
}

impl<T: Into<f64>> From<RangeFrom<T>> for Bounds {
    fn from(range: RangeFrom<T>) -> Self {
        Bounds { range: Some((range.start.into(), f64::MAX)), ..Bounds::default() }
    }
}

impl From<&'static str> for Bounds {
    fn from(none: &'static str) -> Self {
        Bounds { none: Some(none), ..Bounds::default() }
    }
}

impl<R: Into<Bounds>> From<(R, &'static str)> for Bounds {
    fn from((range, none): (R, &'static str)) -> Self {
        Bounds { none: Some(none), ..range.into() }
    }
}

impl From<[&'static str; 2]> for Bounds {
    fn from(switch: [&'static str; 2]) -> Self {
        Bounds { switch: Some(switch), ..Bounds::default() }
    }
}

/// Why a text is no value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The value is none of those that the parameter's [`Kind`] describes.
    Unfit,
    /// The value is a nested name with this fault.
    Error(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Refusal::Error(error)
    }
}

/// A type that parameters can have.
pub trait Value: Clone + PartialEq {
    /// Does the value take all plain arguments of a name, such as the piles of `nim(2,3,2)`?
    const LIST: bool = false;

    /// The values within `bounds`.
    fn kind(bounds: &Bounds) -> Kind;

    /// Reads one value.
    ///
    /// # Errors
    /// The text is no such value.
    fn read(value: &Spec, bounds: &Bounds) -> Result<Self, Refusal>;

    /// Reads a [list](Value::LIST).
    ///
    /// # Errors
    /// One of the texts is no such value.
    fn read_list(values: &[&Spec], bounds: &Bounds) -> Result<Self, Refusal> {
        let _ = (values, bounds);
        Err(Refusal::Unfit)
    }

    /// The value as it is typed.
    fn write(&self, bounds: &Bounds) -> Spec;

    /// The elements of a [list](Value::LIST), each as it is typed.
    fn write_list(&self, bounds: &Bounds) -> Vec<Spec> {
        vec![self.write(bounds)]
    }
}

/// The text of a value without parameters of its own.
pub fn plain(value: &Spec) -> Result<&str, Refusal> {
    match value.args.is_empty() && value.budget.is_empty() {
        true => Ok(&value.name),
        false => Err(Refusal::Unfit),
    }
}

macro_rules! numbers {
    ($($Type:ty: $Kind:ident, $least:expr, $most:expr;)*) => {$(
        impl Value for $Type {
            fn kind(bounds: &Bounds) -> Kind {
                let (least, most) = bounds.range.unwrap_or(($least, $most));
                Kind::$Kind(least, most)
            }

            fn read(value: &Spec, bounds: &Bounds) -> Result<Self, Refusal> {
                let number: $Type = plain(value)?.parse().map_err(|_| Refusal::Unfit)?;
                let (least, most) = bounds.range.unwrap_or(($least, $most));
                match (least..=most).contains(&(number as f64)) {
                    true => Ok(number),
                    false => Err(Refusal::Unfit),
                }
            }

            fn write(&self, _: &Bounds) -> Spec {
                Spec::new(self.to_string())
            }
        }
    )*};
}

numbers! {
    u32: Whole, 0.0, u32::MAX.into();
    u64: Whole, 0.0, f64::MAX;
    usize: Whole, 0.0, f64::MAX;
    f32: Number, f64::MIN, f64::MAX;
    f64: Number, f64::MIN, f64::MAX;
}

impl Value for bool {
    fn kind(bounds: &Bounds) -> Kind {
        match bounds.switch {
            Some([off, on]) => Kind::Word(vec![on, off]),
            None => Kind::Flag,
        }
    }

    fn read(value: &Spec, bounds: &Bounds) -> Result<Self, Refusal> {
        let [off, on] = bounds.switch.unwrap_or(["false", "true"]);
        match plain(value)? {
            text if text == off => Ok(false),
            text if text == on => Ok(true),
            _ => Err(Refusal::Unfit),
        }
    }

    fn write(&self, bounds: &Bounds) -> Spec {
        let [off, on] = bounds.switch.unwrap_or(["false", "true"]);
        Spec::new(if *self { on } else { off })
    }
}

impl Value for String {
    fn kind(_: &Bounds) -> Kind {
        Kind::Text("a text")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        plain(value).map(str::to_string)
    }

    fn write(&self, _: &Bounds) -> Spec {
        Spec::new(self)
    }
}

impl<T: Value> Value for Option<T> {
    fn kind(bounds: &Bounds) -> Kind {
        T::kind(bounds)
    }

    fn read(value: &Spec, bounds: &Bounds) -> Result<Self, Refusal> {
        match plain(value) {
            Ok(text) if Some(text) == bounds.none => Ok(None),
            _ => T::read(value, bounds).map(Some),
        }
    }

    fn write(&self, bounds: &Bounds) -> Spec {
        match self {
            Some(value) => value.write(bounds),
            None => Spec::new(bounds.none.unwrap_or("none")),
        }
    }
}

impl<T: Value> Value for Vec<T> {
    const LIST: bool = true;

    fn kind(bounds: &Bounds) -> Kind {
        Kind::List(Box::new(T::kind(bounds)))
    }

    fn read(value: &Spec, bounds: &Bounds) -> Result<Self, Refusal> {
        Ok(vec![T::read(value, bounds)?])
    }

    fn read_list(values: &[&Spec], bounds: &Bounds) -> Result<Self, Refusal> {
        values.iter().map(|value| T::read(value, bounds)).collect()
    }

    fn write(&self, bounds: &Bounds) -> Spec {
        Spec::new(typed(self, bounds))
    }

    fn write_list(&self, bounds: &Bounds) -> Vec<Spec> {
        self.iter().map(|value| value.write(bounds)).collect()
    }
}

/// A set of parameters, as [`params!`](crate::params) declares it.
pub trait Schema: Clone + PartialEq {
    /// The table of parameters, with the values of `self` as defaults.
    fn describe(&self) -> Vec<Param>;

    /// Reads the arguments of a name. Missing arguments keep the values of `self`.
    ///
    /// # Errors
    /// Unknown keys, values out of range, values that do not go together.
    fn read(&self, spec: &Spec) -> Result<Self>;

    /// The arguments that make `self` out of `usual`.
    fn given(&self, usual: &Self) -> Vec<Arg>;

    /// The name that makes `self` where `usual` stands for the bare name.
    fn call(&self, name: &str, usual: &Self) -> Spec {
        Spec { args: self.given(usual), ..Spec::new(name) }
    }
}

/// Reads the arguments of one name, parameter by parameter. The code that [`params!`](crate::params) makes uses it.
#[derive(Debug)]
pub struct Reader<'a> {
    spec: &'a Spec,
    plain: Vec<&'a Spec>,
    places: usize,
    next: usize,
}

impl<'a> Reader<'a> {
    /// Begins to read arguments with these keys. The first `places` of them may be given without a key, in order; a `list`
    /// takes all plain arguments instead.
    ///
    /// # Errors
    /// Unknown keys, keys that are given twice, too many plain arguments.
    pub fn new(spec: &'a Spec, keys: &[&str], places: usize, list: bool) -> Result<Self> {
        let bad = |reason| Err(Error::BadParameter { name: spec.name.clone(), reason });
        for (i, arg) in spec.args.iter().enumerate() {
            let Some(key) = arg.key.as_deref() else { continue };
            if !keys.contains(&key) {
                let hint = match keys {
                    [] => ": it takes none".to_string(),
                    _ => match did_you_mean(key, keys.iter().copied()) {
                        near if near.is_empty() => format!("; it takes {}", keys.join(", ")),
                        near => format!("{near} It takes {}", keys.join(", ")),
                    },
                };
                return bad(format!("no parameter `{key}`{hint}"));
            }
            if spec.args.iter().take(i).any(|other| other.key == arg.key) {
                return bad(format!("`{key}` is given twice"));
            }
        }
        let plain: Vec<&Spec> = spec.positional().collect();
        match plain.len() {
            n if n > places && !list => {
                bad(format!("takes at most {places} plain arguments, not {n}"))
            }
            _ => Ok(Reader { spec, plain, places, next: 0 }),
        }
    }

    /// The value of the next parameter, or `usual`.
    ///
    /// # Errors
    /// A value that is not of its kind.
    pub fn take<T: Value>(&mut self, key: &str, usual: &T, bounds: &Bounds) -> Result<T> {
        let place = self.next;
        self.next += 1;
        let keyed = self.spec.get(key);
        if T::LIST && keyed.is_none() {
            return match self.plain.as_slice() {
                [] => Ok(usual.clone()),
                values => T::read_list(values, bounds).map_err(|why| {
                    let odd = values.iter().find(|value| T::read(value, bounds).is_err());
                    self.refuse::<T>(key, odd.unwrap_or(&self.spec), bounds, why)
                }),
            };
        }
        let placed = (place < self.places).then(|| self.plain.get(place).copied()).flatten();
        let value = match (keyed, placed) {
            (Some(_), Some(_)) => {
                let reason = format!("`{key}` is given twice");
                return Err(Error::BadParameter { name: self.spec.name.clone(), reason });
            }
            (None, None) => return Ok(usual.clone()),
            (Some(value), None) | (None, Some(value)) => value,
        };
        T::read(value, bounds).map_err(|why| self.refuse::<T>(key, value, bounds, why))
    }

    fn refuse<T: Value>(&self, key: &str, value: &Spec, bounds: &Bounds, why: Refusal) -> Error {
        let kind = T::kind(bounds);
        let what = match (bounds.none, &kind) {
            (Some(none), Kind::Word(words)) => format!("{none} or {}", words.join(" or ")),
            (Some(none), _) => format!("{none}, or {kind}"),
            (None, Kind::List(each)) => each.to_string(),
            (None, _) => kind.to_string(),
        };
        match why {
            Refusal::Error(error) => error,
            Refusal::Unfit => Error::BadParameter {
                name: self.spec.name.clone(),
                reason: format!("`{key}` must be {what}, not `{value}`"),
            },
        }
    }
}

/// Adds what differs from `usual` to `args`. The code that [`params!`](crate::params) makes uses it.
pub fn give<T: Value>(args: &mut Vec<Arg>, key: &str, value: &T, usual: &T, bounds: &Bounds) {
    if value == usual {
    } else if T::LIST {
        args.extend(value.write_list(bounds).into_iter().map(|value| Arg { key: None, value }));
    } else {
        args.push(Arg { key: Some(key.to_string()), value: value.write(bounds) });
    }
}

/// A value as it is typed. The code that [`params!`](crate::params) makes uses it.
pub fn typed<T: Value>(value: &T, bounds: &Bounds) -> String {
    let texts: Vec<String> = value.write_list(bounds).iter().map(Spec::to_string).collect();
    texts.join(",")
}

/// One sentence out of the lines of a doc comment.
pub fn sentence(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Declares a struct of parameters; see the [module](crate::schema).
///
/// A field is `name: Type = default;`, or `name: Type = default, bounds;`, with a doc comment that says what it means. Where the
/// key that people type is no Rust name, it follows: `last as "final": ...`. After the struct, `with { ... }` holds fields that
/// several names of one struct differ in and that people cannot set, `places = N;` lets people give the first N parameters
/// without their keys, and `check = function;` names a `fn(&Params) -> Result<(), String>` that refuses
/// values which do not go together.
#[macro_export]
macro_rules! params {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $(
                $(#[doc = $doc:literal])+
                $field_vis:vis $field:ident $(as $key:literal)?: $Type:ty = $default:expr $(, $bounds:expr)?;
            )*
        }
        $(with { $($(#[doc = $with_doc:literal])+ $with_vis:vis $with:ident: $With:ty = $with_default:expr;)+ })?
        $(places = $places:expr;)?
        $(check = $check:expr;)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $Name {
            $($(#[doc = $doc])+ $field_vis $field: $Type,)*
            $($($(#[doc = $with_doc])+ $with_vis $with: $With,)+)?
        }

        impl Default for $Name {
            fn default() -> Self {
                $Name { $($field: $default,)* $($($with: $with_default,)+)? }
            }
        }

        impl $crate::schema::Schema for $Name {
            fn describe(&self) -> Vec<$crate::schema::Param> {
                vec![$({
                    let bounds = $crate::schema::Bounds::from($crate::params!(@bounds $($bounds)?));
                    $crate::schema::Param {
                        key: $crate::params!(@key $field $($key)?),
                        kind: <$Type as $crate::schema::Value>::kind(&bounds),
                        none: bounds.none(),
                        default: $crate::schema::typed(&self.$field, &bounds),
                        meaning: $crate::schema::sentence(concat!($($doc, "\n"),+)),
                    }
                },)*]
            }

            fn read(&self, spec: &$crate::Spec) -> $crate::Result<Self> {
                let keys: &[&str] = &[$($crate::params!(@key $field $($key)?)),*];
                let list = false $(|| <$Type as $crate::schema::Value>::LIST)*;
                let places = 0 $(+ $places)?;
                #[allow(unused_mut, unused_variables, reason = "a name may have no parameters")]
                let mut reader = $crate::schema::Reader::new(spec, keys, places, list)?;
                let params = $Name {
                    $($field: reader.take(
                        $crate::params!(@key $field $($key)?),
                        &self.$field,
                        &$crate::schema::Bounds::from($crate::params!(@bounds $($bounds)?)),
                    )?,)*
                    $($($with: self.$with.clone(),)+)?
                };
                $(
                    let check: fn(&$Name) -> std::result::Result<(), String> = $check;
                    check(&params).map_err(|reason| $crate::Error::BadParameter {
                        name: spec.name.clone(),
                        reason,
                    })?;
                )?
                Ok(params)
            }

            fn given(&self, usual: &Self) -> Vec<$crate::spec::Arg> {
                #[allow(unused_mut, reason = "a name may have no parameters")]
                let mut args = Vec::new();
                let _ = usual;
                $($crate::schema::give(
                    &mut args,
                    $crate::params!(@key $field $($key)?),
                    &self.$field,
                    &usual.$field,
                    &$crate::schema::Bounds::from($crate::params!(@bounds $($bounds)?)),
                );)*
                args
            }
        }
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@bounds) => { () };
    (@bounds $bounds:expr) => { $bounds };
}

/// Gives the variants of an enum the words that people type for them, so that parameters can have it.
///
/// ```
/// #[derive(Debug, Clone, Copy, PartialEq)]
/// enum Backup { Mean, Solver }
/// ludex_core::words!(Backup { Mean = "mean", Solver = "solver" });
/// assert_eq!(Backup::Solver.to_string(), "solver");
/// ```
#[macro_export]
macro_rules! words {
    ($Type:ident { $($Variant:ident = $word:literal),+ $(,)? }) => {
        impl $crate::schema::Value for $Type {
            fn kind(_: &$crate::schema::Bounds) -> $crate::schema::Kind {
                $crate::schema::Kind::Word(vec![$($word),+])
            }

            fn read(
                value: &$crate::Spec,
                _: &$crate::schema::Bounds,
            ) -> std::result::Result<Self, $crate::schema::Refusal> {
                match $crate::schema::plain(value)? {
                    $($word => Ok($Type::$Variant),)+
                    _ => Err($crate::schema::Refusal::Unfit),
                }
            }

            fn write(&self, _: &$crate::schema::Bounds) -> $crate::Spec {
                $crate::Spec::new(self.to_string())
            }
        }

        impl std::fmt::Display for $Type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($Type::$Variant => $word),+ })
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Order {
        Random,
        Descending,
    }
    crate::words!(Order { Random = "random", Descending = "descending" });

    crate::params! {
        /// All sorts of parameters.
        struct Params {
            /// Cards of a
            /// hand.
            cards: u32 = 5, 1..=13;
            /// Order of the prizes.
            order: Order = Order::Random;
            /// Exploration constant.
            c: f64 = 0.7, 0.0..;
            /// Value of a move that was never tried.
            fpu: f32 = f32::INFINITY, 0.0..=f64::INFINITY;
            /// Longest playout.
            cap: Option<u32> = None, (1..=100, "none");
            /// Do choice factors count?
            factors as "cf": bool = true, ["off", "on"];
            /// Keep the tree?
            reuse: bool = true;
        }
        places = 2;
        check = |params| match params.cards == 13 && params.reuse {
            true => Err("13 cards need `reuse=false`".into()),
            false => Ok(()),
        };
    }

    crate::params! {
        /// A list.
        struct Piles {
            /// Counters by pile.
            piles: Vec<u32> = vec![3, 4, 5], 1..=1000;
            /// Does the last counter lose?
            misere: bool = false;
        }
    }

    crate::params! {
        /// Nothing to set.
        struct Nothing {}
    }

    fn read(text: &str) -> Result<Params> {
        Params::default().read(&text.parse()?)
    }

    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn printing_what_differs_reads_back() {
        for text in [
            "x",
            "x(cards=4)",
            "x(order=descending,c=1.4,fpu=2)",
            "x(cap=7,cf=off,reuse=false)",
            "x(cards=13,reuse=false)",
        ] {
            let params = read(text).unwrap();
            assert_eq!(params.call("x", &Params::default()).to_string(), text);
        }
        assert_eq!(read("x(4,descending)").unwrap(), read("x(cards=4,order=descending)").unwrap());
        assert_eq!(read("x(cap=none,fpu=inf)").unwrap(), Params::default());
    }

    #[test]
    fn errors_name_the_parameter_and_its_values() {
        assert_eq!(
            refused("x(cards=14)"),
            "x: `cards` must be a whole number from 1 to 13, not `14`"
        );
        assert_eq!(refused("x(c=-1)"), "x: `c` must be a number from 0 up, not `-1`");
        assert_eq!(refused("x(c=inf)"), "x: `c` must be a number from 0 up, not `inf`");
        assert_eq!(refused("x(c=NaN)"), "x: `c` must be a number from 0 up, not `NaN`");
        assert_eq!(
            refused("x(cap=0)"),
            "x: `cap` must be none, or a whole number from 1 to 100, not `0`"
        );
        assert_eq!(refused("x(cf=yes)"), "x: `cf` must be on or off, not `yes`");
        assert_eq!(refused("x(order=up)"), "x: `order` must be random or descending, not `up`");
        assert_eq!(
            refused("x(order=random(1))"),
            "x: `order` must be random or descending, not `random(1)`"
        );
        assert_eq!(refused("x(4,cards=4)"), "x: `cards` is given twice");
        assert_eq!(refused("x(c=1,c=1)"), "x: `c` is given twice");
        assert_eq!(refused("x(1,random,3)"), "x: takes at most 2 plain arguments, not 3");
        assert_eq!(refused("x(cards=13)"), "x: 13 cards need `reuse=false`");
        assert!(
            refused("x(card=1)")
                .starts_with("x: no parameter `card`: did you mean `cards`? It takes cards, order")
        );
        assert_eq!(
            Nothing {}.read(&"x(a=1)".parse().unwrap()).unwrap_err().to_string(),
            "x: no parameter `a`: it takes none"
        );
    }

    #[test]
    fn a_list_takes_all_plain_arguments() {
        let usual = Piles::default();
        let piles = usual.read(&"nim(1,3,5,7,misere=true)".parse().unwrap()).unwrap();
        assert_eq!(piles.piles, [1, 3, 5, 7]);
        assert_eq!(piles.call("nim", &usual).to_string(), "nim(1,3,5,7,misere=true)");
        let error = usual.read(&"nim(1,0)".parse().unwrap()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "nim: `piles` must be a whole number from 1 to 1000, not `0`"
        );
    }

    #[test]
    fn the_table_tells_kinds_defaults_and_meanings() {
        let table = Params::default().describe();
        let cards = &table[0];
        assert_eq!((cards.key, cards.default.as_str()), ("cards", "5"));
        assert_eq!(cards.meaning, "Cards of a hand.");
        assert_eq!(cards.kind, Kind::Whole(1.0, 13.0));
        assert_eq!((table[3].default.as_str(), table[4].default.as_str()), ("inf", "none"));
        assert_eq!((table[5].key, table[5].default.as_str()), ("cf", "on"));
        assert_eq!(Piles::default().describe()[0].default, "3,4,5");
        // A default that is typed out reads back as the default.
        for param in &table {
            let text = format!("x({}={})", param.key, param.default);
            assert_eq!(read(&text).unwrap(), Params::default(), "{text}");
        }
    }
}
