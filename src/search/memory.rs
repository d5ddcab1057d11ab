//! How much memory the machine has.

/// What is assumed where the system does not say.
const ASSUMED: u64 = 4 << 30;

/// The bytes of memory that the machine has.
pub fn machine_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    total(&text).unwrap_or(ASSUMED)
}

/// The line `MemTotal:     1234 kB`.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
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
}
