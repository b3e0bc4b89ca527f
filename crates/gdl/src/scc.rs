//! Strongly connected components.

/// The strongly connected components of a graph in which node `n` has edges to `edges(n)`:
/// each component after all components it has edges to (Tarjan's algorithm, with its own stack).
pub(crate) fn components<'a>(nodes: usize, edges: impl Fn(u32) -> &'a [u32]) -> Vec<Vec<u32>> {
    from_roots(nodes, 0..nodes as u32, |n, i| edges(n).get(i).copied())
}

/// The strongly connected components of the part of a graph that can be reached from `roots`; `edge(n, i)` is the
/// target of node `n`'s edge number `i`.
pub(crate) fn from_roots(
    nodes: usize,
    roots: impl Iterator<Item = u32>,
    edge: impl Fn(u32, usize) -> Option<u32>,
) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; nodes];
    let mut low = vec![0u32; nodes];
    let mut on_stack = vec![false; nodes];
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut count = 0;
    let mut result = Vec::new();
    for root in roots {
        if number[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some(top) = path.last_mut() {
            let (node, i) = (top.0, top.1);
            let n = node as usize;
            if i == 0 && number[n] == UNSEEN {
                number[n] = count;
                low[n] = count;
                count += 1;
                stack.push(node);
                on_stack[n] = true;
            }
            if let Some(target) = edge(node, i) {
                top.1 += 1;
                let t = target as usize;
                if number[t] == UNSEEN {
                    path.push((target, 0));
                } else if on_stack[t] {
                    low[n] = low[n].min(number[t]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[n]);
            }
            if low[n] == number[n] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                result.push(component);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_component_comes_after_those_that_it_has_edges_to() {
        let edges = [vec![1], vec![2], vec![1], vec![0]];
        let components = super::components(4, |n| &edges[n as usize]);
        assert_eq!(components, [vec![2, 1], vec![0], vec![3]]);
    }
}
