//! The names of models, with their parameters.

use super::boost::Boost;
use super::cart::Growth;
use super::forest::Forest;
use super::mlp::Mlp;
use super::svm::Svm;
use super::{Kind, Recipe, Share};
use ludex_core::schema::{self, Bounds, Param, Refusal, Schema, Value};
use ludex_core::{Error, Result, Spec};

/// A model as people name it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name that people type.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// Its parameters with their defaults.
    pub params: fn() -> Vec<Param>,
    pub(super) read: fn(&Spec) -> Result<Kind>,
}

/// An entry whose bare name stands for the parameters `$usual`.
macro_rules! entry {
    ($name:literal, $usual:expr, $summary:literal, $make:expr) => {
        Entry {
            name: $name,
            summary: $summary,
            params: || $usual.describe(),
            read: |spec| $usual.read(spec).map($make),
        }
    };
}

/// All models.
pub const ENTRIES: &[Entry] = &[
    entry!(
        "naive",
        Nothing {},
        "the mean of each target; it always picks the target that is best on average",
        |_| Kind::Naive { classes: false }
    ),
    entry!("naive-class", Nothing {}, "the target that is the best most often", |_| {
        Kind::Naive { classes: true }
    }),
    entry!(
        "linear",
        Linear::default(),
        "least squares, the shortest weights where there are several",
        |params| Kind::Linear { ridge: params.ridge }
    ),
    entry!("nearest", Nearest::default(), "the nearest known games by cosine distance", |params| {
        Kind::Nearest { k: params.k, width: params.width, shrink: params.shrink }
    }),
    entry!("tree", OneTree::default(), "one tree a target", |params| one_tree(&params, false)),
    entry!("tree-class", OneTree::default(), "one tree for the best target", |params| {
        one_tree(&params, true)
    }),
    entry!("forest", Trees::default(), "random forest, one a target or one for all", |params| {
        forest(&params, false)
    }),
    entry!("forest-class", ClassTrees::default(), "random forest for the best target", |params| {
        let ClassTrees { trees, share, leaf } = params;
        let growth = Growth { least: leaf, ..Growth::default() };
        let forest = Forest { trees, growth, bootstrap: true, joint: true };
        Kind::Forest { forest, share, classes: true, centred: false }
    }),
    entry!(
        "extra",
        Trees { share: Share::Of(0.1), joint: true, ..Trees::default() },
        "extremely randomised trees",
        |params| forest(&params, true)
    ),
    entry!("boost", Boosting::default(), "gradient boosting", boosting),
    entry!("kernel", Kernel::default(), "kernel ridge, radial, on scaled logarithms", |params| {
        Kind::Kernel { gamma: params.gamma, ridge: params.ridge }
    }),
    entry!("svm", Vectors::default(), "support vector regression", |params| {
        let Vectors { sigmoid, cost, epsilon } = params;
        Kind::Svm { svm: Svm { cost, epsilon, sigmoid } }
    }),
    entry!("mlp", Network::default(), "a network of one hidden layer", |params| {
        network(&params, false)
    }),
    entry!(
        "mlp-class",
        Network { scale: false, ..Network::default() },
        "a network of one hidden layer for the best target",
        |params| network(&params, true)
    ),
    entry!(
        "bayes",
        Nothing {},
        "naive Bayes with normal distributions, for the best target",
        |_| Kind::Bayes
    ),
    entry!(
        "mean",
        Mean::default(),
        "the mean of several models, as in mean(forest,boost,kernel)",
        |params| Kind::Mean { members: params.members }
    ),
];

ludex_core::params! {
    /// A model without parameters.
    struct Nothing {}
}

ludex_core::params! {
    /// The parameters of `linear`.
    struct Linear {
        /// Ridge penalty.
        ridge: f64 = 0.0, 0.0..=1e12;
    }
}

ludex_core::params! {
    /// The parameters of `nearest`.
    struct Nearest {
        /// Neighbours.
        k: usize = 10, 1..=1_000_000;
        /// Distance at which a neighbour's weight has fallen to 1/e.
        width: f64 = 0.15, 1e-6..=1e6;
        /// Neighbours of average value that are added.
        shrink: f64 = 0.0, 0.0..=1e6;
    }
}

ludex_core::params! {
    /// The parameters of `tree` and `tree-class`.
    struct OneTree {
        /// Least weight of rows in a leaf.
        leaf: f64 = 1.0, 1.0..=1e6;
        /// Deepest split; 0: no limit.
        depth: usize = 0, 0..=1_000_000;
    }
}

ludex_core::params! {
    /// The parameters of `forest` and `extra`.
    struct Trees {
        /// Trees.
        trees: usize = 150, 1..=100_000;
        /// Share of the columns that each split looks at, or sqrt: the square root of their number.
        share: Share = Share::Of(1.0);
        /// Least weight of rows in a leaf.
        leaf: f64 = 1.0, 1.0..=1e6;
        /// One forest for all targets?
        joint: bool = false;
        /// Learn win rates as differences from their game's mean?
        centred: bool = false;
    }
}

ludex_core::params! {
    /// The parameters of `forest-class`.
    struct ClassTrees {
        /// Trees.
        trees: usize = 150, 1..=100_000;
        /// Share of the columns that each split looks at, or sqrt: the square root of their number.
        share: Share = Share::Root;
        /// Least weight of rows in a leaf.
        leaf: f64 = 1.0, 1.0..=1e6;
    }
}

ludex_core::params! {
    /// The parameters of `boost`.
    struct Boosting {
        /// Trees.
        trees: usize = 100, 1..=100_000;
        /// Learning rate.
        rate: f64 = 0.1, 1e-6..=1.0;
        /// Deepest split; 0: no limit.
        depth: usize = 3, 0..=1_000_000;
        /// Most leaves of a tree; 0: no limit.
        leaves: usize = 0, 0..=1_000_000;
        /// Least weight of rows in a leaf.
        leaf: f64 = 1.0, 1.0..=1e6;
        /// Share of the rows that each tree sees.
        rows: f64 = 1.0, 0.01..=1.0;
        /// Share of the columns that each tree sees.
        columns: f64 = 1.0, 0.001..=1.0;
    }
}

ludex_core::params! {
    /// The parameters of `kernel`.
    struct Kernel {
        /// Width of the radial kernel.
        gamma: f64 = 1.0, 1e-9..=1e9;
        /// Ridge penalty.
        ridge: f64 = 0.3, 1e-9..=1e9;
    }
}

ludex_core::params! {
    /// The parameters of `svm`.
    struct Vectors {
        /// Kernel: sigmoid or rbf.
        sigmoid as "kernel": bool = true, ["rbf", "sigmoid"];
        /// Price of an error.
        cost: f64 = 1.0, 1e-9..=1e9;
        /// Errors up to this cost nothing.
        epsilon: f64 = 0.1, 0.0..=1e9;
    }
}

ludex_core::params! {
    /// The parameters of `mlp` and `mlp-class`.
    struct Network {
        /// Units of the hidden layer.
        hidden: usize = 150, 1..=10_000;
        /// Passes over the rows.
        epochs: usize = 1000, 1..=1_000_000;
        /// Scale the columns first?
        scale: bool = true;
    }
}

ludex_core::params! {
    /// The parameters of `mean`.
    struct Mean {
        /// Models, as plain arguments.
        members: Vec<Recipe> = Vec::new();
    }
    check = |params| match params.members.is_empty() {
        true => Err("takes models, as in mean(forest,boost)".into()),
        false => Ok(()),
    };
}

/// 0 stands for no limit.
fn no_limit(depth: usize) -> usize {
    if depth == 0 { usize::MAX } else { depth }
}

fn one_tree(params: &OneTree, classes: bool) -> Kind {
    let depth = no_limit(params.depth);
    let growth = Growth { least: params.leaf, depth, ..Growth::default() };
    let forest = Forest { trees: 1, growth, bootstrap: false, joint: classes };
    Kind::Forest { forest, share: Share::Of(1.0), classes, centred: false }
}

fn forest(params: &Trees, extra: bool) -> Kind {
    let growth = Growth { least: params.leaf, random: extra, ..Growth::default() };
    let Trees { trees, share, joint, centred, .. } = *params;
    let forest = Forest { trees, growth, bootstrap: !extra, joint };
    Kind::Forest { forest, share, classes: false, centred }
}

fn boosting(params: Boosting) -> Kind {
    let Boosting { trees, rate, depth, leaves, leaf, rows, columns } = params;
    let growth = Growth { least: leaf, depth: no_limit(depth), leaves, ..Growth::default() };
    Kind::Boost { boost: Boost { trees, rate, growth, rows, columns } }
}

fn network(params: &Network, classes: bool) -> Kind {
    let Network { hidden, epochs, scale } = *params;
    Kind::Mlp { mlp: Mlp { hidden, epochs, scale, classes } }
}

impl Value for Share {
    fn kind(_: &Bounds) -> schema::Kind {
        schema::Kind::Text("sqrt, or a number from 0 to 1")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        match schema::plain(value)? {
            "sqrt" => Ok(Share::Root),
            text => match text.parse() {
                Ok(share) if (0.0..=1.0).contains(&share) => Ok(Share::Of(share)),
                _ => Err(Refusal::Unfit),
            },
        }
    }

    fn write(&self, _: &Bounds) -> Spec {
        match self {
            Share::Root => Spec::new("sqrt"),
            Share::Of(share) => Spec::new(share.to_string()),
        }
    }
}

impl Value for Recipe {
    fn kind(_: &Bounds) -> schema::Kind {
        schema::Kind::Name("model")
    }

    fn read(value: &Spec, _: &Bounds) -> Result<Self, Refusal> {
        Recipe::read(value).map_err(Error::into)
    }

    fn write(&self, _: &Bounds) -> Spec {
        self.spec.clone()
    }
}
