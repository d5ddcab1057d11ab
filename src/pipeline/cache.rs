//! Sheets that are in use, and what was made of each.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use propnet::gdl::{Rules, Source};

use super::stages::Stages;

/// Finds the stages of a sheet that another player has read. It holds weak references only: a sheet
/// is freed with its last player.
#[derive(Clone, Debug, Default)]
pub struct Cache(Arc<Mutex<Vec<Weak<Stages>>>>);

impl Cache {
    /// The stages of a sheet. It is read only if no live player has read the same text; two players
    /// that read it at the same time get the same stages.
    pub fn stages<E>(
        &self,
        sheet: Source,
        read: impl FnOnce(Source) -> Result<Rules, E>,
    ) -> Result<Arc<Stages>, E> {
        if let Some(known) = find(&self.live(), &sheet) {
            return Ok(known);
        }
        let rules = read(sheet)?;
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.strong_count() > 0);
        let live: Vec<Arc<Stages>> = entries.iter().filter_map(Weak::upgrade).collect();
        if let Some(known) = find(&live, &rules.source) {
            return Ok(known);
        }
        let stages = Arc::new(Stages::for_players(rules));
        entries.push(Arc::downgrade(&stages));
        Ok(stages)
    }

    fn live(&self) -> Vec<Arc<Stages>> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().filter_map(Weak::upgrade).collect()
    }
}

fn find(known: &[Arc<Stages>], sheet: &Source) -> Option<Arc<Stages>> {
    known.iter().find(|stages| stages.rules().source.text() == sheet.text()).cloned()
}

#[cfg(test)]
mod tests {
    use propnet::gdl::SheetError;
    use propnet::reference::load;

    use super::*;

    const SHEET: &str = "(role a) (init s) (legal a go) (next s) (<= terminal (true t)) (goal a 1)";

    fn stages(cache: &Cache, text: &str) -> Result<Arc<Stages>, SheetError> {
        cache.stages(Source::from_text("sheet", text), load)
    }

    #[test]
    fn a_sheet_is_shared_as_long_as_a_player_uses_it() {
        let cache = Cache::default();
        let first = stages(&cache, SHEET).expect("stages");
        let again = cache.clone().stages(Source::from_text("same", SHEET), |_| Err("read twice"));
        assert!(Arc::ptr_eq(&first, &again.expect("stages")));
        let other = stages(&cache, &format!("{SHEET} (extra)")).expect("stages");
        assert!(!Arc::ptr_eq(&first, &other));
        let weak = Arc::downgrade(&first);
        drop(first);
        assert!(weak.upgrade().is_none());
        assert!(stages(&cache, SHEET).is_ok());
        // The first two are gone, or replaced; the other one is still there.
        assert!(Arc::ptr_eq(&other, &stages(&cache, &format!("{SHEET} (extra)")).expect("stages")));
    }

    #[test]
    fn a_sheet_that_cannot_be_played_is_not_kept() {
        let cache = Cache::default();
        assert!(stages(&cache, "(role a)").is_err());
        assert!(cache.live().is_empty());
    }
}
