//! A report as one HTML file that needs nothing else: tables and figures inside.

use super::table::{Align, Table};
use super::{Origin, Report};
use crate::plot::Figure;
use ludex_stats::plot::DrawError;
use std::fmt::Write;

/// The page. `origin` says how the run was made; `games` is a part with games to look at, or empty.
///
/// # Errors
/// A figure can't be drawn.
pub fn page(report: &Report, origin: &Origin, games: &str) -> Result<String, DrawError> {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut out, report, origin);
    out.push_str("<h2>Figures</h2>\n");
    for figure in Figure::ALL {
        if figure == Figure::Elo && report.curve.is_empty() {
            continue;
        }
        out.push_str("<figure>");
        out.push_str(&figure.svg(report)?);
        out.push_str("</figure>\n");
    }
    out.push_str(games);
    out.push_str("</main></body></html>\n");
    Ok(out)
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:#222;background:#fff;margin:0}\
main{max-width:1100px;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;margin:.5rem 0}\
th,td{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap;\
font-variant-numeric:tabular-nums}th[title]{text-decoration:underline dotted;cursor:help}\
.left{text-align:left}.origin th{font-weight:normal;color:#666;vertical-align:top}\
.origin td{text-align:left;white-space:normal}figure{margin:1.5rem 0;overflow-x:auto}\
.wide{overflow-x:auto}svg{max-width:100%;height:auto}\
summary{cursor:pointer}.board svg{max-width:28rem}.note{color:#666;margin:.5rem 0}\
@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}th,td{border-color:#444}\
figure{background:#fff}.note,.origin th{color:#aaa}}";

fn write_page(out: &mut String, report: &Report, origin: &Origin) -> std::fmt::Result {
    let name = escape(&report.run);
    writeln!(
        out,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{name}</title>\
         <style>{STYLE}</style></head><body><main><h1>{name}</h1>"
    )?;
    if let Some(about) = &report.about {
        writeln!(out, "<p>{}</p>", escape(about))?;
    }
    writeln!(out, "<p>{}.</p>", escape(&report.summary()))?;
    if let Some(verdict) = &report.verdict {
        writeln!(out, "<p>Stopped: {}.</p>", escape(verdict))?;
    }
    if let Some(sprt) = &report.sprt {
        writeln!(out, "<p>{}.</p>", escape(&sprt.to_string()))?;
    }
    if !origin.lines.is_empty() {
        out.push_str("<table class=\"origin\"><tbody>\n");
        for (name, text) in &origin.lines {
            writeln!(out, "<tr><th class=\"left\">{name}</th><td>{}</td></tr>", escape(text))?;
        }
        out.push_str("</tbody></table>\n");
    }
    for table in report.tables() {
        write_table(out, &table)?;
    }
    if !report.forfeits.is_empty() {
        out.push_str("<h2>Forfeits</h2><ul>");
        for forfeit in &report.forfeits {
            let (agent, reason) = (escape(&forfeit.agent), escape(&forfeit.reason));
            write!(out, "<li>game {}: {agent}: {reason}</li>", forfeit.number)?;
        }
        out.push_str("</ul>\n");
    }
    Ok(())
}

fn write_table(out: &mut String, table: &Table) -> std::fmt::Result {
    let class = |align: Align| if align == Align::Left { " class=\"left\"" } else { "" };
    write!(out, "<h2>{}</h2>", escape(table.heading))?;
    if let Some(caption) = table.caption {
        write!(out, "<p class=\"note\">{}</p>", escape(caption))?;
    }
    out.push_str("<div class=\"wide\"><table><thead><tr>");
    for head in &table.columns {
        let note = head.note.as_ref().map(|note| format!(" title=\"{}\"", escape(note)));
        let (class, note) = (class(head.align), note.unwrap_or_default());
        write!(out, "<th{class}{note}>{}</th>", escape(&head.title))?;
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (head, cell) in table.columns.iter().zip(row) {
            write!(out, "<td{}>{}</td>", class(head.align), escape(cell))?;
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>");
    if let Some(notes) = table.notes() {
        write!(out, "<p class=\"note\">{}</p>", escape(&notes))?;
    }
    out.push('\n');
    Ok(())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
