//! The text of a rule, taken apart.

use super::GIVE_ONE;

/// A word with what stands in parentheses behind it: `softmax(t=0.1,of=lcb)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The word.
    pub name: &'a str,
    /// What stands in the parentheses, taken apart at commas.
    pub given: Vec<&'a str>,
}

/// The parts between commas outside of parentheses, without spaces around. Empty ones are refused.
pub fn parts(text: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0u32);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or("a parenthesis is closed that isn't open")?,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err("a parenthesis isn't closed".to_owned());
    }
    parts.push(text[start..].trim());
    if parts.iter().any(|part| part.is_empty()) {
        Err(format!("nothing stands at a comma; {}", GIVE_ONE))
    } else {
        Ok(parts)
    }
}

impl<'a> Call<'a> {
    /// A part, taken apart.
    pub fn of(part: &'a str) -> Result<Self, String> {
        let Some((name, rest)) = part.split_once('(') else {
            return Ok(Self { name: part, given: Vec::new() });
        };
        let inside = rest
            .strip_suffix(')')
            .ok_or_else(|| format!("`{part}` doesn't end with its parenthesis"))?;
        let given = if inside.trim().is_empty() { Vec::new() } else { parts(inside)? };
        Ok(Self { name: name.trim(), given })
    }

    /// What it was given, as names and values, of which only these names are known.
    pub fn options(&self, known: &[&str]) -> Result<Vec<(&'a str, &'a str)>, String> {
        self.given
            .iter()
            .map(|given| {
                option(given)
                    .filter(|(name, _)| known.contains(name))
                    .ok_or_else(|| self.takes(known))
            })
            .collect()
    }

    fn takes(&self, known: &[&str]) -> String {
        match known {
            [] => format!("{} takes nothing in parentheses", self.name),
            known => format!(
                "{} takes {}",
                self.name,
                known.iter().map(|name| format!("{name}=...")).collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

/// A name and a value, as in `min-games=5`.
pub fn option(part: &str) -> Option<(&str, &str)> {
    part.split_once('=').map(|(name, value)| (name.trim(), value.trim()))
}

/// What a word means of those that are known; else what can be given.
pub fn one_of<T: Copy, const N: usize>(
    known: [(&str, T); N],
    value: &str,
    expected: &'static str,
) -> Result<T, &'static str> {
    known.iter().find(|(name, _)| *name == value).map(|&(_, value)| value).ok_or(expected)
}

/// Whether it is `yes` or `no`; else what can be given.
pub fn yes_or_no(value: &str) -> Result<bool, &'static str> {
    one_of([("yes", true), ("no", false)], value, "yes or no")
}

/// A number without a sign, in units of 10^-decimals, of no more digits behind its point.
pub fn decimal(text: &str, decimals: usize) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let are_digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !are_digits(whole, 9) || !are_digits(part, decimals.max(1)) || (decimals == 0 && part != "0")
    {
        return None;
    }
    let unit = 10u64.pow(u32::try_from(decimals).ok()?);
    let part = if decimals == 0 { 0 } else { format!("{part:0<decimals$}").parse::<u64>().ok()? };
    Some(whole.parse::<u64>().ok()? * unit + part)
}

/// Such a number as [`decimal`] reads it.
pub fn decimal_text(number: u64, decimals: usize) -> String {
    let unit = 10u64.pow(u32::try_from(decimals).unwrap_or_default());
    let text = format!("{}.{:0decimals$}", number / unit, number % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_between_commas_outside_of_parentheses() {
        assert_eq!(parts("reg(1,2) , min=5").unwrap(), ["reg(1,2)", "min=5"]);
        assert_eq!(parts("a(b(c,d),e)").unwrap(), ["a(b(c,d),e)"]);
        for bad in ["", ",a", "a,", "a,,b", "a(", "a)", "a)(", " , "] {
            assert!(parts(bad).is_err(), "{bad}");
        }
        let found = Call::of("a( b , c=(d,e) )").unwrap();
        assert_eq!(found, Call { name: "a", given: vec!["b", "c=(d,e)"] });
        assert_eq!(Call::of("a()").unwrap(), Call { name: "a", given: vec![] });
        assert!(Call::of("a(b)c").is_err());
    }

    #[test]
    fn decimals_are_read_and_written() {
        for (text, decimals, number) in [
            ("0.1", 6, 100_000),
            ("12", 2, 1200),
            ("0.5", 2, 50),
            ("7", 0, 7),
            ("999999999.99", 2, 99_999_999_999),
        ] {
            assert_eq!(decimal(text, decimals), Some(number), "{text}");
            assert_eq!(decimal_text(number, decimals), text);
        }
        for bad in ["", ".5", "1.", "1.234", "-1", "1e3", "\u{b2}", "+1", "1234567890"] {
            assert_eq!(decimal(bad, 2), None, "{bad}");
        }
        assert_eq!(["1.5", "1234567890"].map(|bad| decimal(bad, 0)), [None, None]);
    }
}
