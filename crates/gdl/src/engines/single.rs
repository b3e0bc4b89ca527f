//! T1: one state at a time, by differences.
//!
//! Every gate counts its wires that are off; it is on when the count is zero. When a leaf flips,
//! only the gates whose value really changes pass the change on, level by level, and the outputs
//! (legal moves, next state, terminality, goals, percepts) are bits that flip with their wires.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ludex_core::Rng;
use ludex_core::deadline::Pace;
use rustc_hash::FxHashMap;

use crate::engines::names::Names;
use crate::engines::reasoner::{Choices, Playout, Reasoner, State};
use crate::net::levels::{Levels, NO_LOOP};
use crate::net::phases::{Pattern, Phases};
use crate::net::propnet::Propnet;
use crate::net::{Kind, Lit, node};

/// The wiring that all machines of a game share.
#[derive(Debug)]
struct Wiring {
    propnet: Propnet,
    levels: Levels,
    depth: usize,
    /// By node: the gates it feeds, as gate number times two plus the wire's sign.
    feeds_from: Vec<u32>,
    feeds: Vec<u32>,
    /// By node: the output bits that flip with it.
    outputs_from: Vec<u32>,
    outputs: Vec<u32>,
    /// By node: the loops that must be run again when it flips.
    wakes: FxHashMap<u32, Vec<u32>>,
    base_node: Vec<u32>,
    does_node: Vec<u32>,
    /// First output bit of: legal (by move), next (by fluent), terminal, goals, sees.
    next_at: usize,
    terminal_at: usize,
    goals_at: usize,
    /// By role: the output bits of its percepts.
    sees: Vec<Range<usize>>,
    output_bits: usize,
}

/// A machine: the values of all gates for one state and one joint move.
#[derive(Clone, Debug)]
struct Machine {
    /// Wires that are off, by node (gates outside loops).
    off: Vec<u32>,
    /// The value that was passed on last, by node.
    value: Vec<bool>,
    outputs: Vec<u64>,
    base: Vec<u64>,
    does: Vec<u32>,
    /// Nodes to look at, by level.
    queue: Vec<Vec<u32>>,
    queued_loop: Vec<bool>,
    lowest: usize,
}

impl Wiring {
    fn new(propnet: Propnet) -> Wiring {
        let net = &propnet.net;
        let levels = Levels::new(net);
        let mut feeds: Vec<Vec<u32>> = vec![Vec::new(); net.len()];
        let mut wakes: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for n in 0..net.len() {
            let l = levels.in_loop[n];
            for &w in net.wires(n) {
                if l == NO_LOOP {
                    feeds[node(w)].push((n as u32) << 1 | (w & 1));
                } else if levels.in_loop[node(w)] != l {
                    wakes.entry(w >> 1).or_default().push(l);
                }
            }
        }
        for (number, l) in net.loops.iter().enumerate() {
            for &(_, def) in &l.latches {
                if levels.in_loop[node(def)] != number as u32 {
                    wakes.entry(def >> 1).or_default().push(number as u32);
                }
            }
        }
        wakes.values_mut().for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        let roots = propnet.roots();
        let mut outputs: Vec<Vec<u32>> = vec![Vec::new(); net.len()];
        for (bit, &root) in roots.iter().enumerate() {
            outputs[node(root)].push(bit as u32);
        }
        let (mut base_node, mut does_node) =
            (vec![0; propnet.next.len()], vec![0; propnet.legal.len()]);
        for n in 0..net.len() {
            match net.kind(n) {
                Kind::Base(i) => base_node[i as usize] = n as u32,
                Kind::Does(i) => does_node[i as usize] = n as u32,
                _ => {}
            }
        }
        let next_at = propnet.legal.len();
        let terminal_at = next_at + propnet.next.len();
        let goals_at = terminal_at + 1;
        let sees_at = goals_at + propnet.goals.iter().map(Vec::len).sum::<usize>();
        // Percepts are sorted by role.
        let first = |role: usize| propnet.sees.partition_point(|p| (p.role as usize) < role);
        let roles = 0..propnet.roles.len();
        let sees = roles.map(|role| sees_at + first(role)..sees_at + first(role + 1)).collect();
        let (feeds_from, feeds) = flatten(feeds);
        let (outputs_from, outputs) = flatten(outputs);
        let depth = levels.level.iter().max().copied().unwrap_or(0) as usize + 1;
        Wiring {
            depth,
            feeds_from,
            feeds,
            outputs_from,
            outputs,
            wakes,
            base_node,
            does_node,
            next_at,
            terminal_at,
            goals_at,
            sees,
            output_bits: roots.len(),
            levels,
            propnet,
        }
    }

    /// A machine in the first state with no moves made.
    fn machine(&self) -> Machine {
        let net = &self.propnet.net;
        let init = &self.propnet.init;
        let value = net.evaluate(|kind| match kind {
            Kind::Base(i) => init[i as usize],
            _ => false,
        });
        let on = |w: Lit| value[node(w)] != (w & 1 == 1);
        let off = (0..net.len())
            .map(|n| net.wires(n).iter().filter(|&&w| !on(w)).count() as u32)
            .collect();
        let mut outputs = vec![0u64; self.output_bits.div_ceil(64)];
        for (bit, &root) in self.propnet.roots().iter().enumerate() {
            outputs[bit / 64] |= u64::from(on(root)) << (bit % 64);
        }
        let mut base = vec![0u64; init.len().div_ceil(64)];
        for (i, &holds) in init.iter().enumerate() {
            base[i / 64] |= u64::from(holds) << (i % 64);
        }
        Machine {
            off,
            value,
            outputs,
            base,
            does: Vec::new(),
            queue: vec![Vec::new(); self.depth],
            queued_loop: vec![false; net.loops.len()],
            lowest: usize::MAX,
        }
    }
}

fn flatten(lists: Vec<Vec<u32>>) -> (Vec<u32>, Vec<u32>) {
    let mut from = Vec::with_capacity(lists.len() + 1);
    let mut all = Vec::new();
    from.push(0);
    for list in lists {
        all.extend_from_slice(&list);
        from.push(all.len() as u32);
    }
    (from, all)
}

impl Machine {
    /// Passes on that a node has flipped to `on`.
    #[inline]
    fn publish(&mut self, wiring: &Wiring, n: u32, on: bool) {
        let i = n as usize;
        self.value[i] = on;
        for &bit in
            &wiring.outputs[wiring.outputs_from[i] as usize..wiring.outputs_from[i + 1] as usize]
        {
            self.outputs[bit as usize / 64] ^= 1 << (bit % 64);
        }
        for &feed in &wiring.feeds[wiring.feeds_from[i] as usize..wiring.feeds_from[i + 1] as usize]
        {
            let gate = feed >> 1;
            let off = &mut self.off[gate as usize];
            // The wire comes on if the node does and it is not negated, and so on.
            let rises = on != (feed & 1 == 1);
            let look = if rises {
                *off -= 1;
                *off == 0
            } else {
                *off += 1;
                *off == 1
            };
            if look {
                let level = wiring.levels.level[gate as usize] as usize;
                self.queue[level].push(gate);
                self.lowest = self.lowest.min(level);
            }
        }
        if !wiring.wakes.is_empty()
            && let Some(loops) = wiring.wakes.get(&n)
        {
            for &l in loops {
                if !std::mem::replace(&mut self.queued_loop[l as usize], true) {
                    let latch = wiring.propnet.net.loops[l as usize].latches[0].0;
                    let level = wiring.levels.level[latch as usize] as usize;
                    self.queue[level].push(latch);
                    self.lowest = self.lowest.min(level);
                }
            }
        }
    }

    /// Lets the changes run through the net.
    fn settle(&mut self, wiring: &Wiring) {
        let mut level = self.lowest;
        while level < wiring.depth {
            let mut at = 0;
            while at < self.queue[level].len() {
                let n = self.queue[level][at];
                at += 1;
                let l = wiring.levels.in_loop[n as usize];
                if l != NO_LOOP {
                    self.run_loop(wiring, l as usize);
                    continue;
                }
                let on = self.off[n as usize] == 0;
                if on != self.value[n as usize] {
                    self.publish(wiring, n, on);
                }
            }
            self.queue[level].clear();
            level += 1;
        }
        self.lowest = usize::MAX;
    }

    /// Computes a loop from scratch and passes on what changed.
    fn run_loop(&mut self, wiring: &Wiring, l: usize) {
        self.queued_loop[l] = false;
        let net = &wiring.propnet.net;
        let members = &wiring.levels.members[l];
        let before: Vec<bool> = members.iter().map(|&n| self.value[n as usize]).collect();
        for &n in members {
            self.value[n as usize] = false;
        }
        let on = |value: &[bool], w: Lit| value[node(w)] != (w & 1 == 1);
        let mut changed = true;
        while changed {
            changed = false;
            for &n in members {
                if net.kind(n as usize) == Kind::And {
                    let now = net.wires(n as usize).iter().all(|&w| on(&self.value, w));
                    self.value[n as usize] = now;
                }
            }
            for &(latch, def) in &net.loops[l].latches {
                if !self.value[latch as usize] && on(&self.value, def) {
                    self.value[latch as usize] = true;
                    changed = true;
                }
            }
        }
        for (&n, before) in members.iter().zip(before) {
            let now = self.value[n as usize];
            if now != before {
                self.publish(wiring, n, now);
            }
        }
    }

    fn flip_base(&mut self, wiring: &Wiring, word: usize, mut bits: u64) {
        self.base[word] ^= bits;
        while bits != 0 {
            let i = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let n = wiring.base_node[i];
            if n != 0 {
                let on = !self.value[n as usize];
                self.publish(wiring, n, on);
            }
        }
    }

    fn set_state(&mut self, wiring: &Wiring, state: &[u64]) {
        for word in 0..self.base.len() {
            let bits = self.base[word] ^ state.get(word).copied().unwrap_or(0);
            if bits != 0 {
                self.flip_base(wiring, word, bits);
            }
        }
        if self.lowest != usize::MAX {
            self.settle(wiring);
        }
    }

    fn set_moves(&mut self, wiring: &Wiring, joint: &[u32]) {
        if self.does == joint {
            return;
        }
        let old = std::mem::take(&mut self.does);
        for &mv in old.iter().filter(|mv| !joint.contains(mv)) {
            let n = wiring.does_node.get(mv as usize).copied().unwrap_or(0);
            if n != 0 {
                self.publish(wiring, n, false);
            }
        }
        for &mv in joint.iter().filter(|mv| !old.contains(mv)) {
            let n = wiring.does_node.get(mv as usize).copied().unwrap_or(0);
            if n != 0 {
                self.publish(wiring, n, true);
            }
        }
        self.does = old;
        self.does.clear();
        self.does.extend_from_slice(joint);
        if self.lowest != usize::MAX {
            self.settle(wiring);
        }
    }

    /// One of the role's legal moves, uniformly; `None` if there is none.
    fn random_move(&self, range: Range<usize>, rng: &mut Rng) -> Option<u32> {
        let words = || {
            (range.start..range.end).step_by(64).map(|at| {
                let bits = self.output_word(at);
                let left = range.end - at;
                (at, if left < 64 { bits & ((1 << left) - 1) } else { bits })
            })
        };
        let count: u32 = words().map(|(_, bits)| bits.count_ones()).sum();
        if count == 0 {
            return None;
        }
        let mut k = if count == 1 { 0 } else { rng.below(count) };
        for (at, mut bits) in words() {
            let here = bits.count_ones();
            if k < here {
                for _ in 0..k {
                    bits &= bits - 1;
                }
                return Some(at as u32 + bits.trailing_zeros());
            }
            k -= here;
        }
        None
    }

    /// A random legal move for each role; false if a role has none.
    fn random_moves(&self, wiring: &Wiring, rng: &mut Rng, joint: &mut Vec<u32>) -> bool {
        joint.clear();
        for role in 0..wiring.propnet.roles.len() {
            match self.random_move(wiring.propnet.moves_of(role), rng) {
                Some(mv) => joint.push(mv),
                None => return false,
            }
        }
        true
    }

    /// Writes the next state, which the outputs show.
    fn successor(&self, wiring: &Wiring, state: &mut [u64]) {
        let bases = wiring.propnet.next.len();
        for (word, slot) in state.iter_mut().enumerate() {
            let bits = self.output_word(wiring.next_at + word * 64);
            let left = bases - word * 64;
            *slot = if left < 64 { bits & ((1 << left) - 1) } else { bits };
        }
    }

    /// Calls `f` with each output bit of a range that is on, counted from its start, ascending.
    fn each_output(&self, range: &Range<usize>, mut f: impl FnMut(usize)) {
        for at in (range.start..range.end).step_by(64) {
            let mut bits = self.output_word(at);
            if range.end - at < 64 {
                bits &= (1 << (range.end - at)) - 1;
            }
            while bits != 0 {
                f(at - range.start + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }

    /// Appends a role's legal moves, ascending.
    fn legal(&self, wiring: &Wiring, role: usize, out: &mut Vec<u32>) {
        let range = wiring.propnet.moves_of(role);
        self.each_output(&range, |mv| out.push((range.start + mv) as u32));
    }

    fn output(&self, bit: usize) -> bool {
        self.outputs[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// 64 output bits from `bit` on.
    fn output_word(&self, bit: usize) -> u64 {
        let (word, shift) = (bit / 64, bit % 64);
        let low = self.outputs.get(word).copied().unwrap_or(0) >> shift;
        if shift == 0 {
            return low;
        }
        low | self.outputs.get(word + 1).copied().unwrap_or(0) << (64 - shift)
    }
}

/// The wiring of a phase, for the states that agree with it, and machines at rest.
#[derive(Debug)]
struct Stand {
    pattern: Pattern,
    wiring: Arc<Wiring>,
    /// In boxes: they are taken and given back for every question.
    #[allow(clippy::vec_box, reason = "a machine is moved twice a question")]
    pool: Mutex<Vec<Box<Machine>>>,
    /// Machines begin as copies: to work out the first state takes up to a second in large nets, a copy milliseconds.
    first: OnceLock<Machine>,
}

impl Stand {
    fn new(propnet: Propnet, values: &[Option<bool>]) -> Stand {
        let pattern = Pattern::new(values);
        let (wiring, pool) = (Arc::new(Wiring::new(propnet)), Mutex::default());
        Stand { pattern, wiring, pool, first: OnceLock::new() }
    }

    #[inline]
    fn take(&self) -> Box<Machine> {
        let taken = self.pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        taken.unwrap_or_else(|| Box::new(self.first.get_or_init(|| self.wiring.machine()).clone()))
    }

    #[inline]
    fn give(&self, machine: Box<Machine>) {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(machine);
    }
}

/// The engine: states are bit words of fluents; machines are kept in pools and moved from state
/// to state by flipping what differs. Each phase of the game has machines of its own, in which
/// a change of turn flips nothing.
#[derive(Debug)]
pub(crate) struct Single {
    wiring: Arc<Wiring>,
    /// The phases in the order of play, then the stand for all other states.
    stands: Vec<Stand>,
    names: Names,
}

impl Single {
    /// An engine for a network.
    pub(crate) fn new(propnet: Propnet) -> Single {
        let names = Names::new(&propnet);
        let general = Stand::new(propnet, &[]);
        let wiring = Arc::clone(&general.wiring);
        Single { wiring, stands: vec![general], names }
    }

    /// An engine that uses what is known of the phases of the game.
    pub(crate) fn with_phases(propnet: &Propnet, phases: &Phases) -> Single {
        let mut engine = Single::new(propnet.factored());
        if phases.fixed[0].iter().any(Option::is_some) {
            let nets = phases.complete_nets(propnet);
            let stands = nets.into_iter().zip(&phases.fixed);
            let stands: Vec<Stand> =
                stands.map(|(net, fixed)| Stand::new(net.into_propnet(propnet), fixed)).collect();
            engine.stands.splice(0..0, stands);
        }
        engine
    }

    fn stand_of(&self, state: &[u64]) -> usize {
        let last = self.stands.len() - 1;
        self.stands[..last].iter().position(|stand| stand.pattern.agrees(state)).unwrap_or(last)
    }

    /// Runs `f` on a machine in this state.
    fn with<T>(&self, state: &[u64], f: impl FnOnce(&Wiring, &mut Machine) -> T) -> T {
        let stand = &self.stands[self.stand_of(state)];
        let mut machine = stand.take();
        machine.set_state(&stand.wiring, state);
        let result = f(&stand.wiring, &mut machine);
        stand.give(machine);
        result
    }
}

impl Reasoner for Single {
    fn engine(&self) -> &'static str {
        "single"
    }

    fn roles(&self) -> &[String] {
        &self.wiring.propnet.roles
    }

    fn start(&self) -> State {
        self.wiring.propnet.start()
    }

    fn terminal(&self, state: &State) -> bool {
        self.with(state, |wiring, machine| machine.output(wiring.terminal_at))
    }

    fn legal(&self, state: &State, role: usize, out: &mut Vec<u32>) {
        self.with(state, |wiring, machine| machine.legal(wiring, role, out));
    }

    fn view(&self, state: &State, roles: &[usize], out: &mut Choices) -> bool {
        self.with(state, |wiring, machine| {
            let over = machine.output(wiring.terminal_at);
            for &role in roles.iter().filter(|_| !over) {
                out.add(|moves| machine.legal(wiring, role, moves));
            }
            over
        })
    }

    fn advance(&self, state: &mut State, joint: &[u32]) {
        let stand = &self.stands[self.stand_of(state)];
        let mut machine = stand.take();
        machine.set_state(&stand.wiring, state);
        machine.set_moves(&stand.wiring, joint);
        machine.successor(&stand.wiring, state);
        stand.give(machine);
    }

    fn goals(&self, state: &State, role: usize, out: &mut Vec<u8>) {
        self.with(state, |wiring, machine| {
            let goals = &wiring.propnet.goals;
            let skip: usize = goals[..role].iter().map(Vec::len).sum();
            for (i, &(value, _)) in goals[role].iter().enumerate() {
                if machine.output(wiring.goals_at + skip + i) && out.last() != Some(&value) {
                    out.push(value);
                }
            }
        });
    }

    fn sees(&self, state: &State, joint: &[u32], role: usize, out: &mut Vec<u32>) {
        self.with(state, |wiring, machine| {
            machine.set_moves(wiring, joint);
            // Percepts are numbered over all roles.
            let (Some(first), Some(range)) = (wiring.sees.first(), wiring.sees.get(role)) else {
                return;
            };
            let from = range.start - first.start;
            machine.each_output(range, |percept| out.push((from + percept) as u32));
        });
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.wiring.propnet.facts(state)
    }

    fn possible_facts(&self) -> Vec<String> {
        self.wiring.propnet.bases.clone()
    }

    fn state_of(&self, facts: &[String]) -> Result<State, String> {
        self.names.state_of(facts)
    }

    fn move_text(&self, mv: u32) -> String {
        self.wiring.propnet.move_text(mv)
    }

    fn find_move(&self, state: &State, role: usize, text: &str) -> Option<u32> {
        let mv = self.names.find_move(role, text)?;
        let legal = self.with(state, |_, machine| machine.output(mv as usize));
        legal.then_some(mv)
    }

    fn percept_text(&self, percept: u32) -> String {
        self.wiring.propnet.percept_text(percept)
    }

    fn playout(&self, state: &mut State, rng: &mut Rng, longest: u32) -> Playout {
        let phases = self.stands.len() - 1;
        let mut at = self.stand_of(state);
        // In step with the phases the stands take turns; else the general one does it all.
        let mut machines: Vec<Box<Machine>> = self.stands.iter().map(Stand::take).collect();
        let mut joint = Vec::with_capacity(self.roles().len());
        let mut result = Playout::Cut;
        let mut pace = Pace::start();
        for ply in 0..=longest {
            let (wiring, machine) = (&*self.stands[at].wiring, &mut machines[at]);
            machine.set_state(wiring, state);
            if machine.output(wiring.terminal_at) || !machine.random_moves(wiring, rng, &mut joint)
            {
                result = Playout::Over(ply);
                break;
            }
            machine.set_moves(wiring, &joint);
            machine.successor(wiring, state);
            if at < phases {
                at = (at + 1) % phases;
            }
            if pace.step() {
                break;
            }
        }
        for (stand, machine) in self.stands.iter().zip(machines) {
            stand.give(machine);
        }
        result
    }

    fn move_count(&self) -> Option<u32> {
        Some(self.wiring.propnet.moves.len() as u32)
    }
}
