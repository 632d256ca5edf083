//! Looking hashes up among sorted ones.

/// Finds hashes ([`tabia::mix`]) in a sorted list of them: it knows where those begin that have the
/// same first bits, and searches among these few. Half a byte of memory for each.
///
/// ```
/// use tabia_interop::HashIndex;
///
/// let hashes = [7, 7, 1 << 40, u64::MAX];
/// let index = HashIndex::new(&hashes);
/// assert_eq!(hashes[index.find(&hashes, 7)..], [7, 7, 1 << 40, u64::MAX]);
/// assert_eq!(index.find(&hashes, 8), 2);
/// ```
#[derive(Debug, Default)]
pub struct HashIndex {
    /// Where the hashes begin that have these first bits, or more; one more for the end.
    begins: Vec<usize>,
    /// The bits after the first.
    shift: u32,
}

impl HashIndex {
    /// Hashes that share their first bits, about.
    const TOGETHER: usize = 16;

    /// Knows where these hashes are, which are sorted and may be equal.
    pub fn new(hashes: &[u64]) -> Self {
        let bits = (hashes.len() / Self::TOGETHER).max(2).ilog2();
        let (shift, mut begins) = (64 - bits, vec![0; (1 << bits) + 1]);
        for &hash in hashes {
            begins[(hash >> shift) as usize + 1] += 1;
        }
        for next in 1..begins.len() {
            begins[next] += begins[next - 1];
        }
        Self { begins, shift }
    }

    /// The place of the first hash that isn't less than this one, in the list that it knows.
    pub fn find(&self, hashes: &[u64], hash: u64) -> usize {
        let first_bits = (hash >> self.shift) as usize;
        let [start, end] = [self.begins[first_bits], self.begins[first_bits + 1]];
        start + hashes[start..end].partition_point(|&other| other < hash)
    }

    /// Bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.begins.as_slice())
    }
}
