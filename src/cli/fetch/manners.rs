//! Manners towards servers: repetitions, waits, and the number of connections of a host. Nothing is sent here.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::cli::lock::lock;

use crate::model::Date;

/// Connections to one host at the same time.
pub const PER_HOST: usize = 2;

/// Documents in a row that a host does not answer, before the others of this host fail without a request.
const SILENT: u32 = 4;

/// Longest wait before a repetition that the server does not ask for.
const LONGEST: Duration = Duration::from_secs(30);

/// Whether a response with this status may be another one later.
pub fn is_transient(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504)
}

/// The wait before repetition `attempt` (from 0): twice as long each time, between half and all of that by `seed`, so that
/// many clients do not return in the same moment.
pub fn backoff(attempt: u32, base: Duration, seed: u64) -> Duration {
    let whole = base.saturating_mul(1 << attempt.min(16)).min(LONGEST);
    let share = mixed(seed ^ u64::from(attempt)) % 1_000;
    whole / 2 + whole.mul_f64(share as f64 / 2_000.0)
}

/// A number that looks random (SplitMix64).
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The wait for a number with too many digits.
const ENDLESS: Duration = Duration::from_secs(u32::MAX as u64);

/// A wait for people.
pub fn shown_wait(wait: Duration) -> String {
    if wait >= ENDLESS { "more than 100 years".to_owned() } else { format!("{} s", wait.as_secs()) }
}

/// The wait that a `Retry-After` header asks for, in seconds or until a date; `now` is in seconds since 1970.
pub fn retry_after(value: &str, now: i64) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(value.parse().map_or(ENDLESS, Duration::from_secs));
    }
    let (date, _) = Date::parse(value)?;
    let seconds = date.instant() / 1_000_000_000 - i128::from(now);
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

/// The hosts that are asked, and when each may be asked again.
#[derive(Default)]
pub struct HostGates {
    hosts: Mutex<HashMap<String, HostState>>,
    /// Documents in a row that failed because the server did not answer, with all their repetitions; by its origin.
    silent: Mutex<HashMap<String, u32>>,
    freed: Condvar,
}

#[derive(Default)]
struct HostState {
    open: usize,
    not_before: Option<Instant>,
    /// Documents in a row that the host answered with 429 or 503, with all their repetitions, or asked to wait for longer than
    /// `--max-wait`.
    busy: u32,
}

/// A connection that a host is asked by.
pub struct HostTurn<'g> {
    gates: &'g HostGates,
    host: String,
}

impl HostGates {
    /// Waits for a turn; nothing once `stop` is true.
    pub fn turn(&self, host: &str, stop: &dyn Fn() -> bool) -> Option<HostTurn<'_>> {
        const LOOK: Duration = Duration::from_millis(50);
        let mut hosts = lock(&self.hosts);
        loop {
            if stop() {
                return None;
            }
            let state = hosts.entry(host.to_owned()).or_default();
            let wait = state.not_before.map(|at| at.saturating_duration_since(Instant::now())).unwrap_or_default();
            if wait.is_zero() && state.open < PER_HOST {
                state.open += 1;
                return Some(HostTurn { gates: self, host: host.to_owned() });
            }
            let wait = if wait.is_zero() { LOOK } else { wait.min(LOOK) };
            hosts = self.freed.wait_timeout(hosts, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// How long the host is not to be asked, if it asked to wait.
    pub fn pause_of(&self, host: &str) -> Option<Duration> {
        let until = lock(&self.hosts).get(host).and_then(|state| state.not_before)?;
        Some(until.saturating_duration_since(Instant::now())).filter(|wait| !wait.is_zero())
    }

    /// The server of this origin did not answer a request for a document, nor its repetitions.
    pub fn was_silent(&self, origin: &str) {
        *lock(&self.silent).entry(origin.to_owned()).or_default() += 1;
    }

    /// The server of this origin answered, whatever it was.
    pub fn answered(&self, origin: &str) {
        lock(&self.silent).remove(origin);
    }

    /// The host answered 429 or 503 to a document, with all its repetitions, or asked to wait longer than this run does.
    pub fn was_busy(&self, host: &str) {
        lock(&self.hosts).entry(host.to_owned()).or_default().busy += 1;
    }

    /// The host answered, and did not ask to wait.
    pub fn served(&self, host: &str) {
        lock(&self.hosts).entry(host.to_owned()).or_default().busy = 0;
    }

    /// Why the host is not asked any more in this run, if it is not.
    pub fn given_up(&self, host: &str, origin: &str) -> Option<&'static str> {
        // another port of the host may be another server
        if lock(&self.silent).get(origin).is_some_and(|count| *count >= SILENT) {
            return Some("did not answer the requests before this one");
        }
        let is_busy = lock(&self.hosts).get(host).is_some_and(|state| state.busy >= SILENT);
        is_busy.then_some("was too busy for the requests before this one")
    }

    /// Sends no requests to the host for this time.
    pub fn pause(&self, host: &str, wait: Duration) {
        let until = Instant::now().checked_add(wait);
        let mut hosts = lock(&self.hosts);
        let state = hosts.entry(host.to_owned()).or_default();
        state.not_before = state.not_before.max(until);
    }

    /// The hosts that are asked at this moment, in the order of their names.
    pub fn in_flight(&self) -> Vec<String> {
        let hosts = lock(&self.hosts);
        let mut open: Vec<String> =
            hosts.iter().filter(|(_, state)| state.open > 0).map(|(host, _)| host.clone()).collect();
        open.sort_unstable();
        open
    }
}

impl Drop for HostTurn<'_> {
    fn drop(&mut self) {
        if let Some(state) = lock(&self.gates.hosts).get_mut(&self.host) {
            state.open = state.open.saturating_sub(1);
        }
        self.gates.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_differ() {
        let base = Duration::from_secs(1);
        for attempt in 0..4 {
            let whole = base * (1 << attempt);
            for seed in 0..50 {
                let wait = backoff(attempt, base, seed);
                assert!(wait >= whole / 2 && wait <= whole, "{attempt} {seed} {wait:?}");
                assert_eq!(wait, backoff(attempt, base, seed));
            }
            assert_ne!(backoff(attempt, base, 1), backoff(attempt, base, 2));
        }
        assert!(backoff(40, base, 7) <= LONGEST);
        assert_eq!(backoff(3, Duration::ZERO, 7), Duration::ZERO);
    }

    #[test]
    fn servers_ask_for_seconds_or_a_date() {
        let seconds = |text| retry_after(text, 1_700_000_000).map(|wait| wait.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds(" 0 "), Some(0));
        assert_eq!(seconds("Tue, 14 Nov 2023 22:14:20 GMT"), Some(60));
        assert_eq!(seconds("Tue, 14 Nov 2023 22:13:00 GMT"), Some(0));
        assert_eq!(seconds("99999999999999999999999"), Some(u64::from(u32::MAX)));
        assert_eq!(
            (shown_wait(ENDLESS), shown_wait(Duration::from_secs(9))),
            ("more than 100 years".into(), "9 s".into())
        );
        for odd in ["", "-5", "soon", "1.5"] {
            assert_eq!(seconds(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_host_gets_two_connections() {
        let gates = HostGates::default();
        let never = || false;
        let (one, _two) = (gates.turn("a", &never), gates.turn("a", &never));
        let looks = std::cell::Cell::new(0);
        let soon = || {
            looks.set(looks.get() + 1);
            looks.get() > 2
        };
        assert!(one.is_some() && gates.turn("a", &soon).is_none());
        assert!(gates.turn("b", &never).is_some());
        assert_eq!(gates.in_flight(), ["a"]);
        drop(one);
        assert!(gates.turn("a", &never).is_some());
        assert!(gates.pause_of("a").or(gates.pause_of("c")).is_none());
        gates.pause("a", Duration::from_secs(3_600));
        assert!(gates.pause_of("a").is_some_and(|wait| wait > Duration::from_secs(3_000)));
        assert!(gates.turn("a", &|| true).is_none());
    }

    #[test]
    fn some_answers_are_worth_another_try() {
        let worth: Vec<u16> = (100..600).filter(|status| is_transient(*status)).collect();
        assert_eq!(worth, [408, 425, 429, 500, 502, 503, 504]);
    }
}
