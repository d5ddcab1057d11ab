//! How long playouts were, counted for all lanes at once.

use super::word::Word;

/// Adds the lanes to the counts of their numbers. A number is given by its bits, the least first;
/// what is counted is how far it is below `from`.
pub(super) fn count<W: Word>(lanes: W, number: &[W], from: u64, counts: &mut Vec<u64>) {
    // Lanes with the same higher bits stay together; each bit parts them.
    let mut groups = vec![(lanes, 0u64)];
    for word in number.iter().rev() {
        let parted = groups.iter().flat_map(|&(lanes, high)| {
            [(lanes & !*word, high << 1), (lanes & *word, high << 1 | 1)]
        });
        groups = parted.filter(|(lanes, _)| !lanes.is_zero()).collect();
    }
    for (lanes, number) in groups {
        let at = from.saturating_sub(number) as usize;
        if at >= counts.len() {
            counts.resize(at + 1, 0);
        }
        counts[at] += u64::from(lanes.count());
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
