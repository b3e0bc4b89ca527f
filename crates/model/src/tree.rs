//! Binary decision trees in flat arrays.

use serde::{Deserialize, Serialize};

/// A tree: a row goes left where its number in the node's column is at most the threshold.
///
/// Node 0 is the root. Every node has the values that a row would get if it ended there. So the
/// contribution of each step of a path is known.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Tree {
    /// By node: the column, or -1 at a leaf.
    pub feature: Vec<i32>,
    /// By node: the threshold.
    pub threshold: Vec<f64>,
    /// By node: the child for numbers up to the threshold.
    pub left: Vec<u32>,
    /// By node: the child for larger numbers.
    pub right: Vec<u32>,
    /// By node: one number a target.
    pub value: Vec<f64>,
    /// How many targets there are.
    pub outputs: usize,
}

impl Tree {
    /// A single leaf.
    pub fn leaf(values: &[f64]) -> Self {
        let mut tree = Tree { outputs: values.len(), ..Tree::default() };
        tree.push(values);
        tree
    }

    /// Adds a leaf and returns its place.
    pub fn push(&mut self, values: &[f64]) -> usize {
        self.feature.push(-1);
        self.threshold.push(0.0);
        self.left.push(0);
        self.right.push(0);
        self.value.extend_from_slice(values);
        self.feature.len() - 1
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.feature.len()
    }

    /// Has the tree no nodes?
    pub fn is_empty(&self) -> bool {
        self.feature.is_empty()
    }

    /// The values of a node.
    #[inline]
    pub fn values(&self, node: usize) -> &[f64] {
        &self.value[node * self.outputs..(node + 1) * self.outputs]
    }

    /// The child that a row goes to; `None` at a leaf.
    #[inline]
    pub fn next(&self, node: usize, row: &[f64]) -> Option<usize> {
        let feature = usize::try_from(self.feature[node]).ok()?;
        let left = row[feature] <= self.threshold[node];
        Some(if left { self.left[node] } else { self.right[node] } as usize)
    }

    /// The values of the leaf that a row ends in.
    #[inline]
    pub fn predict(&self, row: &[f64]) -> &[f64] {
        let mut node = 0;
        while let Some(next) = self.next(node, row) {
            node = next;
        }
        self.values(node)
    }

    /// The first inconsistency of the tree. A tree without one can predict every row of
    /// `columns` numbers.
    pub fn fault(&self, columns: usize, outputs: usize) -> Option<String> {
        let n = self.len();
        let sizes = [self.threshold.len(), self.left.len(), self.right.len()];
        if n == 0 || self.outputs != outputs || sizes.iter().any(|&size| size != n) {
            return Some("a tree whose parts have different sizes".into());
        }
        if self.value.len() != n * outputs {
            return Some("a tree with values missing".into());
        }
        for node in 0..n {
            let Ok(feature) = usize::try_from(self.feature[node]) else { continue };
            if feature >= columns {
                return Some(format!("a tree asks for column {feature} of {columns}"));
            }
            for child in [self.left[node], self.right[node]] {
                // Children come after their parent, so no row goes round in a circle.
                if child as usize <= node || child as usize >= n {
                    return Some("a tree whose branches lead nowhere".into());
                }
            }
        }
        None
    }
}
