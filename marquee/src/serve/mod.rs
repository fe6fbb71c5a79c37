//! `marquee serve`, which runs the whole service as one process on the loopback address.

mod gateway;
mod organizations;
mod portal;
mod provider;
mod test_routes;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::gateway::App;
use ::gateway::ClientAddress;
use ::gateway::{Config, SelfSignUp};
use ::portal::{BaseMap, MapOrigin, StyleUrl};
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use clap::Args;
use dataset::{MANIFEST, Part, ReleaseError};
use estimates::OwnMeasurement;
use runtime::{Clock, Random, log_panics};
use store::create_tables;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing::Level;
use tracing_subscriber::filter::Targets;

use crate::engine::{DataFolder, Engine, LOCAL_DATA, LocalCredentials};
use crate::failure::Failure;
use crate::host_guard::{self, AllowedHosts, HostName, PageOrigin};
use crate::logging;
use crate::output::{OutputError, print_line};
use crate::release::{FolderError, LOCAL_RELEASE, build_sample, open};
use crate::sweep::sweep_each_minute;
use crate::webhooks::deliver_changes;

pub use gateway::{Function, Gateway, PORTAL_PATHS, PREFIXES, Releases};
pub use provider::LocalIssuer;
pub use test_routes::TEST_PREFIX;

use test_routes::with_test_routes;

/// The maximum time to wait after a stop signal, first for calls in progress and then for the database.
const SHUTDOWN: Duration = Duration::from_secs(5);

/// The arguments of `marquee serve`.
#[derive(Args, Clone, Debug)]
pub struct ServeArgs {
    /// The port to listen on; 0 selects a free port.
    #[arg(long, default_value_t = 3000)]
    port: u16,
    /// The IPv4 address to listen on; in a container, use 0.0.0.0 and publish the port only on 127.0.0.1.
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST)]
    bind: Ipv4Addr,
    /// The folder for the database and the credentials.
    #[arg(long, value_name = "DIR", default_value = LOCAL_DATA)]
    data_dir: PathBuf,
    #[arg(long, value_name = "DIR", help = format!("The data release; by default, the \
        release in {LOCAL_RELEASE}; if it's missing, the sample release is built there"))]
    release: Option<PathBuf>,
    /// An additional host name or address to accept, such as a tunnel's; can be repeated.
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<HostName>,
    /// An origin whose pages can call the API, such as http://localhost:5173; can be repeated.
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<PageOrigin>,
    /// Serve the portal's files from this folder, such as functions/portal/web, and reload them on each
    /// page load.
    #[arg(long, value_name = "DIR")]
    portal: Option<PathBuf>,
    /// The page where users can ask for more credits; the portal links to it.
    #[arg(long, value_name = "URL")]
    support_url: Option<String>,
    /// The URL of a MapLibre style to use instead of the release's base map: https, or http on this machine.
    #[arg(long, value_name = "URL")]
    basemap_style_url: Option<StyleUrl>,
    /// An origin that the style loads from, in addition to its own; can be repeated.
    #[arg(long, value_name = "ORIGIN", requires = "basemap_style_url")]
    basemap_origin: Vec<MapOrigin>,
    /// Turn off self-service sign-up.
    #[arg(long)]
    no_self_sign_up: bool,
    /// The maximum number of sign-ups per day. Lower limits apply to each network and each email domain.
    #[arg(long, value_name = "COUNT", default_value_t = SelfSignUp::DEFAULT_PER_DAY)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    sign_ups_per_day: u32,
    /// The lifetime of sign-in tokens, in seconds.
    #[arg(long, value_name = "COUNT", default_value_t = provider::TOKEN_SECONDS)]
    #[arg(value_parser = clap::value_parser!(u32).range(60..))]
    token_ttl: u32,
    /// Delete the database and the credentials before starting.
    #[arg(long)]
    reset: bool,
}

/// The reason that the local process can't start.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error("port {port} is in use; stop the program that uses it, or choose another port with --port")]
    PortTaken { port: u16 },
    #[error("cannot listen on {address}: {source}")]
    Address { address: SocketAddrV4, source: io::Error },
    #[error(
        "the release in {folder} cannot be used: {source}; to build the sample release, run `marquee release \
         build`"
    )]
    Release { folder: PathBuf, source: ReleaseError },
    #[error("cannot listen for stop signals: {0}")]
    StopSignals(#[source] io::Error),
}

/// Serves all functions until it receives a stop signal.
pub async fn serve(args: ServeArgs) -> Result<(), Failure> {
    logging::init(Targets::new().with_default(Level::INFO), io::stdout);
    log_panics();
    // Don't build a release that the user specified but that doesn't exist, because its path may be mistyped.
    args.release.as_deref().map(open).transpose().map_err(with_remedy)?;
    let (listener, port) = listen(SocketAddrV4::new(args.bind, args.port)).await?;
    // Even in a container, this is the origin, because the port is published on the host's loopback address.
    let origin = format!("http://{}:{port}", Ipv4Addr::LOCALHOST);
    let folder = DataFolder::new(args.data_dir);
    if args.reset {
        folder.clear()?;
    }
    let clock = Clock::shifted();
    let engine = Engine::open(&folder, clock.clone()).await?;
    let releases = open_release(args.release.as_deref().unwrap_or(Path::new(LOCAL_RELEASE)))?;
    let issuer = LocalIssuer::at(&origin);
    let self_sign_up = (!args.no_self_sign_up).then_some(SelfSignUp { per_day: args.sign_ups_per_day });
    let app = local_app(&origin, &engine, &issuer, self_sign_up, &args.allow_origin, clock);
    create_tables(&app.dynamo).await?;
    let records = engine.records();
    let credentials = organizations::prepare(&app, &issuer, &folder, &origin, &engine).await?;
    let base_map =
        args.basemap_style_url.map(|style_url| BaseMap { style_url, origins: args.basemap_origin });
    let settings =
        portal::settings(&origin, issuer.issuer(), !args.no_self_sign_up, args.support_url, base_map);
    let portal = portal::router(&origin, args.portal, settings)?;
    // Register the handlers before printing the greeting, because a script that waits for the greeting may
    // stop the process immediately.
    let stop_signal = stop_signals().map_err(ServeError::StopSignals)?;
    greet(&credentials, &folder.credentials_file(), &origin)?;
    let router = Gateway::new(&app, &releases)
        .with(Function::Portal, portal)
        .with(Function::Mcp, mcp::router(mcp_settings(&app, &origin)))
        .into_router();
    let router = with_test_routes(router, &app, &releases.estimates)
        .merge(provider::router(issuer, &app, args.token_ttl))
        .layer(from_fn(set_client_address))
        .layer(from_fn_with_state(AllowedHosts::with(args.allow_host, args.allow_origin), host_guard::admit));
    let delivering = tokio::spawn(deliver_changes(app.clone(), records));
    let sweeps = tokio::spawn(sweep_each_minute(app, releases.estimates));
    serve_until_stopped(listener, router, stop_signal).await;
    sweeps.abort();
    delivering.abort();
    let _ = tokio::time::timeout(SHUTDOWN, engine.stop()).await;
    Ok(())
}

/// Opens the port. Returns the listener and the port number.
async fn listen(address: SocketAddrV4) -> Result<(TcpListener, u16), ServeError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => ServeError::PortTaken { port: address.port() },
        _ => ServeError::Address { address, source },
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    Ok((listener, port))
}

/// Verifies and opens the release at `path`. If the default release doesn't exist, builds the sample release
/// first.
fn open_release(path: &Path) -> Result<Releases, Failure> {
    if path == Path::new(LOCAL_RELEASE) && !path.join(MANIFEST).exists() {
        print_line(format_args!("no data release in {}; building the sample release", path.display()))?;
        build_sample()?;
    }
    let folder = open(path).map_err(with_remedy)?;
    let opened = folder.verify(&Part::ALL).and_then(|()| Releases::open(&folder));
    opened.map_err(FolderError::unusable(path)).map_err(with_remedy)
}

/// Adds advice to build the sample release to the error for an unusable release. Other commands don't give
/// this advice, because the release may contain the administrator's own data.
fn with_remedy(error: FolderError) -> Failure {
    match error {
        FolderError::Unusable { folder, source } => ServeError::Release { folder, source }.into(),
        error @ (FolderError::Missing(_) | FolderError::NoSourceData(_)) => error.into(),
    }
}

/// Creates the functions' shared state, with the embedded engine and the local issuer.
fn local_app(
    origin: &str,
    engine: &Engine,
    issuer: &LocalIssuer,
    self_sign_up: Option<SelfSignUp>,
    page_origins: &[PageOrigin],
    clock: Clock,
) -> App {
    let mut config = Config::new(engine.connection());
    config.issuer = Some(issuer.issuer().clone());
    config.public_url = Some(origin.to_owned());
    config.portal_origins = page_origins.iter().map(|page| page.as_str().to_owned()).collect();
    config.self_sign_up = self_sign_up;
    config.measurement_credits = Some(OwnMeasurement::DEFAULT_CREDITS);
    config.allows_local_webhooks = true;
    App::new(config, clock, Random::System)
}

/// Returns the MCP server's settings. The server forwards calls to this process.
fn mcp_settings(app: &App, origin: &str) -> mcp::Settings {
    let gateways = mcp::Gateways { api: origin.to_owned(), search: origin.to_owned() };
    mcp::Settings { gateways: Some(gateways), ..mcp::Settings::of(&app.config) }
}

/// Prints the service's addresses and an example call. The portal's address must come last, because scripts
/// wait for it.
fn greet(credentials: &LocalCredentials, file: &Path, origin: &str) -> Result<(), OutputError> {
    let LocalCredentials { base_url, sandbox_key, .. } = credentials;
    let file = file.display();
    print_line(format_args!(
        "Marquee is running at {base_url}; press Ctrl-C to stop it\n\
         keys: {file}\n\
         example: curl -s -H 'X-API-Key: {sandbox_key}' {base_url}/scenarios/campaigns/summary\n\
         portal: {origin}{}/\n",
        ::portal::PATH
    ))
}

/// Registers handlers for SIGINT (Ctrl-C) and SIGTERM, and returns a future that waits for either signal.
/// From then on, these signals don't end the process, and signals that arrive before the future is polled
/// aren't lost.
fn stop_signals() -> io::Result<impl Future<Output = ()>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
        }
    })
}

async fn serve_until_stopped(listener: TcpListener, router: Router, stop_signal: impl Future<Output = ()>) {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let serving = tokio::spawn(axum::serve(listener, service).with_graceful_shutdown(stopped).into_future());
    stop_signal.await;
    // Ignore errors, because standard output may be closed.
    let _ = print_line("stopping");
    let _ = stop.send(());
    let _ = tokio::time::timeout(SHUTDOWN, serving).await;
}

/// Attaches the client's IP address to the request, as API Gateway does.
async fn set_client_address(
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    request.extensions_mut().insert(ClientAddress(peer.ip()));
    next.run(request).await
}
