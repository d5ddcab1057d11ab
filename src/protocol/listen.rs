//! An address, its connections, and when the process ends: what all servers share.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::select;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::time::sleep;
use warp::reject::Rejection;
use warp::{Filter, Reply};

use super::connections::{Connection, ConnectionLimiter};

/// The time until connections are accepted again where the system has no room for one more.
const PAUSE: Duration = Duration::from_millis(50);

/// Takes an address.
pub(crate) fn bind_to(runtime: &Runtime, host: &str, port: u16) -> io::Result<TcpListener> {
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    runtime.block_on(TcpListener::bind(addresses.as_slice()))
}

/// Answers the requests of all connections by these routes, within the limits. Each request has its
/// [`Connection`] among its extensions.
pub(crate) async fn accept<R>(
    listener: TcpListener,
    limiter: Arc<ConnectionLimiter>,
    routes: impl Filter<Extract = (R,), Error = Rejection> + Clone + Send + Sync + 'static,
) where
    R: Reply + Send + 'static,
{
    let service = TowerToHyperService::new(warp::service(routes));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let line = Arc::new(Connection::default());
        let (service, own) = (service.clone(), line.clone());
        let service = service_fn(move |mut request| {
            request.extensions_mut().insert(own.clone());
            service.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limiter.limits.silence)
            .serve_connection(TokioIo::new(stream), service);
        // There is no client left to tell about a broken connection.
        let task = tokio::spawn(async { drop(connection.await) });
        limiter.admit(line, task.abort_handle());
    }
}

/// Done when the process is asked to end.
#[cfg(unix)]
pub(crate) fn end_of_process() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        select(pin!(interrupt.recv()), pin!(terminate.recv())).await;
    })
}

/// Done when Ctrl-C is pressed: without Unix signals nothing else asks a process to end.
#[cfg(not(unix))]
pub(crate) fn end_of_process() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
