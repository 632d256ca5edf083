"""What can go wrong with a book, as one hierarchy under `TabiaError`.

A file that is missing or can't be read is an `OSError`, as everywhere in Python; whatever a file *holds* is one of these.
The compiled package tabia-engine raises the same classes.
"""

from __future__ import annotations

__all__ = [
    "BadPosition",
    "BookLocked",
    "BookReplaced",
    "ClosedBook",
    "DamagedBook",
    "DamagedJournal",
    "EngineError",
    "InvalidData",
    "NoSuchTable",
    "NotABook",
    "NotASet",
    "NotInBook",
    "TabiaError",
    "UnsupportedBook",
    "WrongGame",
    "WrongJournal",
]


class TabiaError(Exception):
    """Every error of this package. `path` is the file it is about, `rule` the rule of the format that does not hold (`B-13`)
    and `place` where (`header page`, `POSN, block 3`); each is None where there is none.
    """

    def __init__(self, message: str, *, path: str | None = None, place: str | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.place = place
        self.rule = rule

    def __str__(self) -> str:
        text = self.message
        if self.place is not None:
            text = f"{self.place}: {text}"
        if self.rule is not None:
            text = f"{self.rule}: {text}"
        return text if self.path is None else f"{self.path}: {text}"

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.message, self.path, self.place, self.rule)


def _again(kind: type[TabiaError], message: str, path: str | None, place: str | None, rule: str | None) -> TabiaError:
    """The error again: what pickling an error needs, as its arguments have names."""
    return kind(message, path=path, place=place, rule=rule)


class NotABook(TabiaError):
    """The file is something else than a Tabia book (rule B-1)."""


class UnsupportedBook(TabiaError):
    """The book or journal was made by another version of the format, or needs a feature that this one does not know."""


class DamagedBook(TabiaError):
    """The book breaks a rule of the format: `rule` says which one, `place` where. What was read from there is not to be trusted."""


class DamagedJournal(DamagedBook):
    """The journal beside the book breaks a rule of the format; the book alone can still be opened, with `journal=False`."""


class WrongJournal(TabiaError):
    """The journal beside the book belongs to another book (rules J-2, J-3)."""


class BookReplaced(TabiaError):
    """The book was replaced: again and again while it was being opened, or since."""


class NotASet(TabiaError):
    """These books are not the shares of one set (rules S-1, S-2)."""


class NoSuchTable(TabiaError, LookupError):
    """The book has no table of positions, or none of moves."""


class NotInBook(TabiaError, KeyError, IndexError):
    """The book says nothing of this position. (A `KeyError` as of a dict, and an `IndexError` as of python-chess's readers.)"""

    __str__ = TabiaError.__str__


class ClosedBook(TabiaError, ValueError):
    """The book was closed."""


class BadPosition(TabiaError, ValueError):
    """A text that does not describe a position, or something that is not a position at all."""


class WrongGame(TabiaError, ValueError):
    """This can't be done with a book of that game or key scheme."""


class InvalidData(TabiaError, ValueError):
    """Rows from elsewhere (Arrow, numpy) that no book can hold, or an argument out of its range."""


class EngineError(TabiaError):
    """The compiled package could not do what was asked for: no games, sources that are in both books, a full disk and the like."""


class BookLocked(EngineError):
    """Another writer is at work on the book."""
