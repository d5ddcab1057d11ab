//! Calendar time in milliseconds, and its readable form. All times are UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since the start of 1970.
pub fn now() -> u64 {
    // A clock before 1970 is wrong, but not a reason to fail.
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The day, such as `2026.03.01`.
pub fn date(millis: u64) -> String {
    let (year, month, day) = civil(millis / MILLIS_PER_DAY);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The moment, such as `2026-03-01T12:00:00.250Z`.
pub fn timestamp(millis: u64) -> String {
    let (year, month, day) = civil(millis / MILLIS_PER_DAY);
    let (seconds, millis) = (millis / 1000 % 86_400, millis % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

const MILLIS_PER_DAY: u64 = 86_400_000;

/// The number of days in 400 years, after which the calendar repeats.
const CYCLE: u64 = 146_097;

/// Year, month and day, this many days after 1 January 1970.
fn civil(days: u64) -> (u64, u64, u64) {
    let mut left = days % CYCLE;
    let mut year = 1970 + days / CYCLE * 400;
    while left >= year_length(year) {
        left -= year_length(year);
        year += 1;
    }
    let mut month = 1;
    while left >= month_length(year, month) {
        left -= month_length(year, month);
        month += 1;
    }
    (year, month, left + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn year_length(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn month_length(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_234_567_890_123, "2009-02-13T23:31:30.123Z"),
            (1_772_323_200_000, "2026-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ];
        for (millis, text) in cases {
            assert_eq!(timestamp(millis), text);
        }
        assert_eq!(date(1_234_567_890_123), "2009.02.13");
        // No real clock says this, but it must neither panic nor take long.
        assert!(!timestamp(u64::MAX).is_empty());
    }
}
