//! The 30 games of the thesis, which are far apart, and the map of all games with its groups.

use super::data::Data;
use super::{Known, exact, near};
use crate::{Claim, Options, Origin, Result, Verdict};
use ludex_core::Error;
use ludex_learn::map::cluster::{elbow, k_means};
use ludex_learn::map::draw::{Map, embed};
use ludex_learn::map::{Distances, Landscape, representatives};
use ludex_stats::plot::Scatter;

/// The published list.
pub(super) const THIRTY: [&str; 30] = [
    "Starchess",
    "DisPath",
    "Ludus Anglicorum",
    "Trax",
    "Quixo",
    "Banqi",
    "Terhuchu",
    "Katro",
    "Mini Wars",
    "Surakarta",
    "Mylna",
    "Lines of Action",
    "Ploy",
    "Triad",
    "Amazons",
    "La Liebre Perseguida",
    "Pylos",
    "Chomp",
    "Chameleon",
    "Tawlbwrdd",
    "Vela",
    "Aralzaa",
    "Chuka",
    "Hops-a-Daisy Generalized",
    "Mehen",
    "Janggi",
    "Patok",
    "Toki",
    "Omega",
    "Gauntlet",
];

/// Runs the experiment.
pub(crate) fn run(options: &Options<'_>, tell: &mut dyn FnMut(Claim)) -> Result<()> {
    let data = Data::read(&options.data)?;
    let id = |what: &str| format!("hyper-games.{what}");
    let landscape = Landscape::new(&data.concepts, Some(&data.ludemes));
    let table = &landscape.table;
    let places = table.places();
    // The games with agents, in the order of their table.
    let chosen: Vec<usize> =
        data.agents.names.iter().filter_map(|name| places.get(name.as_str()).copied()).collect();
    let agents = table.select(&chosen);
    options.progress.begin("distances", 3);
    let all = Distances::cosine(&table.values);
    options.progress.step();
    let distances = Distances::cosine(&agents.values);
    options.progress.step();
    for (a, b, known) in [
        ("Chess", "Shogi", 0.636_179),
        ("Hex", "Havannah", 0.660_812),
        ("Go", "Reversi", 0.900_067),
        ("Amazons", "Chomp", 0.963_953),
        ("Chess", "Amazon Chess", 0.0),
        ("Double Chess", "Kapana Bona", 1.219_338),
    ] {
        let ours = match (places.get(a), places.get(b)) {
            (Some(&i), Some(&j)) => all.get(i, j),
            _ => f64::NAN,
        };
        let what = format!("distance of {a} and {b}");
        tell(exact(id(&format!("{a}-{b}")), what, Known::noted(known, 6), ours, 1e-6));
    }
    let mut pairs: Vec<f64> = (0..distances.len())
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| distances.get(i, j))
        .collect();
    pairs.sort_by(f64::total_cmp);
    let n = pairs.len();
    let mean = pairs.iter().sum::<f64>() / n as f64;
    let median = 0.5 * (pairs[(n - 1) / 2] + pairs[n / 2]);
    let what = |what: &str| format!("{what} distance of the 649 games with agents");
    tell(exact(id("mean"), what("mean"), Known::noted(0.911_300, 6), mean, 1e-6));
    tell(exact(id("median"), what("median"), Known::noted(0.950_389, 6), median, 1e-6));
    tell(exact(id("most"), what("greatest"), Known::noted(1.219_338, 6), pairs[n - 1], 1e-6));
    let Some(selection) = representatives(&distances, 30) else {
        return Err(Error::Unsupported("there are no games to choose from".into()).into());
    };
    options.progress.step();
    let names: Vec<&str> = selection.rows.iter().map(|&row| agents.names[row].as_str()).collect();
    let same = names.iter().zip(THIRTY).take_while(|(a, b)| **a == *b).count();
    let printed = Known {
        origin: Origin::Paper,
        place: "page 14, the list in game selection",
        value: 30.0,
        digits: 0,
    };
    let what = "games in the order of the printed list".to_string();
    tell(exact(id("order"), what, printed, same as f64, 0.0).note(names.join(", ")));
    let what = "sum of the distances at which they were chosen".to_string();
    tell(exact(id("total"), what, Known::noted(26.087_668, 6), selection.total, 1e-6));
    let what = "distance at which the second was chosen".to_string();
    let second = selection.gaps.get(1).copied().unwrap_or(f64::NAN);
    tell(exact(id("second"), what, Known::noted(1.107_592, 6), second, 1e-6));
    let what = "distance at which the last was chosen".to_string();
    let last = selection.gaps.last().copied().unwrap_or(f64::NAN);
    tell(exact(id("last"), what, Known::noted(0.876_327, 6), last, 1e-6));

    let again = landscape.scaled_again();
    options.progress.begin("groups and map", 2);
    let (k, inertia) = elbow(&again, 8, options.seed.named("groups"));
    options.progress.step();
    let what = "groups: where the inertia bends most".to_string();
    let shown: Vec<String> = inertia.iter().map(|v| format!("{v:.0}")).collect();
    let claim = exact(id("k"), what, Known::noted(4.0, 0), k as f64, 0.0);
    tell(claim.note(format!("inertia of 1 to 9 groups: {}", shown.join(", "))));
    let groups = k_means(&again, 4, 10, options.seed.named("four"));
    for (size, known) in groups.sizes().into_iter().zip([615.0, 207.0, 145.0, 142.0]) {
        let what = format!("size of the group of {known}");
        let (id, size) = (id(&format!("size-{known}")), size as f64);
        let range = [known - 15.0, known + 15.0];
        tell(near(id, what, Known::noted(known, 0), size, range, "a tolerance of ours"));
    }
    let points = embed(&Distances::cosine(&again), 30.0, options.seed);
    options.progress.step();
    let marked: Vec<usize> = names.iter().filter_map(|name| places.get(name).copied()).collect();
    figure1(options, &points, &chosen, &marked, &table.names, tell)?;
    let map = Map {
        title: "1109 games by concepts and ludemes (t-SNE, cosine distance), 30 representatives"
            .into(),
        names: table.names.clone(),
        points,
        groups: groups.of,
        marked,
    };
    crate::draw(&options.out, "hyper-map", &map.scatter())?;
    crate::write(&options.out, "hyper-map.html", map.html().as_bytes())?;
    let at = format!("hyper-map.svg, .png, .html in {}", options.out.display());
    tell(Claim::new(id("map"), "the map, as SVG, PNG and HTML", "drawn").note(at));
    Ok(())
}

/// Figure 1: the games that were selected as crosses, those that could be in one colour, and all others in another.
fn figure1(
    options: &Options<'_>,
    points: &[[f64; 2]],
    available: &[usize],
    selected: &[usize],
    names: &[String],
    tell: &mut dyn FnMut(Claim),
) -> Result<()> {
    let classes: Vec<usize> =
        (0..points.len()).map(|i| usize::from(!available.contains(&i))).collect();
    let scatter = Scatter {
        title:
            "Figure 1: selected games (crosses), games to select from (blue), all others (orange)"
                .into(),
        dots: points.iter().zip(&classes).map(|(p, class)| (p[0], p[1], *class)).collect(),
        marks: selected
            .iter()
            .filter_map(|&i| Some((points.get(i)?[0], points.get(i)?[1], names.get(i)?.clone())))
            .collect(),
    };
    let others = classes.iter().filter(|class| **class == 1).count();
    let ours = format!("{}, {}, {others}", selected.len(), available.len() - selected.len());
    let file = crate::draw(&options.out, "hyper-figure1", &scatter)?;
    let printed = "30, 619, 460: 30 selected of 649, and 460 games of the training set";
    let claim = "figure 1: games selected, other games to select from, all others";
    tell(
        Claim::new("hyper-games.figure1", claim, &ours)
            .paper(
                printed,
                "page 13 and figure 1; the data has agents for the 649, not for the 460",
            )
            .judged("the three counts are equal", Verdict::of(ours == "30, 619, 460"))
            .note(file),
    );
    Ok(())
}
