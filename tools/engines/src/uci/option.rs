//! The options of a UCI engine, with what they may be set to.

/// Choices that a combo may have.
const MOST_CHOICES: usize = 4096;

/// An option of a UCI engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciOption {
    /// Its name, which may have spaces.
    pub name: String,
    /// What it may be set to.
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
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of these.
    Combo(Vec<String>),
    /// Any text.
    String,
    /// Nothing: it is pressed.
    Button,
}

impl UciOption {
    /// The option that the words after `option` describe, if they do.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut fields = Fields::default();
        let mut field = None;
        for word in text.split_ascii_whitespace() {
            match word {
                "name" if field.is_none() => field = Some(Field::Name),
                "type" if matches!(field, Some(Field::Name)) => field = Some(Field::Type),
                "default" if field.is_some_and(Field::is_behind_type) => {
                    field = Some(Field::Default)
                }
                "min" if field.is_some_and(Field::is_behind_type) => field = Some(Field::Min),
                "max" if field.is_some_and(Field::is_behind_type) => field = Some(Field::Max),
                "var"
                    if field.is_some_and(Field::is_behind_type)
                        && fields.choices.len() < MOST_CHOICES =>
                {
                    fields.choices.push(String::new());
                    field = Some(Field::Choice);
                }
                word => fields.add(field?, word),
            }
        }
        fields.option()
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

/// What a word belongs to.
#[derive(Clone, Copy)]
enum Field {
    Name,
    Type,
    Default,
    Min,
    Max,
    Choice,
}

impl Field {
    fn is_behind_type(self) -> bool {
        !matches!(self, Self::Name)
    }
}

/// The fields of an option as they are read.
#[derive(Default)]
struct Fields {
    name: String,
    kind: String,
    default: Option<String>,
    min: String,
    max: String,
    choices: Vec<String>,
}

impl Fields {
    fn add(&mut self, field: Field, word: &str) {
        let text = match field {
            Field::Name => &mut self.name,
            Field::Type => &mut self.kind,
            Field::Default => self.default.get_or_insert_default(),
            Field::Min => &mut self.min,
            Field::Max => &mut self.max,
            Field::Choice => match self.choices.last_mut() {
                Some(choice) => choice,
                None => return,
            },
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }

    fn option(self) -> Option<UciOption> {
        let kind = match self.kind.as_str() {
            "check" => Kind::Check,
            "spin" => Kind::Spin {
                min: self.min.parse().unwrap_or(i64::MIN),
                max: self.max.parse().unwrap_or(i64::MAX),
            },
            "combo" => Kind::Combo(self.choices),
            "string" => Kind::String,
            "button" => Kind::Button,
            _ => return None,
        };
        let default = self.default.filter(|default| default != "<empty>");
        (!self.name.is_empty()).then_some(UciOption { name: self.name, kind, default })
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
        assert_eq!(
            style.kind,
            Kind::Combo(["Solid", "Very Risky", "Normal"].map(str::to_owned).into())
        );
        assert_eq!(
            option("name NalimovPath type string default c:\\").default.as_deref(),
            Some("c:\\")
        );
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
