//! The map of games, made by t-SNE.

use super::{Distances, tsne};
use ludex_core::Seed;
use ludex_stats::plot::Scatter;
use std::fmt::Write;

/// Points in the plane by t-SNE: similar rows are near each other. The same seed gives the same points.
pub fn embed(distances: &Distances, perplexity: f64, seed: Seed) -> Vec<[f64; 2]> {
    let n = distances.len();
    if n < 4 {
        return (0..n).map(|i| [i as f64, 0.0]).collect();
    }
    let mut rng = seed.named("map").rng();
    let mut small = || 1e-4 * (rng.unit() + rng.unit() - 1.0);
    let mut points: Vec<[f64; 2]> = (0..n).map(|_| [small(), small()]).collect();
    tsne::fit(distances, perplexity.min((n as f64 - 1.0) / 3.0), &mut points);
    points
}

/// The colours of the groups on a page.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#a0a000"];

/// A map of games.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// The line above the map.
    pub title: String,
    /// The names of the games.
    pub names: Vec<String>,
    /// The point of each game.
    pub points: Vec<[f64; 2]>,
    /// The group of each game.
    pub groups: Vec<usize>,
    /// The games that are marked and named.
    pub marked: Vec<usize>,
}

impl Map {
    /// The map as a chart.
    pub fn scatter(&self) -> Scatter {
        let dot = |(i, p): (usize, &[f64; 2])| (p[0], p[1], *self.groups.get(i).unwrap_or(&0));
        let mark = |&i: &usize| {
            let [x, y] = *self.points.get(i)?;
            Some((x, y, self.names.get(i)?.clone()))
        };
        Scatter {
            title: self.title.clone(),
            dots: self.points.iter().enumerate().map(dot).collect(),
            marks: self.marked.iter().filter_map(mark).collect(),
        }
    }

    /// The meaning of the colours: each group with its size and the marked games in it.
    fn legend(&self) -> String {
        let groups = self.groups.iter().max().map_or(0, |last| last + 1);
        let mut out = String::from("<ul>\n");
        for group in 0..groups {
            let games = self.groups.iter().filter(|&&other| other == group).count();
            let inside = self.marked.iter().filter(|&&i| self.groups.get(i) == Some(&group));
            let names: Vec<String> =
                inside.filter_map(|&i| self.names.get(i)).map(|name| escape(name)).collect();
            let such = if names.is_empty() { "" } else { ": " };
            let plural = if games == 1 { "" } else { "s" };
            let _ = writeln!(
                out,
                "<li><i style='background:{}'></i>group {}, {games} game{plural}{such}{}</li>",
                COLOURS[group % COLOURS.len()],
                group + 1,
                names.join(", ")
            );
        }
        out.push_str(
            "</ul>\n<p>Games with a black edge are named here: together they stand for all.</p>\n",
        );
        out
    }

    /// The map as a page that shows the name of the game under the pointer, and finds games by name. The page needs no other
    /// files.
    pub fn html(&self) -> String {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in &self.points {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let place = |point: &[f64; 2], axis: usize| {
            20.0 + 960.0 * (point[axis] - low[axis]) / (high[axis] - low[axis]).max(1e-9)
        };
        let mut dots = String::new();
        for (i, (point, name)) in self.points.iter().zip(&self.names).enumerate() {
            let colour = COLOURS[self.groups.get(i).unwrap_or(&0) % COLOURS.len()];
            let marked = self.marked.contains(&i);
            let (size, edge) =
                if marked { (7, " stroke='#000' stroke-width='2'") } else { (4, "") };
            let (x, y, name) = (place(point, 0), 1000.0 - place(point, 1), escape(name));
            let _ = writeln!(
                dots,
                "<circle cx='{x:.1}' cy='{y:.1}' r='{size}' fill='{colour}'{edge} data-name='{name}'>\
                 <title>{name}</title></circle>"
            );
        }
        let (title, legend) = (escape(&self.title), self.legend());
        format!(
            "<!doctype html><meta charset='utf-8'><title>{title}</title>\n\
             <style>body{{font:15px sans-serif;margin:1em}}svg{{max-width:100%;height:85vh;border:1px \
             solid #ccc}}circle{{opacity:.75}}circle:hover,circle.found{{opacity:1;stroke:#000;\
             stroke-width:4}}\n\
             ul{{list-style:none;padding:0}}li i{{display:inline-block;width:.8em;height:.8em;\
             border-radius:50%;margin-right:.4em}}</style>\n<h1>{title}</h1>\n<p><input id='find' placeholder='find a game'> \
             <span id='name'></span></p>\n<svg viewBox='0 0 1000 1000'>\n{dots}</svg>\n{legend}<script>\n\
             const all=[...document.querySelectorAll('circle')],tell=document.getElementById('name');\n\
             for(const c of all)c.addEventListener('mouseenter',()=>tell.textContent=c.dataset.name);\n\
             document.getElementById('find').addEventListener('input',e=>{{const w=e.target.value\
             .toLowerCase();for(const c of all)c.classList.toggle('found',w&&c.dataset.name.toLowerCase()\
             .includes(w))}});\n</script>\n"
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_model::Matrix;
    use ludex_stats::plot::Drawing;

    fn two_clouds() -> Distances {
        let mut rng = Seed(4).rng();
        let rows = (0..40).map(|i| {
            let angle = f64::from(i % 2) * 1.5 + 0.1 * rng.unit();
            [angle.cos(), angle.sin()]
        });
        Distances::cosine(&Matrix::from_rows(2, rows))
    }

    #[test]
    fn near_rows_are_near_on_the_map_and_a_seed_repeats_it() {
        let distances = two_clouds();
        let points = embed(&distances, 10.0, Seed(1));
        assert_eq!(points, embed(&distances, 10.0, Seed(1)));
        let gap =
            |i: usize, j: usize| (points[i][0] - points[j][0]).hypot(points[i][1] - points[j][1]);
        let mean = |odd: usize| (2..40).filter(|i| i % 2 == odd).map(|i| gap(0, i)).sum::<f64>();
        assert!(mean(0) < mean(1), "{} {}", mean(0), mean(1));
    }

    #[test]
    fn names_are_shown_and_cannot_break_the_page() {
        let map = Map {
            title: "two".into(),
            names: vec!["<b>'x'".into(), "y".into()],
            points: vec![[0.0, 0.0], [1.0, 1.0]],
            groups: vec![0, 1],
            marked: vec![1],
        };
        let page = map.html();
        assert!(page.contains("&lt;b&gt;&#39;x&#39;") && !page.contains("<b>'"));
        assert!(
            page.contains("group 1, 1 game<") && page.contains("group 2, 1 game: y<"),
            "{page}"
        );
        let chart = map.scatter();
        assert!(chart.svg().unwrap().contains('y') && !chart.png().unwrap().is_empty());
    }
}
