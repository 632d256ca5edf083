//! Who asks: the address at the other end of a connection, or the one that a proxy there speaks for.

use axum::http::HeaderMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// Who asks. Addresses of one IPv6 network of 64 bits, which one machine may have all of, are one
/// client where clients are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// A machine.
    Machine(IpAddr),
    /// A process of this machine that asks by a Unix socket and speaks for nobody else.
    Local,
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine(address) => address.fmt(f),
            Self::Local => f.write_str("local"),
        }
    }
}

impl Client {
    /// Who asks with these headers from this address (none: by a Unix socket). What a trusted proxy
    /// says in `X-Forwarded-For` is believed, from the last address on until one isn't trusted; by
    /// a Unix socket only processes that the system lets ask, so that they are trusted, too.
    pub fn of(peer: Option<IpAddr>, trusted: &[IpAddr], headers: &HeaderMap) -> Self {
        let is_trusted = |address: &IpAddr| trusted.iter().any(|known| known == address);
        let mut client = peer.map_or(Self::Local, Self::Machine);
        if peer.is_some_and(|peer| !is_trusted(&peer)) {
            return client;
        }
        let said = headers.get_all("x-forwarded-for").iter().rev();
        let said = said.flat_map(|line| line.to_str().unwrap_or("?").rsplit(','));
        for address in said.map(|word| word.trim().parse::<IpAddr>()) {
            let Ok(address) = address.map(|address| address.to_canonical()) else { break };
            client = Self::Machine(address);
            if !is_trusted(&address) {
                break;
            }
        }
        client
    }

    /// The same client for each address that one machine can have.
    pub fn counted(self) -> Self {
        match self {
            Self::Machine(IpAddr::V6(address)) => {
                let network = u128::from(address) & !u128::from(u64::MAX);
                Self::Machine(Ipv6Addr::from(network).into())
            }
            client => client,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_speak_for_others() {
        let (proxy, stranger) = ("10.0.0.1", "203.0.113.9");
        for (peer, said, expected) in [
            (Some(stranger), &["198.51.100.1"][..], stranger),
            (Some(proxy), &[], proxy),
            (Some(proxy), &["198.51.100.1"], "198.51.100.1"),
            // What a client itself made up stands before what proxies have seen.
            (Some(proxy), &["198.51.100.1, 203.0.113.9"], stranger),
            (Some(proxy), &["198.51.100.1", "203.0.113.9, 10.0.0.1"], stranger),
            (Some(proxy), &["203.0.113.9, nonsense"], proxy),
            (None, &["203.0.113.9"], stranger),
            (None, &[], "local"),
        ] {
            let mut headers = HeaderMap::new();
            for line in said {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            let peer = peer.map(|peer| peer.parse().unwrap());
            let client = Client::of(peer, &[proxy.parse().unwrap()], &headers);
            assert_eq!(client.to_string(), expected, "{peer:?} {said:?}");
        }
        let of = |text: &str| Client::Machine(text.parse().unwrap()).counted();
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
    }
}
