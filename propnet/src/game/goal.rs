//! What a goal value is, the same for every engine.

use super::error::PlayError;

/// The number that a goal value stands for, for every engine and every count.
///
/// GDL has integers from 0 to 100. Larger and negative ones are read too, as far as they fit, so
/// that sheets on another scale can be played. Anything else is a symbol: `x`, `+5`, `1.5`,
/// `3000000000`. Values are compared as symbols before they are read: `5` and `05` together are
/// several values.
pub fn goal_value(text: &str) -> Option<i32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

/// The one goal value among those that hold.
pub(crate) fn one_goal(role: &str, mut values: Vec<String>) -> Result<i32, PlayError> {
    values.sort_by_key(|value| (goal_value(value), value.clone()));
    let role = role.to_string();
    match values.as_slice() {
        [] => Err(PlayError::NoGoal { role }),
        [value] => goal_value(value)
            .ok_or_else(|| PlayError::GoalNotInteger { role, value: value.clone() }),
        _ => Err(PlayError::SeveralGoals { role, values }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_integers_that_fit() {
        let cases = [
            ("0", Some(0)),
            ("100", Some(100)),
            ("05", Some(5)),
            ("-7", Some(-7)),
            ("2147483647", Some(i32::MAX)),
            ("2147483648", None),
            ("99999999999999999999", None),
            ("+5", None),
            ("-", None),
            ("--5", None),
            ("-+5", None),
            ("1.5", None),
            ("x", None),
            ("", None),
            ("(f 1)", None),
            ("\u{663}", None),
        ];
        for (text, value) in cases {
            assert_eq!(goal_value(text), value, "{text}");
        }
        let several = |values: [&str; 2]| one_goal("a", values.map(String::from).to_vec());
        assert!(matches!(several(["5", "05"]), Err(PlayError::SeveralGoals { .. })));
        let error = several(["100", "20"]).expect_err("two values").to_string();
        assert!(error.ends_with(": 20, 100"), "{error}");
    }
}
