//! Dates in UTC from seconds since 1970.

/// The date, as in 2026-11-18.
pub fn date(seconds: u64) -> String {
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year}-{month:02}-{day:02}")
}

/// The date and the time of day to the minute, as in 2026-11-18 16:05 UTC.
pub fn date_time(seconds: u64) -> String {
    let minutes = seconds % 86_400 / 60;
    format!("{} {:02}:{:02} UTC", date(seconds), minutes / 60, minutes % 60)
}

/// Year, month and day of a number of days since 1970.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    // The calendar repeats after 400 years.
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(19_722), (2023, 12, 31));
        assert_eq!(civil(19_723), (2024, 1, 1));
        assert_eq!(civil(11_016 + 146_097), (2400, 2, 29));
        assert_eq!(date_time(86_399), "1970-01-01 23:59 UTC");
    }
}
