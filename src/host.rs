//! The machine that figures were measured on: without it they mean little.

use std::fs;
use std::num::NonZeroUsize;
use std::thread;

use serde::{Deserialize, Serialize};

/// A machine, as it is described in records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The model of the processor, if the system reports it.
    pub cpu: Option<String>,
    /// The processors that this program may use.
    pub cores: usize,
    /// The operating system, with its version if the system reports it.
    pub os: String,
    /// The architecture that the program was built for.
    pub arch: String,
}

impl Host {
    /// The machine that this program runs on.
    pub fn this() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Host {
            cpu: cpu_model(&read("/proc/cpuinfo")),
            cores: cores(),
            os: os_name(&read("/etc/os-release"), &read("/proc/sys/kernel/osrelease")),
            arch: std::env::consts::ARCH.to_string(),
        }
    }
}

/// The number of processors that this program may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The line `model name : ...` of /proc/cpuinfo.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    let (_, model) = line.split_once(':')?;
    Some(model.trim().to_string()).filter(|model| !model.is_empty())
}

/// `linux 6.1.0, Debian GNU/Linux 12`, as far as it is known.
fn os_name(os_release: &str, kernel: &str) -> String {
    let mut name = [std::env::consts::OS, kernel.trim()].join(" ").trim().to_string();
    let pretty = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    if let Some(pretty) = pretty.map(|pretty| pretty.trim_matches('"')) {
        name.push_str(&format!(", {pretty}"));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_asked() {
        let cpuinfo = "processor\t: 0\nmodel name\t: AMD EPYC 9R14\nmodel name\t: other\n";
        assert_eq!(cpu_model(cpuinfo).as_deref(), Some("AMD EPYC 9R14"));
        assert_eq!(cpu_model("model name\t:\n"), None);
        assert_eq!(cpu_model(""), None);
        let os = os_name("NAME=x\nPRETTY_NAME=\"Debian 12\"\n", "6.1.0\n");
        assert_eq!(os, format!("{} 6.1.0, Debian 12", std::env::consts::OS));
        assert_eq!(os_name("", ""), std::env::consts::OS);
        assert!(Host::this().cores > 0);
    }
}
