//! How much memory there is for this process.

/// What is assumed where the system does not say.
const ASSUMED: u64 = 4 << 30;

/// Where a container says what it may take: in control groups of version 2, and of version 1.
const LIMITS: [&str; 2] =
    ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];

/// The bytes of memory that the machine has, or that its container may use.
pub fn machine_bytes() -> u64 {
    let text = |path| std::fs::read_to_string(path).unwrap_or_default();
    bytes(&text("/proc/meminfo"), &LIMITS.map(text))
}

/// The least of what a machine has and what these limits allow.
fn bytes(machine: &str, limits: &[String]) -> u64 {
    let limits = limits.iter().filter_map(|text| limit(text));
    limits.fold(total(machine).unwrap_or(ASSUMED), u64::min)
}

/// The line `MemTotal:     1234 kB`.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The bytes of a limit; none where it is `max`.
fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_the_machine_is_read() {
        assert_eq!(total("MemTotal:   2048 kB\nMemFree:  1 kB\n"), Some(2048 * 1024));
        assert_eq!(total("MemFree:  1 kB\n"), None);
        assert!(machine_bytes() > 0);
    }

    #[test]
    fn a_container_may_take_less_than_the_machine_has() {
        let machine = "MemTotal:   2048 kB\n";
        for (limits, expected) in [
            (["", ""], 2048 * 1024),
            (["max\n", ""], 2048 * 1024),
            (["1000000\n", ""], 1_000_000),
            (["", "1000000\n"], 1_000_000),
            (["max\n", "9223372036854771712\n"], 2048 * 1024),
            (["no number", "-1"], 2048 * 1024),
        ] {
            assert_eq!(bytes(machine, &limits.map(str::to_string)), expected, "{limits:?}");
        }
        assert_eq!(bytes("", &[]), ASSUMED);
        assert_eq!(bytes("", &["99\n".to_string()]), 99);
    }
}
