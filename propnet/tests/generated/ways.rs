//! The ways a sheet can be grounded.

use propnet::ground::{Limits, Options};

/// Options with a name for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) options: Options,
    pub(crate) limits: Limits,
}

/// Small sheets can multiply out where nothing is split; such groundings are left out.
pub(crate) const LIMITS: Limits = Limits { facts: 4_000, rules: 4_000, bytes: 1 << 22 };

/// Every combination of splitting and demand, sharpened, and one of them not sharpened. The
/// thresholds are so low that nearly every helper with variables is put on demand.
pub(crate) fn ways(seed: u64) -> Vec<Way> {
    let way = |number: u64, sharpen: bool| {
        let (split, demand) = (number & 1 == 0, number & 2 == 0);
        let wide = 1 + seed / 4 % 4;
        let options = Options { split, demand, sharpen, wide, wide_static: wide + 1 };
        Way { options, limits: LIMITS }
    };
    let sharpened = (0..4).map(|number| way(number, true));
    sharpened.chain([way(seed % 4, false)]).collect()
}
