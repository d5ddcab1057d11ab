//! Code that runs: the one place of the library that is unsafe.
#![allow(unsafe_code)]

use bytemuck::Pod;
use memmap2::{Mmap, MmapMut};

use super::assemble::MachineCode;
use super::error::MachineError;
#[cfg(target_arch = "x86_64")]
use super::weigher::{
    Avx2Weigher, Avx512CaseWeigher, Avx512Offer, Avx512Weigher, CaseLists, choose_case_with_avx512,
    choose_with_avx2, choose_with_avx512,
};
#[cfg(target_arch = "x86_64")]
use crate::program::WeightedChoice;

/// A routine ready to run. It can be shared between threads.
pub struct Executable {
    code: MachineCode,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "never made there"))]
    memory: Mmap,
}

impl Executable {
    /// Makes code executable, where the processor has its level.
    pub fn new(code: MachineCode) -> Result<Self, MachineError> {
        let level = code.level();
        if !level.is_available() {
            return Err(MachineError::Level { level });
        }
        let memory = executable_memory(code.bytes())
            .map_err(|error| MachineError::Memory { reason: error.to_string() })?;
        Ok(Executable { code, memory })
    }

    /// The code that runs.
    pub fn code(&self) -> &MachineCode {
        &self.code
    }

    /// Does the routine once. An error where words are not as long and aligned as the registers of
    /// the code's level, or where a repeated block does not come to rest, which loops of rules
    /// always do; the words made mean nothing then.
    ///
    /// # Panics
    ///
    /// Where a space has fewer words than the code needs.
    pub fn run<W: Pod>(
        &self,
        before: &[W],
        after: &mut [W],
        work: &mut [W],
    ) -> Result<(), MachineError> {
        let level = self.code.level();
        if size_of::<W>() != level.word_bytes() || align_of::<W>() < level.word_bytes() {
            return Err(MachineError::Width { level, bytes: size_of::<W>() });
        }
        assert!(before.len() >= self.code.before_words(), "too few words before the step");
        assert!(after.len() >= self.code.after_words(), "too few words after the step");
        assert!(work.len() >= self.code.work_words(), "too few words to work with");
        if self.call(before.as_ptr(), after.as_mut_ptr(), work.as_mut_ptr()) == 0 {
            return Err(MachineError::Endless);
        }
        Ok(())
    }

    #[cfg(target_arch = "x86_64")]
    fn call<W: Pod>(&self, before: *const W, after: *mut W, work: *mut W) -> u32 {
        // SAFETY: The memory holds, unchanged, what `assemble` made: a whole function of this
        // signature. `MachineCode` can be made in no other way, and `new` has checked that the
        // processor has its instructions. The function keeps the registers that System V says it must, and
        // ends: it has no jump back but that of a sweep, which is counted. It reads and writes,
        // aligned as `W` is, only words whose numbers are below the sizes that `run` has compared
        // with the slices: `before` is only read, and the other two are borrowed for the call, so
        // nobody else sees them meanwhile. Any bits make a `W`, since it is plain data.
        unsafe {
            let function: extern "sysv64" fn(*const W, *mut W, *mut W) -> u32 =
                std::mem::transmute(self.memory.as_ptr());
            function(before, after, work)
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn call<W: Pod>(&self, _: *const W, _: *mut W, _: *mut W) -> u32 {
        unreachable!("no level is available on this processor")
    }
}

/// A loop that is worth this processor's own instructions.
///
/// It is a trait and no closure, since only what is inlined has them: implementations are to be
/// `#[inline(always)]`, and so is what they call and spend their time in.
pub trait Task {
    /// The result.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does something with this processor's own instructions: an ordinary build is for every
/// processor, and does without counting bits or vectors of 256 bits and more.
#[inline(always)]
pub fn at_full_speed<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("popcnt")
    {
        let has_avx512 = std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl");
        // SAFETY: All that is needed is that the processor has the instructions, as was asked.
        return unsafe { if has_avx512 { with_avx512(task) } else { with_avx2(task) } };
    }
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx512<T: Task>(task: T) -> T::Output {
    task.run()
}

/// Chooses by weights in all lanes, if words are as wide as vectors or a multiple of that.
#[cfg(target_arch = "x86_64")]
pub(super) fn weigh_with_avx2<W: Pod>(
    weigher: &mut Avx2Weigher,
    choice: &WeightedChoice,
    work: &mut [W],
) -> bool {
    let Ok(vectors) = bytemuck::try_cast_slice_mut(work) else { return false };
    let stride = size_of::<W>() / size_of::<std::arch::x86_64::__m256i>();
    for first in 0..stride {
        // SAFETY: All that is needed is that the processor has the instructions, and weighers are
        // made only where it has.
        unsafe { choose_with_avx2(weigher, choice, &mut vectors[first..], stride) };
    }
    true
}

/// Chooses by weights in all lanes, if words are as wide as vectors.
#[cfg(target_arch = "x86_64")]
pub(super) fn weigh_with_avx512<W: Pod>(
    weigher: &mut Avx512Weigher,
    choice: &WeightedChoice,
    offer: &mut Avx512Offer,
    lanes: W,
    work: &mut [W],
) -> bool {
    let Ok(lanes) = bytemuck::try_cast(lanes) else { return false };
    let Ok(vectors) = bytemuck::try_cast_slice_mut(work) else { return false };
    // SAFETY: All that is needed is that the processor has the instructions, and weighers are made
    // only where it has.
    unsafe { choose_with_avx512(weigher, choice, offer, lanes, vectors) };
    true
}

/// Chooses by cases in all lanes, if words are as wide as vectors.
#[cfg(target_arch = "x86_64")]
pub(super) fn weigh_cases_with_avx512<W: Pod>(
    weigher: &mut Avx512CaseWeigher,
    choice: &WeightedChoice,
    parts: &[CaseLists],
    lanes: W,
    words: &mut [W],
    work: &mut [W],
) -> bool {
    let Ok(lanes) = bytemuck::try_cast(lanes) else { return false };
    let (Ok(words), Ok(vectors)) =
        (bytemuck::try_cast_slice_mut(words), bytemuck::try_cast_slice_mut(work))
    else {
        return false;
    };
    // SAFETY: All that is needed is that the processor has the instructions, and weighers are made
    // only where it has.
    unsafe { choose_case_with_avx512(weigher, choice, parts, lanes, words, vectors) };
    true
}

/// Memory with the bytes in it that can be executed, and from then on no longer written.
fn executable_memory(bytes: &[u8]) -> std::io::Result<Mmap> {
    let mut memory = MmapMut::map_anon(bytes.len())?;
    memory.copy_from_slice(bytes);
    memory.make_exec()
}
