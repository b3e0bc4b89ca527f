//! Figures of a report, as SVG or PNG, drawn once for both. The font comes from a crate, so nothing
//! need be installed.

use crate::report::Report;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};
use std::sync::Once;

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Mean payoffs with their 95 % intervals.
    Scores,
    /// Mean payoff of every agent in every game.
    Heat,
    /// Ratings as games came in.
    Elo,
    /// How long games were.
    Lengths,
}

impl Figure {
    /// All figures.
    pub const ALL: [Figure; 4] = [Figure::Scores, Figure::Heat, Figure::Elo, Figure::Lengths];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Scores => "scores",
            Figure::Heat => "heat",
            Figure::Elo => "elo",
            Figure::Lengths => "lengths",
        }
    }

    /// Its width and height in pixels.
    fn size(self, report: &Report) -> (u32, u32) {
        let (agents, games) = (report.agents.len() as u32, report.by_game.len() as u32);
        match self {
            Figure::Scores => (800, (90 + 34 * agents).min(8000)),
            Figure::Heat => ((300 + 110 * games).clamp(500, 8000), (130 + 34 * agents).min(8000)),
            Figure::Elo => (800, 480),
            Figure::Lengths => (800, (60 + 220 * games).min(8000)),
        }
    }

    /// The figure as SVG.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn svg(self, report: &Report) -> Result<String, String> {
        let mut text = String::new();
        let root = SVGBackend::with_string(&mut text, self.size(report)).into_drawing_area();
        self.draw(report, &root)?;
        root.present().map_err(|e| e.to_string())?;
        drop(root);
        Ok(text)
    }

    /// The figure as PNG.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn png(self, report: &Report) -> Result<Vec<u8>, String> {
        let (width, height) = self.size(report);
        let mut pixels = vec![0; width as usize * height as usize * 3];
        let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        self.draw(report, &root)?;
        root.present().map_err(|e| e.to_string())?;
        drop(root);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().map_err(|e| e.to_string())?;
        writer.write_image_data(&pixels).map_err(|e| e.to_string())?;
        writer.finish().map_err(|e| e.to_string())?;
        Ok(file)
    }

    fn draw<B: DrawingBackend>(self, report: &Report, root: &Area<B>) -> Result<(), String> {
        font();
        let drawn = match self {
            Figure::Scores => scores(report, root),
            Figure::Heat => heat(report, root),
            Figure::Elo => curve(report, root),
            Figure::Lengths => lengths(report, root),
        };
        drawn.map_err(|e| e.to_string())
    }
}

/// A named curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What it shows.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Curves over one another as SVG, the ordinate logarithmic where `log` says so.
///
/// ```
/// use ludex_arena::plot::{Line, lines};
/// let line = Line { name: "a".into(), points: vec![(0.0, 1.0), (1.0, 10.0)] };
/// assert!(lines("title", "x", "y", &[line], true).unwrap().starts_with("<svg"));
/// ```
///
/// # Errors
/// What the drawing library says.
pub fn lines(title: &str, x: &str, y: &str, curves: &[Line], log: bool) -> Result<String, String> {
    font();
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, (800, 520)).into_drawing_area();
    let drawn = root.fill(&WHITE).and_then(|()| {
        let points = || curves.iter().flat_map(|line| &line.points);
        let right = points().map(|p| p.0).fold(1.0, f64::max);
        let high = points().map(|p| p.1).fold(f64::MIN_POSITIVE, f64::max);
        let low = points().map(|p| p.1).filter(|&y| y > 0.0).fold(high, f64::min);
        let scale = |y: f64| if log { y.max(low).log10() } else { y };
        let from = if log { scale(low) } else { 0.0 };
        let to = scale(high) + 0.05 * (scale(high) - from).max(0.1);
        let mut chart = ChartBuilder::on(&root)
            .margin(14)
            .caption(title, ("sans-serif", 15))
            .x_label_area_size(34)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..right, from..to)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .label_style(("sans-serif", 12))
            .x_desc(x)
            .y_desc(y)
            .y_label_formatter(&|v| {
                if log { format!("{:.3}", 10f64.powf(*v)) } else { format!("{v:.1}") }
            })
            .draw()?;
        for (i, line) in curves.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let points = line.points.iter().map(|&(x, y)| (x, scale(y)));
            chart
                .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
                .label(short(&line.name, 40))
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerLeft)
            .background_style(WHITE.mix(0.8))
            .label_font(("sans-serif", 12))
            .draw()?;
        root.present()
    });
    drawn.map_err(|e| e.to_string())?;
    drop(root);
    Ok(text)
}

/// Makes the font known, once.
fn font() {
    static FONT: Once = Once::new();
    FONT.call_once(|| {
        // A font that can't be read shows as missing text; the figure is drawn all the same.
        let _ = register_font("sans-serif", FontStyle::Normal, dejavu::sans::regular());
    });
}

type Area<B> = DrawingArea<B, Shift>;
type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

const INK: RGBColor = RGBColor(40, 40, 40);
const BAR: RGBColor = RGBColor(0, 114, 178);
const GRID: RGBColor = RGBColor(220, 220, 220);

/// The palette of Okabe and Ito, which colour-blind people can tell apart.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(160, 160, 0),
];

fn text<B: DrawingBackend>(
    root: &Area<B>,
    words: &str,
    at: (i32, i32),
    anchor: HPos,
    colour: &RGBColor,
) -> Drawn<B> {
    let style = ("sans-serif", 13).into_font().color(colour);
    root.draw(&Text::new(words.to_string(), at, style.pos(Pos::new(anchor, VPos::Center))))
}

/// A name that fits a margin.
fn short(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_string();
    }
    let kept: String = name.chars().take(most - 1).collect();
    format!("{kept}…")
}

fn scores<B: DrawingBackend>(report: &Report, root: &Area<B>) -> Drawn<B> {
    root.fill(&WHITE)?;
    let (width, height) = root.dim_in_pixel();
    let (left, right, top, bottom) = (260, width as i32 - 60, 40, height as i32 - 40);
    let at = |score: f64| left + ((right - left) as f64 * score).round() as i32;
    text(root, "mean payoff, 95 % interval (Wilson)", (left, 20), HPos::Left, &INK)?;
    for tick in 0..=10 {
        let x = at(f64::from(tick) / 10.0);
        root.draw(&PathElement::new([(x, top), (x, bottom)], GRID))?;
        if tick % 2 == 0 {
            let label = format!("{:.1}", f64::from(tick) / 10.0);
            text(root, &label, (x, bottom + 14), HPos::Center, &INK)?;
        }
    }
    for (row, &i) in report.ranking().iter().enumerate() {
        let agent = &report.agents[i];
        let y = top + 17 + 34 * row as i32;
        let standing = &agent.standing;
        text(root, &short(&agent.agent, 34), (left - 8, y), HPos::Right, &INK)?;
        root.draw(&Rectangle::new(
            [(left, y - 9), (at(standing.score), y + 9)],
            BAR.mix(0.7).filled(),
        ))?;
        let (low, high) = (at(standing.interval.low), at(standing.interval.high));
        let line = INK.stroke_width(2);
        root.draw(&PathElement::new([(low, y), (high, y)], line))?;
        for end in [low, high] {
            root.draw(&PathElement::new([(end, y - 5), (end, y + 5)], line))?;
        }
        text(root, &format!("{:.3}", standing.score), (right + 8, y), HPos::Left, &INK)?;
    }
    Ok(())
}

fn heat<B: DrawingBackend>(report: &Report, root: &Area<B>) -> Drawn<B> {
    root.fill(&WHITE)?;
    let (left, top, wide, high) = (260, 70, 110, 34);
    text(root, "mean payoff by game", (10, 20), HPos::Left, &INK)?;
    for (column, game) in report.by_game.iter().enumerate() {
        let x = left + wide * column as i32 + wide / 2;
        text(root, &short(&game.game, 15), (x, top - 16), HPos::Center, &INK)?;
    }
    for (row, &i) in report.ranking().iter().enumerate() {
        let agent = &report.agents[i];
        let y = top + high * row as i32;
        text(root, &short(&agent.agent, 34), (left - 8, y + high / 2), HPos::Right, &INK)?;
        for (column, score) in agent.by_game.iter().enumerate() {
            let x = left + wide * column as i32;
            let Some(score) = *score else { continue };
            // From orange (0) over white (a half) to blue (1).
            let strength = (2.0 * score - 1.0).clamp(-1.0, 1.0);
            let to = if strength < 0.0 { RGBColor(213, 94, 0) } else { RGBColor(0, 114, 178) };
            let mix = |c: u8| (255.0 + (f64::from(c) - 255.0) * strength.abs()).round() as u8;
            let fill = RGBColor(mix(to.0), mix(to.1), mix(to.2));
            root.draw(&Rectangle::new([(x, y), (x + wide - 2, y + high - 2)], fill.filled()))?;
            let ink = if strength.abs() > 0.6 { WHITE } else { INK };
            let label = format!("{score:.2}");
            text(root, &label, (x + wide / 2, y + high / 2), HPos::Center, &ink)?;
        }
    }
    Ok(())
}

fn curve<B: DrawingBackend>(report: &Report, root: &Area<B>) -> Drawn<B> {
    root.fill(&WHITE)?;
    let values = report.curve.iter().flat_map(|(_, elo)| elo.iter().copied());
    let (low, high) = values.fold((-50.0f64, 50.0f64), |(l, h), v| (l.min(v), h.max(v)));
    let last = report.curve.last().map_or(1, |(games, _)| *games).max(1);
    let pad = (high - low) * 0.05;
    let mut chart = ChartBuilder::on(root)
        .margin(14)
        .caption("Elo as games came in", ("sans-serif", 15))
        .x_label_area_size(34)
        .y_label_area_size(54)
        .build_cartesian_2d(0.0..last as f64, low - pad..high + pad)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .label_style(("sans-serif", 12))
        .x_desc("games")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.0}"))
        .draw()?;
    for (rank, &i) in report.ranking().iter().enumerate() {
        let colour = COLOURS[rank % COLOURS.len()];
        let points =
            report.curve.iter().filter_map(|(games, elo)| Some((*games as f64, *elo.get(i)?)));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(short(&report.agents[i].agent, 40))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 12))
        .draw()
}

fn lengths<B: DrawingBackend>(report: &Report, root: &Area<B>) -> Drawn<B> {
    root.fill(&WHITE)?;
    let rows = root.split_evenly((report.by_game.len().max(1), 1));
    for (area, game) in rows.iter().zip(&report.by_game) {
        let most = game.lengths.iter().copied().max().unwrap_or(1).max(1);
        let end = (game.lengths.len() as u32 * game.bin).max(1);
        let mean = game.steps.0;
        let title = format!("{}: {mean:.1} steps in the mean", short(&game.game, 50));
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .caption(title, ("sans-serif", 14))
            .x_label_area_size(30)
            .y_label_area_size(54)
            .build_cartesian_2d(0.0..f64::from(end), 0.0..most as f64 * 1.05)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .label_style(("sans-serif", 12))
            .x_desc("steps")
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .draw()?;
        let bars = game.lengths.iter().enumerate().map(|(i, &count)| {
            let from = f64::from(i as u32 * game.bin);
            let to = from + f64::from(game.bin) * 0.9;
            Rectangle::new([(from, 0.0), (to, count as f64)], BAR.mix(0.7).filled())
        });
        chart.draw_series(bars)?;
    }
    Ok(())
}
