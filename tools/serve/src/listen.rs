//! Where requests come from: TCP ports and Unix sockets, opened here or by who started the process.

use listenfd::ListenFd;
use socket2::{Domain, SockRef, Socket, Type};
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use tokio::io::{AsyncRead, AsyncWrite};

/// How many connections the system holds before they are accepted.
const BACKLOG: i32 = 1024;
/// Bytes of answers that the system holds for a client which doesn't read them.
const SEND_BUFFER: usize = 128 << 10;

/// An address to listen on, as people write it: `127.0.0.1:9002`, `localhost:9002` or `unix:PATH`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bind {
    /// A name or an address with a port; port 0 is any that is free.
    Tcp(String),
    /// A socket in the file system.
    Unix(PathBuf),
}

impl FromStr for Bind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Self::Unix(path.into()));
        }
        match text.rsplit_once(':') {
            Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                Ok(Self::Tcp(text.to_owned()))
            }
            _ => Err("give ADDRESS:PORT, NAME:PORT or unix:PATH".to_owned()),
        }
    }
}

impl fmt::Display for Bind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(text) => f.write_str(text),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl Bind {
    /// Listens there: on each address that a name has here, and on one at least.
    ///
    /// # Errors
    /// The system's: the address can't be had.
    pub fn listen(&self) -> io::Result<Vec<Listener>> {
        match self {
            Self::Tcp(text) => tcp(text.to_socket_addrs()?),
            Self::Unix(path) => Ok(vec![unix(path)?]),
        }
    }
}

/// Listens on addresses of one name; with port 0 all have the port that the first one got.
fn tcp(addresses: impl Iterator<Item = SocketAddr>) -> io::Result<Vec<Listener>> {
    let (mut listeners, mut failed, mut port) = (Vec::new(), None, None);
    for mut address in addresses {
        address.set_port(port.unwrap_or(address.port()));
        let opened = Socket::new(Domain::for_address(address), Type::STREAM, None);
        let opened = opened.and_then(|socket| {
            socket.set_reuse_address(true)?;
            socket.bind(&address.into())?;
            socket.listen(BACKLOG)?;
            Ok(TcpListener::from(socket))
        });
        match opened {
            Ok(listener) => {
                port = Some(listener.local_addr()?.port());
                listeners.push(Listener::Tcp(listener));
            }
            // A machine without IPv6 has its name all the same.
            Err(error) => failed = Some(error),
        }
    }
    match failed {
        Some(error) if listeners.is_empty() || error.kind() == ErrorKind::AddrInUse => Err(error),
        _ => Ok(listeners),
    }
}

/// Listens on a socket in the file system. One that nobody listens on any more makes room.
fn unix(path: &Path) -> io::Result<Listener> {
    let is_socket = path.symlink_metadata().is_ok_and(|found| found.file_type().is_socket());
    let refuses = |error: io::Error| error.kind() == ErrorKind::ConnectionRefused;
    if is_socket && UnixStream::connect(path).is_err_and(refuses) {
        std::fs::remove_file(path)?;
    }
    Ok(Listener::Unix(UnixListener::bind(path)?, Some(path.to_owned())))
}

/// A socket that is listened on.
#[derive(Debug)]
pub enum Listener {
    /// A TCP port.
    Tcp(TcpListener),
    /// A Unix socket; with a path if the file is removed at the end.
    Unix(UnixListener, Option<PathBuf>),
}

impl Listener {
    /// The sockets that the process was started with, as systemd hands them over (`LISTEN_FDS`);
    /// none if it was started without.
    ///
    /// # Errors
    /// If one is neither a TCP nor a Unix socket.
    pub fn inherited() -> io::Result<Vec<Self>> {
        let mut given = ListenFd::from_env();
        let mut listeners = Vec::new();
        for at in 0..given.len() {
            if let Ok(Some(listener)) = given.take_unix_listener(at) {
                listeners.push(Self::Unix(listener, None));
            } else if let Some(listener) = given.take_tcp_listener(at)? {
                listeners.push(Self::Tcp(listener));
            }
        }
        Ok(listeners)
    }

    /// The IP address; none of a Unix socket.
    pub fn ip(&self) -> Option<IpAddr> {
        match self {
            Self::Tcp(listener) => listener.local_addr().ok().map(|address| address.ip()),
            Self::Unix(..) => None,
        }
    }

    /// What is to be asked: `http://127.0.0.1:9002/` or `unix:PATH`.
    pub fn address(&self) -> String {
        let named = match self {
            Self::Tcp(listener) => {
                listener.local_addr().ok().map(|address| format!("http://{address}/"))
            }
            Self::Unix(listener, _) => listener.local_addr().ok().and_then(|address| {
                address.as_pathname().map(|path| format!("unix:{}", path.display()))
            }),
        };
        named.unwrap_or_else(|| "a socket without a name".to_owned())
    }

    /// Accepts connections from now on; on the runtime that this is called on.
    pub(crate) fn start(self) -> io::Result<Accepting> {
        Ok(match self {
            Self::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                // Who is accepted has it, too.
                SockRef::from(&listener).set_send_buffer_size(SEND_BUFFER)?;
                Accepting::Tcp(tokio::net::TcpListener::from_std(listener)?)
            }
            Self::Unix(listener, path) => {
                listener.set_nonblocking(true)?;
                let listener = tokio::net::UnixListener::from_std(listener)?;
                Accepting::Unix { listener, _file: Remove(path) }
            }
        })
    }
}

/// A socket that connections are taken from.
pub enum Accepting {
    Tcp(tokio::net::TcpListener),
    Unix { listener: tokio::net::UnixListener, _file: Remove },
}

/// Removes a socket's file at the end.
pub struct Remove(Option<PathBuf>);

impl Drop for Remove {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Whoever starts next removes what stays.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A connection's bytes.
pub trait Bytes: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Bytes for T {}

impl Accepting {
    /// The next connection, and who is at its other end; nobody with an address where it is a
    /// process of this machine by a Unix socket.
    pub async fn accept(&self) -> io::Result<(Box<dyn Bytes>, Option<IpAddr>)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, from) = listener.accept().await?;
                // Answers are small, and each is written at once.
                let _ = stream.set_nodelay(true);
                Ok((Box::new(stream), Some(from.ip().to_canonical())))
            }
            Self::Unix { listener, .. } => {
                let (stream, _) = listener.accept().await?;
                Ok((Box::new(stream), None))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, expected) in [
            ("127.0.0.1:9002", Some(Bind::Tcp("127.0.0.1:9002".to_owned()))),
            ("localhost:0", Some(Bind::Tcp("localhost:0".to_owned()))),
            ("[::1]:80", Some(Bind::Tcp("[::1]:80".to_owned()))),
            ("unix:/run/x", Some(Bind::Unix("/run/x".into()))),
            ("unix:", None),
            ("localhost", None),
            (":80", None),
            ("localhost:65536", None),
        ] {
            let read: Option<Bind> = text.parse().ok();
            assert_eq!(read, expected, "{text}");
            assert!(read.is_none_or(|read| read.to_string() == text));
        }
    }

    #[test]
    fn a_socket_that_nobody_listens_on_makes_room_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        drop(UnixListener::bind(&path).unwrap());
        let bind = Bind::Unix(path.clone());
        let first = bind.listen().unwrap();
        assert_eq!(bind.listen().unwrap_err().kind(), ErrorKind::AddrInUse);
        drop(first);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, "a file").unwrap();
        assert!(bind.listen().is_err() && std::fs::read(&path).unwrap() == b"a file");
    }
}
