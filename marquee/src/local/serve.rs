use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use dataset::{Folder, MANIFEST, Part};
use shared::App;
use shared::dynamo::create_tables;
use shared::http::ClientAddress;
use shared::runtime::Config;
use shared::runtime::Connection;
use shared::runtime::{Clock, Random};
use shared::types::{ApiKey, OrgId, PrepaidKind, Scopes, Tier};
use tokio::net::TcpListener;

use super::interrupts::Interrupts;
use super::{Engine, LocalCredentials, LocalIssuer, TABLE_PREFIX, map};
use crate::commands::release::build_sample;
use crate::commands::{NewOrg, Operator};
use crate::gateway::{Gateway, Releases};

/// How long calls that are under way may take to finish after Ctrl-C.
const SHUTDOWN: Duration = Duration::from_secs(5);

/// The credits of the local enterprise organizations.
const ENTERPRISE_CREDITS: u64 = 1_000_000;

/// The organization of the enterprise key, of the bearer token, and of the map's grants.
const ENTERPRISE: &str = "org_enterprise";

/// The label of the keys that a start mints.
const LABEL: &str = "make run";

/// How the local process is started.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The port; 0 for any free one.
    pub port: u16,
    /// The data folder.
    pub data_dir: PathBuf,
    /// The data release.
    pub release: PathBuf,
    /// Whether to start from nothing.
    pub fresh: bool,
}

/// Serves everything on the loopback address until Ctrl-C.
///
/// # Errors
///
/// When the port is taken, another process has the data folder, or the database does not start: what to do.
pub async fn serve(options: ServeOptions) -> Result<(), String> {
    let ServeOptions { port, data_dir, release, fresh } = options;
    let listener = listen(port).await?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    if fresh {
        forget(&data_dir)?;
    }
    let engine = Engine::open(&data_dir).await?;
    let releases = open_release(&release)?;
    let origin = format!("http://{address}");
    let issuer = LocalIssuer::at(&origin)?;
    let mut config = Config::new(Connection::new(TABLE_PREFIX, Some(engine.endpoint().to_owned())));
    config.issuer = Some(issuer.issuer().clone());
    config.docs_url = format!("{origin}/v2/openapi.yaml");
    config.public_url = Some(origin.clone());
    let app = App::new(config, Clock::System, Random::System);
    create_tables(&app.dynamo).await.map_err(|error| error.to_string())?;
    let credentials = prepare(&app, &issuer, &data_dir, &origin, engine.endpoint()).await?;
    let link = map::link(&app, &local_org_id(ENTERPRISE), &origin).await?;
    // From here on: whoever has read the greeting may stop the process at once.
    let interrupts = Interrupts::heed().map_err(|error| format!("cannot wait for Ctrl-C: {error}"))?;
    greet(&credentials, &data_dir, &link);
    let router = Gateway::new(&app, &releases).into_router().merge(issuer.router()).merge(map::router(&origin));
    let router = router.layer(from_fn(note_address));
    until_interrupted(listener, router, interrupts).await;
    let _ = tokio::time::timeout(SHUTDOWN, engine.stop()).await;
    Ok(())
}

/// Opens the release, once its sums agree; the sample one is built where there is none.
fn open_release(path: &Path) -> Result<Releases, String> {
    if !path.join(MANIFEST).exists() {
        println!("there is no data release in {} yet; building the sample one", path.display());
        build_sample(Path::new("data"), path)?;
    }
    let opened = Folder::open(path).and_then(|folder| {
        folder.verify(&Part::ALL)?;
        Releases::open(&folder)
    });
    opened.map_err(|error| {
        let path = path.display();
        format!(
            "the data release in {path} cannot be used: {error}; to have the sample one in its place: \
             `marquee release build --out {path}`"
        )
    })
}

async fn listen(port: u16) -> Result<TcpListener, String> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!("port {port} is taken; stop the program that has it, or choose another with --port")
        }
        _ => format!("cannot listen on port {port}: {error}"),
    })
}

async fn until_interrupted(listener: TcpListener, router: Router, interrupts: Interrupts) {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    let serving = tokio::spawn(axum::serve(listener, service).with_graceful_shutdown(stopped).into_future());
    interrupts.first().await;
    println!("stopping");
    let _ = stop.send(());
    let _ = tokio::time::timeout(SHUTDOWN, serving).await;
}

/// Forgets what the folder holds: the files that the engine and this process write, and no others.
fn forget(data_dir: &Path) -> Result<(), String> {
    if Engine::is_running(data_dir)? {
        return Err(format!("another marquee has {}; stop it before you start afresh", data_dir.display()));
    }
    for file in ["marquee.db", "marquee.db-wal", "marquee.db-shm", "credentials.json"] {
        match std::fs::remove_file(data_dir.join(file)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(format!("cannot remove {file} in {}: {error}", data_dir.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Makes the four local organizations on the first start, and writes the credentials anew at each.
async fn prepare(
    app: &App,
    issuer: &LocalIssuer,
    data_dir: &Path,
    origin: &str,
    endpoint: &str,
) -> Result<LocalCredentials, String> {
    let operator = Operator::new(app.clone());
    let known = LocalCredentials::read(data_dir);
    let enterprise = local_org(ENTERPRISE, Tier::Enterprise);
    let credentials = LocalCredentials {
        base_url: format!("{origin}/v2"),
        search_url: origin.to_owned(),
        sandbox_key: key_of(&operator, local_org("org_sandbox", Tier::Sandbox), known.as_ref().map(|k| &k.sandbox_key))
            .await?,
        payg_key: key_of(&operator, local_org("org_payg", Tier::PayAsYouGo), known.as_ref().map(|k| &k.payg_key))
            .await?,
        enterprise_key: key_of(&operator, enterprise.clone(), known.as_ref().map(|k| &k.enterprise_key)).await?,
        other_org_key: key_of(
            &operator,
            local_org("org_other", Tier::Enterprise),
            known.as_ref().map(|k| &k.other_org_key),
        )
        .await?,
        bearer_token: issuer.mint(app.clock.now())?,
        dynamodb_endpoint: endpoint.to_owned(),
    };
    operator.map_subject(&enterprise.id, &issuer.issuer().issuer, issuer.subject()).await?;
    credentials.write(data_dir)?;
    Ok(credentials)
}

fn local_org(id: &str, tier: Tier) -> NewOrg {
    NewOrg { id: local_org_id(id), tier, monthly_cap: None }
}

fn local_org_id(id: &str) -> OrgId {
    id.parse().expect("the local ids are valid")
}

/// Returns the key that the folder remembers for an organization, or a new one in the place of the last start's.
async fn key_of(operator: &Operator, org: NewOrg, known: Option<&String>) -> Result<String, String> {
    let (id, tier) = (org.id.clone(), org.tier);
    if operator.create_org(org).await? && tier == Tier::Enterprise {
        operator.grant(&id, PrepaidKind::Purchased, ENTERPRISE_CREDITS, None).await?;
    }
    if let Some(key) = known.and_then(|key| key.parse::<ApiKey>().ok())
        && operator.is_live(&key).await?
    {
        return Ok(key.reveal().to_owned());
    }
    for key in operator.keys(&id).await?.into_iter().filter(|key| key.label == LABEL && key.revoked_at.is_none()) {
        operator.revoke_key(&id, &key.id).await?;
    }
    let (key, _) = operator.mint_key(&id, LABEL, Scopes::all()).await?;
    Ok(key.reveal().to_owned())
}

fn greet(credentials: &LocalCredentials, data_dir: &Path, link: &str) {
    let LocalCredentials { base_url, sandbox_key, .. } = credentials;
    let file = LocalCredentials::path(data_dir);
    println!("Marquee serves {base_url}; all keys are in {}. Stop it with Ctrl-C. Try:", file.display());
    println!();
    println!("  curl -s -H 'X-API-Key: {sandbox_key}' {base_url}/scenarios/campaigns/summary");
    println!();
    println!("map: {link}");
    println!();
}

async fn note_address(ConnectInfo(peer): ConnectInfo<SocketAddr>, mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(ClientAddress(peer.ip()));
    next.run(request).await
}
