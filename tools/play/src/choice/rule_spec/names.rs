//! The names of all rules, for messages and for help.

/// What can be given for a rule.
pub const GIVE_ONE: &str = "give games, best, v, q, rote, lcb, nr, progress, reg, reg2, reg(a,b), wilson, random, softmax(t=0.1), eval, negamax, rating, performance, gain, marks or always, \
     and behind commas what else is asked, such as min-games=5 (`help` explains them)";

/// Each rule as it is written, with what it plays in a line and where it comes from.
pub const RULES: [(&str, &str); 24] = [
    ("games", "most games"),
    ("best", "most points, two for a win and one for a draw (Polyglot)"),
    ("v", "best score of the position behind it, 50 % or more (Gaudel 2010, Alg. 1)"),
    ("q", "best score of the move as it was played here, 50 % or more (Gaudel 2010)"),
    ("rote", "the same of games that came this way; needs a book keyed by line"),
    ("lcb", "best score less 2/sqrt(games), 50 % or more (Gaudel 2010, Algorithm 2)"),
    ("nr, nr+lcb ...", "no move once the game has left the book (Gaudel 2010, Algorithm 3)"),
    ("progress+lcb ...", "only a better score than at the last move (Gaudel 2010, Algorithm 4)"),
    ("reg, reg(a,b)", "best (points + a)/(games + b), 1/2 and 1 (Gaudel 2010, Algorithm 5)"),
    ("reg2", "the same with 100 and 200 (Gaudel 2010, Algorithm 5)"),
    ("wilson", "best lower end of the 95 % interval, 45 % or more (Chen and Zhang 2012)"),
    ("random", "drawn in proportion to points (Polyglot)"),
    ("random(games)", "drawn in proportion to games, or to score, lcb, wilson ..."),
    ("softmax(t=0.1)", "drawn in proportion to exp(score/t), of moves of 20 games"),
    ("softmax(t=10,of=eval)", "the same of evals, or of lcb, wilson, rating ..."),
    ("eval", "best eval of the position behind the move; proofs come first"),
    ("eval(margin=20)", "drawn from the moves at most 20 worse than the best"),
    ("negamax(...)", "best by all that the book knows behind the moves (Buro 1999)"),
    ("rating", "played by the highest rated players, in 20 rated games (Fierz 2005)"),
    ("performance", "best performance rating, in 20 rated games (Fierz 2005)"),
    ("gain", "best performance less rating, in 20 rated games (Fierz 2005)"),
    ("marks", "best annotated, ! before none before ?; then most games (Fierz 2005)"),
    ("always", "what is marked so, and nothing else: a book grown by playing"),
    ("lcb else games ...", "the first of several rules that has an answer"),
];

/// Each condition that can stand behind a rule, with what it asks.
pub const CONDITIONS: [(&str, &str); 10] = [
    ("min-games=N", "moves of N games (rated games, where ratings are compared)"),
    ("min-share=P", "moves of P percent of the most played one's games; usually 1"),
    ("min-score=P", "moves that scored P percent"),
    ("min=N", "N of what the rule compares by; min=none takes its own away"),
    ("margin=N", "drawn from the moves at most N below the best"),
    ("progress=yes|no", "only a better value than at the player's last move"),
    ("nr=yes|no|known", "no move once the game has left the book (known: is out of it)"),
    ("by=positions|moves|line|known", "which games count: all that came there, or those here"),
    ("unknown=ignore", "choose though a move was played more of which nothing is known"),
    ("explore=P", "no move in P percent of its turns, by any rule (Rollason 2007)"),
];
