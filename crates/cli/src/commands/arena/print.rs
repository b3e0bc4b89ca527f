//! A report as aligned text.

use crate::output;
use ludex_arena::Report;

/// Prints a report; `full` adds the tests of every pair.
pub(crate) fn report(report: &Report, full: bool) -> anyhow::Result<()> {
    output::line(format!("{}: {}", report.run, report.summary()))?;
    if let Some(verdict) = &report.verdict {
        output::line(format!("stopped: {verdict}"))?;
    }
    if let Some(sprt) = &report.sprt {
        output::line(sprt)?;
    }
    for table in report.tables().iter().filter(|table| full || !table.detail) {
        output::line("")?;
        if let Some(caption) = table.caption {
            output::line(caption)?;
        }
        output::print_table(table)?;
    }
    for forfeit in report.forfeits.iter().take(5) {
        let reason = forfeit.reason.replace('\n', " ");
        output::line(format!("forfeit in game {}: {reason}", forfeit.number))?;
    }
    Ok(())
}
