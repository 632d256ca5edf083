//! Enums whose variants have names.

/// Variants with names that never change, in a fixed order.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)* }
    ) => {
        $(#[$about])*
        pub enum $enum { $($(#[$doc])* $variant,)* }

        impl $enum {
            /// All of them, in order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name, which never changes.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use named;
