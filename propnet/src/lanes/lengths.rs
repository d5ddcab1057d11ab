//! How long playouts were, counted for all lanes at once.

use super::word::Word;

/// Adds the lanes to the counts of their numbers. A number is given by its bits, the least first;
/// what is counted is how far it is below `from`.
pub(super) fn count<W: Word>(lanes: W, number: &[W], from: u64, counts: &mut Vec<u64>) {
    // Few lanes are over in one step, and many of them at the same number.
    let mut rest = lanes;
    while let Some(lane) = rest.lanes().next() {
        let mut same = rest;
        let mut value = 0;
        for (bit, &word) in number.iter().enumerate() {
            let is_set = word.has(lane);
            value |= u64::from(is_set) << bit;
            same = same & if is_set { word } else { !word };
        }
        let at = from.saturating_sub(value) as usize;
        if at >= counts.len() {
            counts.resize(at + 1, 0);
        }
        counts[at] += u64::from(same.count());
        rest = rest & !same;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_counted_by_their_numbers() {
        let numbers = [5u64, 5, 0, 7, 3, 5, 2];
        let bit = |bit: u64| {
            let lanes = numbers.iter().enumerate();
            lanes.map(|(lane, number)| (number >> bit & 1) << lane).sum()
        };
        let words: Vec<u64> = [0, 1, 2].map(bit).to_vec();
        let mut counts = vec![1];
        count(0b101_1111, &words, 8, &mut counts);
        assert_eq!(counts, [1, 1, 0, 2, 0, 1, 1, 0, 1]);
    }
}
