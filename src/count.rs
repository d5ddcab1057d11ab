//! Counts as people type them: `1000000`, `1_000_000`, `1e6`, `2.5e3`.
//!
//! All options that take a count read it here, so that one spelling works everywhere.

/// Why a text is not a count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// It is not a number at all.
    #[error("{text:?} is not a count; write a whole number such as 250, 1_000_000 or 1e6")]
    NotANumber {
        /// What was typed.
        text: String,
    },
    /// It is below zero.
    #[error("a count cannot be negative")]
    Negative,
    /// It is not a whole number.
    #[error("{text} is not a whole number")]
    Fraction {
        /// What was typed.
        text: String,
    },
    /// It does not fit into 64 bits.
    #[error("{text} is too large; counts go up to {}", u64::MAX)]
    TooLarge {
        /// What was typed.
        text: String,
    },
    /// It is not within its bounds.
    #[error("{count} is {}", bounds(*least, *most))]
    OutOfRange {
        /// The count.
        count: u64,
        /// The lowest that is allowed.
        least: u64,
        /// The highest that is allowed.
        most: u64,
    },
}

/// Reads a count: digits, with underscores between them, and an optional decimal exponent.
pub fn count(text: &str) -> Result<u64, CountError> {
    let no_number = || CountError::NotANumber { text: text.to_string() };
    if let Some(rest) = text.strip_prefix('-') {
        return Err(if parts(rest).is_some() { CountError::Negative } else { no_number() });
    }
    let NumberParts { mut digits, places, exponent } = parts(text).ok_or_else(no_number)?;
    if digits.bytes().all(|digit| digit == b'0') {
        return Ok(0);
    }
    // Trailing zeros make up for decimal places: 1.50e1 is 15.
    let mut shift = exponent.saturating_sub(places);
    while shift < 0 {
        if digits.pop() != Some('0') {
            return Err(CountError::Fraction { text: text.to_string() });
        }
        shift += 1;
    }
    let too_large = || CountError::TooLarge { text: text.to_string() };
    let power = u32::try_from(shift).ok().and_then(|shift| 10u64.checked_pow(shift));
    let digits: u64 = digits.parse().map_err(|_| too_large())?;
    power.and_then(|power| digits.checked_mul(power)).ok_or_else(too_large)
}

/// Reads counts within bounds, both included: the parser of an option's value.
pub fn count_within(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<u64, CountError> + Clone + Send + Sync + 'static {
    move |text| match count(text)? {
        count if (least..=most).contains(&count) => Ok(count),
        count => Err(CountError::OutOfRange { count, least, most }),
    }
}

fn bounds(least: u64, most: u64) -> String {
    match most {
        u64::MAX => format!("less than {least}"),
        most => format!("not between {least} and {most}"),
    }
}

/// A decimal number, taken apart.
struct NumberParts {
    /// All digits, without the point.
    digits: String,
    /// How many of them stand after the point.
    places: i64,
    exponent: i64,
}

fn parts(text: &str) -> Option<NumberParts> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (text, 0),
    };
    let (whole, places) = match mantissa.split_once('.') {
        Some((whole, places)) => (whole, digits(places)?),
        None => (mantissa, String::new()),
    };
    let whole = digits(whole)?;
    Some(NumberParts { digits: format!("{whole}{places}"), places: places.len() as i64, exponent })
}

/// Digits without the underscores between them; `None` for anything else.
fn digits(text: &str) -> Option<String> {
    let is_plain = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    text.split('_').all(is_plain).then(|| text.replace('_', ""))
}

/// An exponent. One with too many digits is far too large, or far too small.
fn exponent_of(text: &str) -> Option<i64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = digits(text)?.parse().unwrap_or(i64::from(i32::MAX));
    Some(sign * value.min(i64::from(i32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_in_all_spellings() {
        for (text, wanted) in [
            ("0", 0),
            ("250", 250),
            ("1_000_000", 1_000_000),
            ("1e6", 1_000_000),
            ("1E+6", 1_000_000),
            ("2.5e3", 2_500),
            ("1.50e1", 15),
            ("30e-1", 3),
            ("007", 7),
            ("3.0", 3),
            ("0e99999999999999999999", 0),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn complaints_name_what_is_wrong() {
        let complaint = |text: &str| count(text).expect_err("no count").to_string();
        for text in ["", "many", "1__0", "_1", "1_", "1e", "e6", ".5", "1.", "1,000", "+5", "--1"] {
            assert!(complaint(text).contains("is not a count; write a whole number"), "{text}");
        }
        for text in ["1.5", "1e-3", "2.55e1", "1e-99999999999999999999"] {
            assert_eq!(complaint(text), format!("{text} is not a whole number"));
        }
        for text in ["-1", "-1e6"] {
            assert_eq!(complaint(text), "a count cannot be negative");
        }
        for text in ["18446744073709551616", "1e20", "1e99999999999999999999", "99e999999"] {
            assert!(complaint(text).starts_with(&format!("{text} is too large")), "{text}");
        }
    }

    #[test]
    fn bounds_are_kept() {
        let read = count_within(1, 1_000);
        assert_eq!(read("1e3"), Ok(1_000));
        assert_eq!(read("0").expect_err("too few").to_string(), "0 is not between 1 and 1000");
        assert!(read("1e4").is_err() && read("x").is_err());
        let open = count_within(1, u64::MAX);
        assert_eq!(open("0").expect_err("too few").to_string(), "0 is less than 1");
    }
}
