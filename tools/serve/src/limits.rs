//! What one client may have of what costs most: walks through whole books, and books of players.

use crate::client::Client;
use crate::reply::Refusal;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most costly requests of one client, and of all, that are worked on or wait.
const MOST_OF_ONE: usize = 4;
const MOST: usize = 64;
/// How long one waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);

/// Costly requests: some are worked on, some wait for their turn.
#[derive(Clone, Debug)]
pub struct Costly {
    turns: Arc<Semaphore>,
    clients: Arc<Mutex<HashMap<Client, usize>>>,
}

impl Default for Costly {
    /// Those that are worked on leave half of the processors to all others.
    fn default() -> Self {
        Self { turns: half_of_processors(), clients: Arc::default() }
    }
}

impl Costly {
    /// A place among them, until it is dropped.
    pub fn enter(&self, client: Client) -> Result<Place, Refusal> {
        let client = client.counted();
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.get(&client).is_some_and(|&count| count >= MOST_OF_ONE) {
            let why = format!("no more than {MOST_OF_ONE} such requests of one client at once");
            return Err(Refusal::TooMany(why));
        }
        if clients.values().sum::<usize>() >= MOST {
            return Err(Refusal::Busy("too many such requests at once".to_owned()));
        }
        *clients.entry(client).or_default() += 1;
        Ok(Place { client, of: self.clone() })
    }
}

/// A place among costly requests.
#[derive(Debug)]
pub struct Place {
    client: Client,
    of: Costly,
}

impl Place {
    /// Waits for the turn to be worked on.
    pub async fn turn(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        turn(&self.of.turns, "too many such requests at once").await
    }
}

/// As many turns as half of the processors.
pub fn half_of_processors() -> Arc<Semaphore> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Arc::new(Semaphore::new((processors / 2).max(1)))
}

/// Waits for a turn; refused as busy, in these words, if it doesn't come.
pub async fn turn(turns: &Arc<Semaphore>, busy: &str) -> Result<OwnedSemaphorePermit, Refusal> {
    let turn = tokio::time::timeout(PATIENCE, Arc::clone(turns).acquire_owned()).await;
    turn.ok().and_then(Result::ok).ok_or_else(|| Refusal::Busy(busy.to_owned()))
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut clients = self.of.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = clients.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                clients.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_has_some_places_and_all_have_more() {
        let costly = Costly::default();
        let client = |last| Client::Machine(std::net::IpAddr::from([192, 0, 2, last]));
        let mut places: Vec<_> = (0..4).map(|_| costly.enter(client(0)).unwrap()).collect();
        assert!(matches!(costly.enter(client(0)), Err(Refusal::TooMany(_))));
        places.pop();
        places.push(costly.enter(client(0)).unwrap());
        for last in 1..16 {
            places.extend((0..4).map(|_| costly.enter(client(last)).unwrap()));
        }
        assert!(matches!(costly.enter(client(16)), Err(Refusal::Busy(_))));
        drop(places);
        assert!(costly.clients.lock().unwrap().is_empty());
    }
}
