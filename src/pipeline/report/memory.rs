//! How much memory the process has held, where the system says so.

/// The most memory the process has ever held, in bytes: on Linux, elsewhere unknown.
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    high_water(&status)
}

/// Not asked. In a run over many sheets the peak of the process says nothing about one of them.
pub fn no_peak() -> Option<u64> {
    None
}

/// The line `VmHWM:     1234 kB` of a status file.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim();
    kilobytes.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        let status = "Name:\tludens\nVmPeak:\t  9999 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 1000 kB\n";
        assert_eq!(high_water(status), Some(1234 * 1024));
        assert_eq!(high_water("Name:\tludens\n"), None);
        assert_eq!(high_water("VmHWM:\tmuch\n"), None);
        #[cfg(target_os = "linux")]
        assert!(peak_bytes().is_some_and(|bytes| bytes > 100_000));
    }
}
