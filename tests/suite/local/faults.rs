//! Disk faults: a full disk, an unreadable data folder, or an invalid database file. The service and the
//! commands must print one line with the cause and the remedy.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::{Ended, TestDir, binary, in_time};

const SHOW: [&str; 3] = ["org", "show", "org_enterprise"];

/// Shell code that runs a program with a limit on file sizes, in units of 512 or 1,024 bytes depending on the
/// shell. Ignores SIGXFSZ, which would kill the process, so that writes beyond the limit fail like writes to
/// a full disk.
pub(super) const LIMITED: &str = "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"";

const REMEDY: &str = "; free space on its disk, check its permissions, choose another --data-dir, or start \
                      `marquee serve` with --reset, which deletes it";

fn serve_arguments() -> Vec<String> {
    let release = harness::sample_release().path().display().to_string();
    ["serve", "--port", "0", "--release", &release].map(str::to_owned).into()
}

/// Returns the arguments that start the service, and the arguments of an ordinary command.
fn both() -> [Vec<String>; 2] {
    [serve_arguments(), SHOW.map(str::to_owned).into()]
}

/// Returns a command that runs the program through a wrapper, with the given data folder.
fn run_by(wrapper: &[&str], arguments: &[String], data_dir: &Path) -> Command {
    let (first, rest) = wrapper.split_first().expect("a program");
    let mut command = Command::new(first);
    command.args(rest).arg(binary("marquee")).args(arguments);
    command.arg("--data-dir").arg(data_dir).env_clear().stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// Runs a command that must fail, and returns the only line on its standard error.
async fn refused(mut command: Command) -> String {
    let ended = Ended::from(in_time(command.output()).await.expect("the program runs"));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    ended.stderr
}

/// Checks that an error contains the file, SQLite's reason, and the remedy.
fn assert_reported(said: &str, file: &Path, reason: &str) {
    assert!(said.starts_with(&format!("marquee: cannot use {}: ", file.display())), "{said}");
    assert!(said.contains(reason) && said.trim_end().ends_with(REMEDY), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_database_file_is_reported_and_kept() {
    let data_dir = TestDir::new();
    std::fs::create_dir_all(data_dir.path()).expect("a folder");
    let file = data_dir.path().join("marquee.db");
    for text in ["hello".to_owned(), "a text that is longer than the head of a database\n".repeat(200)] {
        std::fs::write(&file, &text).expect("a file");
        for arguments in both() {
            let said = refused(run_by(&["env"], &arguments, data_dir.path())).await;
            assert_reported(&said, &file, "database");
            assert_eq!(std::fs::read_to_string(&file).expect("the file"), text);
        }
    }
    data_dir.serve(&["--reset"]).await.interrupt().await;
    data_dir.shown(&SHOW).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_data_folder_is_reported() {
    let data_dir = TestDir::new();
    std::fs::create_dir_all(data_dir.path()).expect("a folder");
    let (file, circle) = (data_dir.path().join("file"), data_dir.path().join("circle"));
    std::fs::write(&file, "a file").expect("a file");
    symlink(&circle, &circle).expect("a link to itself");
    for path in [file, circle] {
        for arguments in both() {
            let said = refused(run_by(&["env"], &arguments, &path)).await;
            assert!(said.starts_with("marquee: cannot "), "{said}");
            assert!(said.contains(&path.display().to_string()), "{said}");
            assert!(said.ends_with("; choose another --data-dir\n"), "{said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_data_folder_is_reported() {
    let data_dir = TestDir::new();
    data_dir.serve(&[]).await.interrupt().await;
    let owner = std::fs::metadata(data_dir.path()).expect("the folder").uid();
    // Root ignores file permissions unless these capabilities are dropped.
    let wrapper: &[&str] = match owner {
        0 => &["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"],
        _ => &["env"],
    };
    let permit = |mode| {
        std::fs::set_permissions(data_dir.path(), Permissions::from_mode(mode))
            .expect("the folder is writable");
    };
    permit(0o000);
    let mut said = Vec::new();
    for arguments in both() {
        said.push(refused(run_by(wrapper, &arguments, data_dir.path())).await);
    }
    permit(0o700);
    for said in said {
        assert!(said.starts_with("marquee: cannot "), "{said}");
        assert!(said.contains(&data_dir.path().display().to_string()), "{said}");
        assert!(said.ends_with("; run as the user who owns it, or choose another --data-dir\n"), "{said}");
    }
    data_dir.shown(&SHOW).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn full_disk_is_reported_at_startup() {
    let data_dir = TestDir::new();
    for arguments in both() {
        std::fs::create_dir_all(data_dir.path()).expect("a folder");
        let said = refused(run_by(&["sh", "-c", LIMITED, "0"], &arguments, data_dir.path())).await;
        assert_reported(&said, &data_dir.path().join("marquee.db"), "disk I/O error");
    }
}
