//! A report as one HTML file that needs nothing else: tables and figures inside.

use super::Report;
use crate::plot::Figure;
use std::fmt::Write;

/// The page.
///
/// # Errors
/// A figure that can't be drawn.
pub fn page(report: &Report) -> Result<String, ludex_stats::plot::DrawError> {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut out, report);
    for figure in Figure::ALL {
        if figure == Figure::Elo && report.curve.is_empty() {
            continue;
        }
        out.push_str("<figure>");
        out.push_str(&figure.svg(report)?);
        out.push_str("</figure>\n");
    }
    out.push_str("</main></body></html>\n");
    Ok(out)
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff;margin:0}\
main{max-width:1100px;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;margin:1rem 0}\
th,td{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}figure{margin:1.5rem 0;overflow-x:auto}\
.wide{overflow-x:auto}svg{max-width:100%;height:auto}.note{color:#666}\
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}th,td{border-color:#444}\
figure{background:#fff}}";

fn write_page(out: &mut String, report: &Report) -> std::fmt::Result {
    let name = escape(&report.run);
    write!(
        out,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{name}</title>\
         <style>{STYLE}</style></head><body><main><h1>{name}</h1>"
    )?;
    if let Some(about) = &report.about {
        write!(out, "<p>{}</p>", escape(about))?;
    }
    write!(
        out,
        "<p>{} of {} games, {} draws, {} forfeits.{}</p>",
        report.games,
        report.total,
        report.draws,
        report.endings.forfeit,
        report.verdict.as_ref().map(|v| format!(" {}.", escape(v))).unwrap_or_default()
    )?;
    write!(
        out,
        "<h2>Standings</h2><div class=\"wide\"><table><tr><th>agent</th><th>score</th>\
         <th>95 % interval</th><th>Elo</th><th>wins</th><th>losses</th><th>forfeits</th></tr>"
    )?;
    for &i in &report.ranking() {
        let agent = &report.agents[i];
        let s = &agent.standing;
        let elo = agent.elo.map(|(elo, error)| format!("{elo:+.0} ± {:.0}", 1.96 * error));
        write!(
            out,
            "<tr><td>{}</td><td>{:.3}</td><td>{:.3} .. {:.3}</td><td>{}</td><td>{}</td><td>{}</td>\
             <td>{}</td></tr>",
            escape(&agent.agent),
            s.score,
            s.interval.low,
            s.interval.high,
            elo.unwrap_or_default(),
            s.wins,
            s.losses,
            s.forfeits
        )?;
    }
    out.push_str(
        "</table></div><h2>Who against whom</h2><p class=\"note\">Score of the row against \
         the column; in brackets the likelihood that it is the stronger one.</p>\
         <div class=\"wide\"><table><tr><th></th>",
    );
    let order = report.ranking();
    for rank in 1..=order.len() {
        write!(out, "<th>{rank}</th>")?;
    }
    out.push_str("</tr>");
    for (rank, &a) in order.iter().enumerate() {
        write!(out, "<tr><td>{} {}</td>", rank + 1, escape(&report.agents[a].agent))?;
        for &b in &order {
            match &report.cross[a][b] {
                Some(cross) => {
                    let los = cross.superiority.map(|p| format!(" ({:.0} %)", 100.0 * p));
                    write!(out, "<td>{:.3}{}</td>", cross.score, los.unwrap_or_default())?;
                }
                None => out.push_str("<td></td>"),
            }
        }
        out.push_str("</tr>");
    }
    out.push_str(
        "</table></div><h2>Games</h2><div class=\"wide\"><table><tr><th>game</th>\
         <th>games</th><th>draws</th><th>steps</th><th>payoff by seat</th>\
         <th>p of equal seats</th></tr>",
    );
    for game in &report.by_game {
        let seats: Vec<String> = game.seats.iter().map(|(mean, _)| format!("{mean:.3}")).collect();
        write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1} ({}-{})</td><td>{}</td><td>{}</td></tr>",
            escape(&game.game),
            game.games,
            game.draws,
            game.steps.0,
            game.steps.1,
            game.steps.2,
            seats.join(" / "),
            game.seat_bias.map(|p| format!("{p:.3}")).unwrap_or_default()
        )?;
    }
    out.push_str("</table></div>\n");
    if !report.forfeits.is_empty() {
        out.push_str("<h2>Forfeits</h2><ul>");
        for forfeit in &report.forfeits {
            write!(
                out,
                "<li>game {}: {}: {}</li>",
                forfeit.number,
                escape(&forfeit.agent),
                escape(&forfeit.reason)
            )?;
        }
        out.push_str("</ul>\n");
    }
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
