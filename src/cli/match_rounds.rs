//! Several matches between the same players, one after the other or several at once.

use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use ludens::host;
use ludens::manager::{MatchOutcome, Player, PlayerKind};
use ludens::parallel::in_order;
use ludens::record::MatchRecord;
use ludens::run::Run;
use ludens::search::machine_bytes;
use propnet::game::{Game, State};
use serde::Serialize;

use super::exit::ExitStatus;
use super::match_args::Arena;
use super::match_report::{line, status};
use super::match_series::Series;
use super::match_stats::{SeriesStats, SeriesSummary};
use super::{output, progress};

/// What is played, and how it is shown.
pub(crate) struct Rounds<'a> {
    pub(crate) players: &'a [Player],
    pub(crate) rounds: u64,
    /// Matches at once, if given.
    pub(crate) jobs: Option<u16>,
    pub(crate) is_json: bool,
}

/// Everything, for scripts.
#[derive(Serialize)]
struct MatchRoundsDocument {
    summary: SeriesSummary,
    matches: Vec<MatchRecord>,
}

impl Rounds<'_> {
    /// Plays all matches from a state that was reached after this many steps. What was played
    /// is shown, whatever ends the matches.
    pub(crate) fn play(
        &self,
        arena: &mut Arena,
        start: (State, u64),
        out: &mut dyn Write,
    ) -> Result<ExitStatus> {
        let jobs = self.jobs(arena)?;
        let players = shared(self.players, jobs, arena.counts_simulations());
        let (state, steps) = start;
        let (series, judge) = arena.series(&state, steps, &players)?;
        let mut progress = RoundsProgress {
            series: &series,
            stats: SeriesStats::new(self.players),
            records: Vec::new(),
            bar: progress::matches(self.rounds),
            is_json: self.is_json,
            ended: Ok(ExitStatus::Good),
            out,
        };
        let play = |judge: &mut dyn Game, state: &State, round: u64| {
            let seated = seated(&players, round);
            let outcome = series.play(judge, state.clone(), seated, round, &mut |_| Ok(()));
            (round, outcome)
        };
        let is_wanted = |_: &u64| !series.terms.interrupt.load(Relaxed);
        let rounds = (0..self.rounds).take_while(is_wanted);
        if jobs == 1 {
            for round in rounds {
                progress.hear(play(judge, &state, round))?;
            }
        } else {
            let work = |judge: &mut Result<JudgeGame>, round: u64| match judge {
                Ok((game, state)) => play(&mut **game, state, round),
                Err(error) => (round, Err(anyhow::anyhow!("{error:#}"))),
            };
            in_order(rounds, jobs, || own_judge(&series), work, |played| progress.hear(played))?;
        }
        progress.finish(self.rounds, jobs)
    }

    /// Matches at once. Under a clock they would take each other's time, so there is one at a time
    /// unless --jobs says otherwise.
    fn jobs(&self, arena: &Arena) -> Result<usize> {
        let has = |wanted: fn(&PlayerKind) -> bool| {
            self.players.iter().any(|player| wanted(&player.kind))
        };
        let is_timed = has(|kind| matches!(kind, PlayerKind::Http(_)))
            || has(|kind| matches!(kind, PlayerKind::Strategy(_))) && !arena.counts_simulations();
        let has_people = has(|kind| matches!(kind, PlayerKind::Human));
        let jobs = match self.jobs {
            Some(jobs) => jobs.into(),
            None if is_timed || has_people => 1,
            None => host::cores(),
        };
        ensure!(jobs == 1 || !has_people, "people play one match at a time; leave out --jobs");
        Ok(jobs.min(usize::try_from(self.rounds).unwrap_or(usize::MAX)))
    }
}

/// A judge for one thread, and the state that matches start in.
type JudgeGame = (Box<dyn Game>, State);

fn own_judge(series: &Series<'_>) -> Result<JudgeGame> {
    let mut game = series.start.game();
    let mut run = Run::new(&mut *game, &series.start.setup)?;
    run.play_script(&mut *game)?;
    Ok((game, run.state))
}

/// The players by role: in each round each player takes the next role.
fn seated(players: &[Player], round: u64) -> Vec<Player> {
    let mut seated = players.to_vec();
    seated.rotate_right((round % players.len().max(1) as u64) as usize);
    seated
}

/// The players of several matches, which share a machine. With a budget of simulations each search
/// has one thread, so that the number of matches at once does not affect the results.
fn shared(players: &[Player], jobs: usize, counts_simulations: bool) -> Vec<Player> {
    let is_search = |player: &&Player| matches!(player.kind, PlayerKind::Strategy(_));
    let searches = players.iter().filter(is_search).count().max(1);
    let threads = match counts_simulations {
        true => Some(1),
        false => (jobs > 1).then(|| (host::cores() / jobs).max(1)),
    };
    let memory = (jobs > 1).then(|| machine_bytes() / 4 / searches as u64 / jobs as u64);
    let share = |player: &Player| match &player.kind {
        PlayerKind::Strategy(settings) => {
            let mut settings = settings.clone();
            if let Some(threads) = threads {
                settings.search.limit_threads(threads);
            }
            if let Some(memory) = memory {
                settings.search.limit_memory(memory);
            }
            let kind = PlayerKind::Strategy(settings);
            Player { name: player.name.clone(), kind }
        }
        _ => player.clone(),
    };
    players.iter().map(share).collect()
}

/// Matches as they end.
struct RoundsProgress<'a> {
    series: &'a Series<'a>,
    stats: SeriesStats,
    /// For scripts only.
    records: Vec<MatchRecord>,
    bar: ProgressBar,
    is_json: bool,
    ended: Result<ExitStatus>,
    out: &'a mut dyn Write,
}

impl RoundsProgress<'_> {
    /// Adds a finished match. Its error is kept for the end and ends the others; an error of the
    /// output is returned.
    fn hear(&mut self, (round, played): (u64, Result<MatchOutcome>)) -> Result<()> {
        let stop = |_: &anyhow::Error| self.series.terms.interrupt.store(true, Relaxed);
        let outcome = match played {
            Ok(outcome) => outcome,
            Err(error) => {
                stop(&error);
                self.ended = Err(error);
                return Ok(());
            }
        };
        self.stats.count(&outcome, round);
        if !self.is_json {
            let line = line(&outcome, round);
            let out = &mut *self.out;
            let written = self.bar.suspend(|| writeln!(out, "{line}").and_then(|()| out.flush()));
            written.map_err(anyhow::Error::from).inspect_err(stop)?;
        }
        self.bar.inc(1);
        let status = status(&outcome, self.series.steps).inspect_err(stop);
        if self.ended.is_ok() && !matches!(status, Ok(ExitStatus::Good)) {
            self.ended = status;
        }
        if self.is_json {
            self.records.push(outcome.record);
        }
        Ok(())
    }

    /// Writes the results of all matches.
    fn finish(self, rounds: u64, jobs: usize) -> Result<ExitStatus> {
        self.bar.finish_and_clear();
        let summary = self.stats.summary(rounds, jobs);
        if self.is_json {
            output::json(self.out, &MatchRoundsDocument { summary, matches: self.records })?;
        } else {
            summary.write(self.out)?;
        }
        self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(names: &[&str]) -> Vec<Player> {
        names.iter().map(|name| name.parse().expect("a player")).collect()
    }

    #[test]
    fn everybody_gets_each_role() {
        let players = players(&["uct", "mast", "random"]);
        let names = |round| {
            let seated = seated(&players, round);
            seated.into_iter().map(|player| player.name).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["uct", "mast", "random"]);
        assert_eq!(names(1), ["random", "uct", "mast"]);
        assert_eq!(names(2), ["mast", "random", "uct"]);
        assert_eq!(names(3), names(0));
    }

    #[test]
    fn matches_at_once_share_threads_and_memory() {
        let settings = |player: &Player| match &player.kind {
            PlayerKind::Strategy(settings) => (settings.search.threads(), settings.search.memory()),
            _ => (None, None),
        };
        let given = players(&["uct", "uct:threads=7:memory=64", "random"]);
        let alone: Vec<_> = shared(&given, 1, false).iter().map(settings).collect();
        assert_eq!(alone, [(None, None), (Some(7), Some(64 << 20)), (None, None)]);
        let counted: Vec<_> = shared(&given, 1, true).iter().map(settings).collect();
        assert_eq!(counted[0], (Some(1), None));
        let both = shared(&given, 4, false);
        assert_eq!(settings(&both[1]), (Some(7), Some(64 << 20)));
        let (threads, memory) = settings(&both[0]);
        assert!(threads.is_some() && memory.is_some_and(|bytes| bytes <= machine_bytes() / 32));
        assert_eq!(both[0].name, "uct");
    }
}
