//! The board: 61 hexes, their names and neighbours, as bits of a word.
//!
//! A hex is an index: row by row from the top (r = +4), each row from the left (q ascending).

/// The number of hexes.
pub(super) const HEXES: usize = 61;
/// The six steps.
const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

const fn inside(r: i32, q: i32) -> bool {
    let s = -r - q;
    r >= -4 && r <= 4 && q >= -4 && q <= 4 && s >= -4 && s <= 4
}

/// The coordinates of each hex.
pub(super) const PLACE: [(i32, i32); HEXES] = {
    let mut place = [(0, 0); HEXES];
    let (mut n, mut r) = (0, 4);
    while r >= -4 {
        let mut q = -4;
        while q <= 4 {
            if inside(r, q) {
                place[n] = (r, q);
                n += 1;
            }
            q += 1;
        }
        r -= 1;
    }
    place
};

/// The hex at some coordinates.
pub(super) const fn hex(r: i32, q: i32) -> Option<u8> {
    let mut n = 0;
    while n < HEXES {
        if PLACE[n].0 == r && PLACE[n].1 == q {
            return Some(n as u8);
        }
        n += 1;
    }
    None
}

/// The neighbours of each hex.
pub(super) static NEAR: [u64; HEXES] = {
    let mut near = [0; HEXES];
    let mut n = 0;
    while n < HEXES {
        let mut i = 0;
        while i < 6 {
            if let Some(other) = hex(PLACE[n].0 + STEPS[i].0, PLACE[n].1 + STEPS[i].1) {
                near[n] |= 1 << other;
            }
            i += 1;
        }
        n += 1;
    }
    near
};

/// The distance between hexes in steps.
pub(super) static DISTANCE: [[u8; HEXES]; HEXES] = {
    let mut table = [[0; HEXES]; HEXES];
    let mut a = 0;
    while a < HEXES {
        let mut b = 0;
        while b < HEXES {
            let dr = PLACE[a].0 - PLACE[b].0;
            let dq = PLACE[a].1 - PLACE[b].1;
            let mut most = if dr < 0 { -dr } else { dr };
            let q = if dq < 0 { -dq } else { dq };
            let s = if dr + dq < 0 { -dr - dq } else { dr + dq };
            if q > most {
                most = q;
            }
            if s > most {
                most = s;
            }
            table[a][b] = most as u8;
            b += 1;
        }
        a += 1;
    }
    table
};

/// Where each player may throw after so many throws: one row more each time.
pub(super) static ZONE: [[u64; 9]; 2] = {
    let mut zones = [[0; 9]; 2];
    let mut n = 0;
    while n < HEXES {
        let r = PLACE[n].0;
        let mut used = 0;
        while used < 9 {
            let edge = 4 - used as i32;
            if r >= edge {
                zones[0][used] |= 1 << n;
            }
            if r <= -edge {
                zones[1][used] |= 1 << n;
            }
            used += 1;
        }
        n += 1;
    }
    zones
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_the_hexagon_of_side_five() {
        assert_eq!((PLACE[0], PLACE[59], PLACE[60]), ((4, -4), (-4, 3), (-4, 4)));
        assert_eq!(NEAR[30].count_ones(), 6, "the centre");
        assert_eq!(NEAR.iter().map(|n| n.count_ones()).sum::<u32>(), 312);
        assert_eq!(DISTANCE[0][60], 8);
        assert!(
            (0..HEXES)
                .all(|a| (0..HEXES).all(|b| (DISTANCE[a][b] == 1) == (NEAR[a] >> b & 1 == 1)))
        );
        assert_eq!(ZONE[0].map(u64::count_ones), [5, 11, 18, 26, 35, 43, 50, 56, 61]);
        assert_eq!(ZONE[0].map(u64::count_ones), ZONE[1].map(u64::count_ones));
    }
}
