//! A book between a GUI and its engine.
