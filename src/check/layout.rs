//! Where the rows of a table have to be, given those before them, and what they add up to (B-16 to
//! B-18, B-22, B-24).

use crate::format::{Results, Rule, Share, TableShape};
use crate::key::Hash;
use crate::row::Row;
use crate::table::Extent;

/// What the header says of a table's rows.
#[derive(Clone, Copy)]
pub(super) struct Expected {
    pub shape: TableShape,
    pub results: Results,
    pub share: Share,
}

impl Expected {
    /// Where the search for a row starts. That of a row of another share is anywhere.
    #[inline(always)]
    pub fn home<R: Row>(&self, row: &R) -> u64 {
        self.share.home(row.hash(), self.shape.homes)
    }
}

/// Where the rows of a table have to be, given those before them (B-16), and what they add up to.
pub(super) struct Layout {
    expected: Expected,
    pub totals: TableShape,
    /// Positions flagged `EXPANDED`.
    pub expanded: u64,
    /// The rank of the last row.
    last: Option<(Hash, u16)>,
    /// The slot after it, where the next row is if it is not at home.
    next: u64,
    /// Whether the slot before is in a damaged block: then a row may be away from home without
    /// visible reason.
    behind_unknown: bool,
}

impl Layout {
    pub fn new(expected: Expected) -> Self {
        let totals = TableShape { homes: expected.shape.homes, ..TableShape::default() };
        Self { expected, totals, expanded: 0, last: None, next: 0, behind_unknown: false }
    }

    /// Passes over a slot of which nothing is known.
    pub fn pass_unknown(&mut self) {
        self.behind_unknown = true;
    }

    /// Takes the rows of a whole extent, if they follow on those before; else nothing is taken, and
    /// `false` returned.
    pub fn take_run(&mut self, run: &Run) -> bool {
        let Some(rows) = &run.rows else { return !self.behind_unknown };
        let good = !self.behind_unknown
            && rows.first_slot == rows.first_home.max(self.next)
            && self.last.is_none_or(|last| last < rows.first);
        if good {
            self.totals.join(&run.totals);
            self.expanded += run.expanded;
            (self.last, self.next) = (Some(rows.last), rows.next);
        }
        good
    }

    /// Takes a slot; what is wrong with it, if anything.
    pub fn take<R: Row>(&mut self, slot: u64, row: &R) -> Option<(Rule, String)> {
        let complaint = self.complaint(slot, row);
        if !row.is_empty() {
            let home = self.expected.home(row);
            (self.last, self.next) = (Some(row.rank()), slot + 1);
            self.totals.max_displacement =
                self.totals.max_displacement.max(slot.saturating_sub(home));
            self.totals.count(row.counts());
            self.expanded += u64::from(row.is_expanded());
        }
        self.behind_unknown = false;
        complaint.map(|(rule, what)| (rule, format!("slot {slot}, key {:016x}: {what}", row.key())))
    }

    fn complaint<R: Row>(&self, slot: u64, row: &R) -> Option<(Rule, &'static str)> {
        let home = self.expected.home(row);
        if row.is_empty() {
            (!row.is_blank())
                .then_some((Rule::B18, "it ends like an empty slot, but is not all ones"))
        } else if !self.expected.share.holds(row.hash()) {
            Some((Rule::B24, "it belongs to another share of the hashes"))
        } else if self.last.is_some_and(|last| last >= row.rank()) {
            Some((Rule::B16, "it is out of order, or there twice"))
        } else if slot < home || slot - home > self.expected.shape.max_displacement {
            Some((Rule::B16, "it stands out of max_displacement of its home"))
        } else if slot != home && self.next != slot && !self.behind_unknown {
            Some((Rule::B16, "it stands behind an empty slot, so that no probe finds it"))
        } else if let Some(fault) = row.invalid_reason() {
            Some((Rule::B18, fault))
        } else if !self.expected.results.allow(row.counts()) {
            Some((Rule::B22, "it has wins or losses, and the book counts games without results"))
        } else {
            row.conflict().then_some((Rule::M3, "its proofs contradict each other"))
        }
    }
}

/// The rows of an extent that are valid, as far as the extent alone shows.
pub(super) struct Run {
    rows: Option<Ends>,
    totals: TableShape,
    expanded: u64,
}

/// Where the rows of an extent begin and end.
struct Ends {
    first: (Hash, u16),
    first_home: u64,
    first_slot: u64,
    last: (Hash, u16),
    /// The slot after the last row.
    next: u64,
}

impl Run {
    /// Looks at all slots; nothing if something is wrong with one.
    ///
    /// Which slots are empty can't be foreseen, so nothing here branches on it: the occupied ones
    /// are found first, and each is then compared with the one before it.
    pub fn of<R: Row>(extent: &Extent<R>, expected: Expected) -> Option<Self> {
        let homes = expected.shape.homes;
        let (start, slots) = extent.start_and_slots();
        let mut totals = TableShape { homes, ..TableShape::default() };
        let occupied = find_occupied(slots)?;
        let Some((&first, &last)) = occupied.first().zip(occupied.last()) else {
            return Some(Self { rows: None, totals, expanded: 0 });
        };
        let (first, last) = (&slots[first as usize], &slots[last as usize]);
        let (first_slot, first_home) = (start + u64::from(occupied[0]), expected.home(first));
        let (mut good, mut next, mut before) = (true, first_slot, (Hash::MIN, -1));
        let mut expanded = 0;
        for &index in &occupied {
            let row = &slots[index as usize];
            let (h, sub) = (row.hash(), i32::from(row.sub()));
            let (slot, home) = (start + u64::from(index), expected.home(row));
            good &=
                (slot == home.max(next)) & ((h > before.0) | ((h == before.0) & (sub > before.1)));
            good &= row.is_valid() & !row.conflict();
            expanded += u64::from(row.is_expanded());
            (next, before) = (slot + 1, (h, sub));
            totals.max_displacement = totals.max_displacement.max(slot.wrapping_sub(home));
            totals.count(row.counts());
        }
        // The sums of an extent don't wrap.
        good &= expected.results == Results::Known || (totals.wins, totals.losses) == (0, 0);
        // Rows between two of the same share are of it.
        good &= expected.share.holds(first.hash()) && expected.share.holds(last.hash());
        let rows = Ends { first: first.rank(), first_home, first_slot, last: last.rank(), next };
        good.then_some(Self { rows: Some(rows), totals, expanded })
    }
}

/// The slots that hold rows; nothing if another one is not all ones.
fn find_occupied<R: Row>(slots: &[R]) -> Option<Vec<u32>> {
    let mut occupied = vec![0; slots.len()];
    let (mut rows, mut blank) = (0, true);
    for (index, row) in (0u32..).zip(slots) {
        occupied[rows] = index;
        rows += usize::from(!row.is_empty());
        blank &= !row.is_empty() | row.is_blank();
    }
    occupied.truncate(rows);
    blank.then_some(occupied)
}
