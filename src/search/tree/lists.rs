//! Lists that grow by a fraction of their length, and the bytes they take.

/// A list has room for at most one more for each of this many entries. Lists that double would leave
/// up to half of the memory empty.
const SPARE: usize = 4;

/// Makes room for `more` further entries.
pub(crate) fn grow<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / SPARE));
    }
}

/// The bytes of a list: of what is in it, and with the room it has.
pub(crate) struct ListBytes {
    used: usize,
    pub(crate) held: usize,
}

impl ListBytes {
    pub(crate) fn of<T>(list: &Vec<T>) -> Self {
        ListBytes { used: list.len() * size_of::<T>(), held: list.capacity() * size_of::<T>() }
    }
}

/// The bytes that lists take at most together with a copy of each, which grows from nothing: the
/// one that is growing exists twice until it has grown.
pub(crate) fn bytes_with_copies(lists: impl Iterator<Item = ListBytes>) -> usize {
    let (used, growing) =
        lists.fold((0, 0), |(sum, most), list| (sum + list.used, list.used.max(most)));
    2 * (used + used / SPARE) + growing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_and_its_copy_take_no_more_than_they_may() {
        let (mut list, mut largest): (Vec<u32>, usize) = (Vec::new(), 0);
        for at in 0..5000 {
            let before = ListBytes::of(&list).held;
            grow(&mut list, 1);
            list.push(at);
            let own = ListBytes::of(&list);
            let beside = if own.held > before { before } else { 0 };
            largest = largest.max(own.held + beside);
            let held = own.held;
            assert!(held + largest <= bytes_with_copies([own].into_iter()), "{at}");
        }
    }
}
