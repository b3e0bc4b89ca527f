//! A random legal move in every lane at once.
//!
//! Each legal move is a plane of lanes. Carry-save adders count the planes lane by lane; a number
//! below the count is drawn per lane by rejection on bit planes (exactly uniform); then the
//! planes are subtracted one by one from that number, and the move at which a lane's number
//! underflows is the one chosen there.

use crate::engines::lanes::block::{Block, Streams};

/// Bits enough for any number of planes (a role has fewer than 2^20 moves).
const BITS: usize = 20;

/// Lanes are handled 256 at a time, so that counters stay in registers.
type Quad = Block<4>;

#[inline(always)]
fn full_add(a: Quad, b: Quad, c: Quad) -> (Quad, Quad) {
    let half = a.xor(b);
    (half.xor(c), a.and(b).or(half.and(c)))
}

/// Counts planes by lane; `plane(i)` for `i` below `planes`. Returns the bits of the counts.
#[inline(always)]
fn count(planes: usize, plane: impl Fn(usize) -> Quad) -> [Quad; BITS] {
    let mut bits = [Quad::NONE; BITS];
    let (mut ones, mut twos) = (Quad::NONE, Quad::NONE);
    // The counts fit in so many bits.
    let width = (usize::BITS - planes.leading_zeros()) as usize;
    let mut at = 0;
    while at + 4 <= planes {
        let (sum, carry_a) = full_add(ones, plane(at), plane(at + 1));
        let (sum, carry_b) = full_add(sum, plane(at + 2), plane(at + 3));
        ones = sum;
        let (sum, mut carry) = full_add(twos, carry_a, carry_b);
        twos = sum;
        for bit in &mut bits[2..width.max(2)] {
            let next = bit.and(carry);
            *bit = bit.xor(carry);
            carry = next;
        }
        at += 4;
    }
    bits[0] = ones;
    bits[1] = twos;
    while at < planes {
        let mut carry = plane(at);
        for bit in &mut bits[..width] {
            let next = bit.and(carry);
            *bit = bit.xor(carry);
            carry = next;
        }
        at += 1;
    }
    bits
}

/// For each lane a number below its count, uniform; 0 where the count is 0 or 1.
#[inline(always)]
fn draw(count: &[Quad; BITS], width: usize, rng: &mut Streams) -> [Quad; BITS] {
    let mut k = [Quad::NONE; BITS];
    // last = count - 1 (lanes with count 0 do not matter).
    let mut last = [Quad::NONE; BITS];
    let mut borrow = Quad::ALL;
    let mut open = Quad::NONE;
    for b in 0..width {
        last[b] = count[b].xor(borrow);
        borrow = borrow.and_not(count[b]);
        if b > 0 {
            open = open.or(count[b]);
        }
    }
    // Bits up to the highest of `last`: a draw hits with probability over one half.
    let mut mask = [Quad::NONE; BITS];
    let mut above = Quad::NONE;
    for b in (0..width).rev() {
        above = above.or(last[b]);
        mask[b] = above.and(open);
    }
    while open.any() {
        let mut greater = Quad::NONE;
        let mut equal = Quad::ALL;
        let mut drawn = [Quad::NONE; BITS];
        for b in (0..width).rev() {
            drawn[b] = rng.bits().and(mask[b]);
            greater = greater.or(equal.and(drawn[b]).and_not(last[b]));
            equal = equal.and_not(drawn[b].xor(last[b]));
        }
        let hit = open.and_not(greater);
        for b in 0..width {
            k[b] = k[b].or(drawn[b].and(hit));
        }
        open = open.and(greater);
    }
    k
}

/// The lanes of a group of 256.
#[inline(always)]
fn load<const W: usize>(planes: &[Block<W>], slot: u32, group: usize) -> Quad {
    let block = &planes[slot as usize].0;
    let mut out = [0; 4];
    out.copy_from_slice(&block[group * 4..group * 4 + 4]);
    Block(out)
}

/// Subtracts the planes one by one from `k`; each is replaced by the lanes that underflow there.
#[inline(always)]
fn pick<const B: usize, const W: usize>(
    k: &[Quad; BITS],
    planes: &mut [Block<W>],
    slots: &[u32],
    group: usize,
) {
    let mut bits = [Quad::NONE; B];
    bits.copy_from_slice(&k[..B]);
    for &slot in slots {
        let mut borrow = load(planes, slot, group);
        for bit in &mut bits {
            let old = *bit;
            *bit = old.xor(borrow);
            borrow = borrow.and_not(old);
        }
        planes[slot as usize].0[group * 4..group * 4 + 4].copy_from_slice(&borrow.0);
    }
}

/// Chooses one of a role's moves in every lane. `planes[slot]` for each of `slots` holds the
/// lanes where the move is legal, and afterwards those where it is chosen. Returns the lanes in
/// which there was any move, and those in which there were several.
#[inline(always)]
pub(super) fn choose<const W: usize>(
    planes: &mut [Block<W>],
    slots: &[u32],
    rng: &mut Streams,
) -> (Block<W>, Block<W>) {
    let (mut some, mut several) = (Block::NONE, Block::NONE);
    let width = (usize::BITS - slots.len().leading_zeros()) as usize;
    for group in 0..W / 4 {
        let counts = count(slots.len(), |i| load(planes, slots[i], group));
        let more = counts[1..width.max(1)].iter().fold(Quad::NONE, |all, &bit| all.or(bit));
        several.0[group * 4..group * 4 + 4].copy_from_slice(&more.0);
        some.0[group * 4..group * 4 + 4].copy_from_slice(&more.or(counts[0]).0);
        let k = draw(&counts, width, rng);
        macro_rules! by_width {
            ($($b:literal)*) => {
                match width {
                    0 => {}
                    $($b => pick::<$b, W>(&k, planes, slots, group),)*
                    _ => pick::<BITS, W>(&k, planes, slots, group),
                }
            };
        }
        by_width!(1 2 3 4 5 6 7 8 9 10 11);
    }
    (some, several)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Seed;

    #[test]
    fn exactly_one_legal_move_is_chosen_wherever_there_is_one_and_uniformly() {
        let mut rng = Streams::new(Seed(1));
        let slots: Vec<u32> = (0..23).collect();
        // Lane l has the moves m with m % (l % 6 + 1) == 0, lane 0 of each word none.
        let mut legal = vec![Block::<8>::NONE; 23];
        for lane in 0..512 {
            for (m, plane) in legal.iter_mut().enumerate() {
                if lane % 64 != 0 && m % (lane % 6 + 1) == 0 {
                    plane.insert(lane);
                }
            }
        }
        let mut count = vec![[0u32; 23]; 6];
        const ROUNDS: usize = 400;
        for _ in 0..ROUNDS {
            let mut planes = legal.clone();
            let (some, several) = choose(&mut planes, &slots, &mut rng);
            let mut chosen = vec![0; 512];
            for (m, plane) in planes.iter().enumerate() {
                assert!(!plane.and_not(legal[m]).any());
                plane.each(|lane| {
                    chosen[lane] += 1;
                    count[lane % 6][m] += 1;
                });
            }
            for (lane, &n) in chosen.iter().enumerate() {
                let has = lane % 64 != 0;
                assert_eq!(n, usize::from(has));
                assert_eq!(some.0[lane / 64] >> (lane % 64) & 1 == 1, has);
                assert_eq!(several.0[lane / 64] >> (lane % 64) & 1 == 1, has);
            }
        }
        for (class, counts) in count.iter().enumerate() {
            let step = class + 1;
            let moves: Vec<u32> = counts.iter().step_by(step).copied().collect();
            let expected = moves.iter().sum::<u32>() as f64 / moves.len() as f64;
            let chi2: f64 =
                moves.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
            // df <= 22: mean 22, sd 6.6; five sigma.
            assert!(chi2 < 55.0, "class {class}: {chi2}");
        }
    }
}
