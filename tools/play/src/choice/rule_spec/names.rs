//! The names of all rules, for messages.

/// What can be given for a rule.
pub const GIVE_ONE: &str = "give default, q, rote, lcb, nr, progress, reg, reg2, reg(a,b), wilson, best, games, random, softmax(t=0.1), eval or negamax, \
     and behind commas what else is asked, such as min-games=5";
