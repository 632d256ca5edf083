//! The rules of the specification, by which damage is named.

use std::fmt;

/// Lists the rules that reading can find broken, each with its name in the specification.
macro_rules! rules {
    ($($rule:ident $name:literal,)*) => {
        /// A rule of the specification that a book or a journal breaks.
        ///
        /// ```
        /// # use tabia::Rule;
        /// assert_eq!(Rule::B13.to_string(), "B-13");
        /// assert_eq!(Rule::of_name("J-5"), Some(Rule::J5));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = concat!("Rule ", $name, ".")]
                $rule,
            )*
        }

        impl Rule {
            /// All rules, in the order of the specification.
            pub const ALL: &[Self] = &[$(Self::$rule,)*];

            /// Its name in the specification: `B-13`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    B1 "B-1", B2 "B-2", B3 "B-3", B4 "B-4", B5 "B-5", B6 "B-6", B7 "B-7", B8 "B-8", B9 "B-9", B10 "B-10", B11 "B-11", B12 "B-12",
    B13 "B-13", B14 "B-14", B15 "B-15", B16 "B-16", B17 "B-17", B18 "B-18", B19 "B-19", B20 "B-20", B21 "B-21", B22 "B-22",
    B23 "B-23", B24 "B-24", B25 "B-25", B26 "B-26", B27 "B-27", B28 "B-28", B29 "B-29", B30 "B-30", B31 "B-31", B32 "B-32",
    J1 "J-1", J2 "J-2", J3 "J-3", J4 "J-4", J5 "J-5", J6 "J-6", J7 "J-7", J8 "J-8", J9 "J-9", J10 "J-10",
    M3 "M-3",
}

impl Rule {
    /// The rule with this name; none if there is none that a file can break.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
