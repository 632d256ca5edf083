//! The options of a UCI engine, with what they may be set to.

const MOST_CHOICES: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciOption {
    /// Its name, which may have spaces.
    pub name: String,
    pub kind: Kind,
    /// Its value if it isn't set.
    pub default: Option<String>,
}

/// The type of an option, with the values that it may be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check,
    /// A whole number from one to the other.
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    String,
    /// Nothing: it is pressed.
    Button,
}

impl UciOption {
    /// The option that the words after `option` describe, if they do.
    pub(super) fn read(text: &str) -> Option<Self> {
        // Each word belongs to the field that was named last.
        let mut fields: Vec<(&str, String)> = Vec::new();
        for word in text.split_ascii_whitespace() {
            let has = |name: &str| fields.iter().filter(|(field, _)| *field == name).count();
            let begins = match word {
                "name" => fields.is_empty(),
                "type" => has("name") > 0 && has("type") == 0,
                "default" | "min" | "max" => has("type") > 0,
                "var" => has("type") > 0 && has("var") < MOST_CHOICES,
                _ => false,
            };
            if begins {
                fields.push((word, String::new()));
                continue;
            }
            let (_, text) = fields.last_mut()?;
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        let all = |name: &'static str| {
            let named = fields.iter().filter(move |(field, _)| *field == name);
            named.map(|(_, text)| text.as_str())
        };
        let whole = |name| {
            let said = all(name).filter(|text| !text.is_empty()).collect::<Vec<_>>();
            Some(said.join(" ")).filter(|text| !text.is_empty())
        };
        let number = |name, usual| whole(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
        let kind = match whole("type")?.as_str() {
            "check" => Kind::Check,
            "spin" => Kind::Spin { min: number("min", i64::MIN), max: number("max", i64::MAX) },
            "combo" => Kind::Combo(all("var").map(str::to_owned).collect()),
            "string" => Kind::String,
            "button" => Kind::Button,
            _ => return None,
        };
        let default = whole("default").filter(|default| default != "<empty>");
        Some(Self { name: whole("name")?, kind, default })
    }

    /// Makes sure that it may be set to this.
    pub(super) fn check(&self, value: &str) -> Result<(), String> {
        match &self.kind {
            Kind::Check if !matches!(value, "true" | "false") => {
                Err("give true or false".to_owned())
            }
            Kind::Spin { min, max }
                if !value.parse().is_ok_and(|number: i64| (min..=max).contains(&&number)) =>
            {
                Err(format!("give a number from {min} to {max}"))
            }
            Kind::Combo(choices)
                if !choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) =>
            {
                Err(format!("give one of: {}", choices.join(", ")))
            }
            Kind::Button if !value.is_empty() => Err("it is a button: give no value".to_owned()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn option(text: &str) -> UciOption {
        UciOption::read(text).unwrap()
    }

    #[test]
    fn all_kinds_of_options_are_read() {
        let hash = option("name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(hash.kind, Kind::Spin { min: 1, max: 33_554_432 });
        assert_eq!((hash.name.as_str(), hash.default.as_deref()), ("Hash", Some("16")));
        assert_eq!(
            option("name Clear Hash type button"),
            UciOption { name: "Clear Hash".into(), kind: Kind::Button, default: None }
        );
        let style =
            option("name Style type combo default Normal var Solid var Very Risky var Normal");
        let found = style.kind;
        assert_eq!(found, Kind::Combo(["Solid", "Very Risky", "Normal"].map(str::to_owned).into()));
        let found = option("name NalimovPath type string default c:\\").default;
        assert_eq!(found.as_deref(), Some("c:\\"));
        assert_eq!(option("name SyzygyPath type string default <empty>").default, None);
        for bad in ["", "name", "type check", "name X type", "name X type what", "Hash type spin"] {
            assert_eq!(UciOption::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn values_are_checked_by_kind() {
        let hash = option("name Hash type spin min 1 max 16");
        assert!(hash.check("16").is_ok() && hash.check("17").is_err() && hash.check("x").is_err());
        let check = option("name Ponder type check");
        assert!(check.check("true").is_ok() && check.check("yes").is_err());
        let combo = option("name S type combo var A var B C");
        assert!(combo.check("b c").is_ok() && combo.check("C").is_err());
        assert!(option("name B type button").check("x").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(words in prop::collection::vec("name|type|spin|combo|var|min|max|default|-?[0-9]{1,20}|\\PC{0,8}", 0..20)) {
            let _ = UciOption::read(&words.join(" "));
        }
    }
}
