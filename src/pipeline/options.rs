//! What is made of a sheet, and how.

use propnet::circuit::optimize::Pass;
use propnet::lanes::Setup;

use super::bounds::PipelineBounds;

/// What may be chosen on the way from rules to lanes. Each stage uses what concerns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineOptions {
    /// What the stages may take.
    pub bounds: PipelineBounds,
    /// The passes over the circuit, in their order.
    pub passes: Vec<Pass>,
    /// The width of the lanes and what runs them.
    pub lanes: Setup,
}

impl Default for PipelineOptions {
    /// The usual bounds, all passes, and the fastest lanes.
    fn default() -> Self {
        PipelineOptions {
            bounds: PipelineBounds::default(),
            passes: Pass::ALL.to_vec(),
            lanes: Setup::default(),
        }
    }
}

impl PipelineOptions {
    /// The passes by their names, for people and records: the meaning of `all` changes.
    pub fn passes_text(&self) -> String {
        if self.passes.is_empty() {
            return "none".to_string();
        }
        let names: Vec<&str> = self.passes.iter().map(|pass| pass.name()).collect();
        names.join(",")
    }
}

#[cfg(test)]
mod tests {
    use propnet::circuit::optimize::parse_passes;

    use super::*;

    #[test]
    fn the_text_of_passes_is_read_as_the_same_passes() {
        for text in ["none", "fast", "all"] {
            let passes = parse_passes(text).expect("a set of passes");
            let options = PipelineOptions { passes, ..PipelineOptions::default() };
            assert_eq!(parse_passes(&options.passes_text()), Ok(options.passes));
        }
    }
}
