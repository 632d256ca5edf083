//! Answers that have to be waited for, as lichess's explorer streams them: a line at once, empty
//! lines while it goes on, and the answer as the last line.

use crate::reply::{NOT_FRESH, Refusal, as_lines};
use axum::body::{Body, Bytes, to_bytes};
use axum::http::StatusCode;
use axum::response::Response;
use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::sync::mpsc::{self, Sender};

/// How often an empty line shows that there is more to come.
const ALIVE: Duration = Duration::from_secs(8);
const MOST: usize = 16 << 20;

/// What is told `first`, then the answer when it can be given. If it can't, the stream breaks off.
pub fn lines(
    first: Vec<u8>,
    ready: impl Future<Output = ()> + Send + 'static,
    answer: impl Future<Output = Result<Response, Refusal>> + Send + 'static,
) -> Response {
    let (told, mut lines) = mpsc::channel(1);
    // It ends as soon as nobody listens.
    tokio::spawn(tell(told, first, ready, answer));
    let lines = futures_util::stream::poll_fn(move |context| lines.poll_recv(context));
    as_lines(Body::from_stream(lines), NOT_FRESH)
}

/// Tells it all; an error if nobody listens any more.
async fn tell(
    told: Sender<io::Result<Bytes>>,
    first: Vec<u8>,
    ready: impl Future<Output = ()>,
    answer: impl Future<Output = Result<Response, Refusal>>,
) -> Result<(), mpsc::error::SendError<io::Result<Bytes>>> {
    told.send(Ok(first.into())).await?;
    tokio::pin!(ready);
    while tokio::time::timeout(ALIVE, &mut ready).await.is_err() {
        told.send(Ok(Bytes::from_static(b"\n"))).await?;
    }
    let body = match answer.await {
        Ok(answer) if answer.status() == StatusCode::OK => {
            to_bytes(answer.into_body(), MOST).await.ok()
        }
        _ => None,
    };
    told.send(body.ok_or_else(|| io::Error::other("the answer can't be given"))).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::CONTENT_TYPE;
    use axum::response::IntoResponse;

    /// What is streamed, with this answer.
    async fn streamed(answer: Response) -> Result<Bytes, axum::Error> {
        let (ready, is_ready) = tokio::sync::oneshot::channel::<()>();
        let ready_then = async move { drop(is_ready.await) };
        let response = lines(b"first\n".to_vec(), ready_then, async { Ok(answer) });
        assert_eq!(response.headers()[CONTENT_TYPE], "application/x-ndjson");
        drop(ready);
        to_bytes(response.into_body(), 1 << 10).await
    }

    #[tokio::test]
    async fn the_answer_is_the_last_line_and_without_one_the_stream_breaks_off() {
        let all = streamed("last\n".into_response()).await;
        assert_eq!(all.ok().as_deref(), Some(b"first\nlast\n".as_slice()));
        assert!(streamed(StatusCode::INTERNAL_SERVER_ERROR.into_response()).await.is_err());
    }
}
