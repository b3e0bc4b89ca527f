//! A curve as one line of text.

use super::bounds;

/// A line of at most `most` blocks as high as the values, between the least and the greatest.
///
/// ```
/// assert_eq!(ludex_stats::plot::sparkline(&[0.0, 0.5, 1.0], 8), "▁▅█");
/// ```
pub fn sparkline(values: &[f64], most: usize) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (low, high) = bounds(values.iter().copied());
    // Where there are more values than blocks, a block is the mean of its share of the values.
    let room = most.clamp(1, values.len().max(1));
    (0..room)
        .filter_map(|i| {
            let share = values.get(i * values.len() / room..(i + 1) * values.len() / room)?;
            let mean = share.iter().sum::<f64>() / share.len().max(1) as f64;
            let height = ((mean - low) / (high - low) * 7.0).round();
            (!share.is_empty()).then(|| BLOCKS[(height.max(0.0) as usize).min(7)])
        })
        .collect()
}
