//! A child process with all that it starts: what systems have for it, each in its own way.

use std::process::{Child, Command};

/// Prepares a command so that what it starts is one group, which Ctrl-C at the terminal doesn't
/// reach.
pub fn prepare(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    return std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    return std::os::windows::process::CommandExt::creation_flags(command, NEW_PROCESS_GROUP);
}

/// The system's `CREATE_NEW_PROCESS_GROUP`.
#[cfg(windows)]
const NEW_PROCESS_GROUP: u32 = 0x200;

/// Kills what is left of the child and of its group. On Windows, whose groups only share Ctrl-C,
/// just the child.
pub fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    #[cfg(windows)]
    let _ = child.kill();
}

/// Whether the child has ended, or nothing is known of it. It isn't waited for: until it is, no
/// other process can have its id.
pub fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let found = waitid(WaitId::Pid(Pid::from_child(child)), options);
        !matches!(found, Ok(None) | Err(rustix::io::Errno::INTR))
    }
    // An open handle keeps the id there.
    #[cfg(windows)]
    return !matches!(child.try_wait(), Ok(None));
}
