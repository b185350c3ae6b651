//! A headless Chromium with a profile of its own, driven through chromedriver; both end with it.

use std::{
    net::TcpListener,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use testkit::Env;
use thirtyfour::{
    By, ChromiumLikeCapabilities, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver,
};
use tokio::runtime::Runtime;

/// How long anything may take to be seen.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

const FLAGS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--hide-scrollbars",
];

/// A browser.
pub(super) struct Browser {
    runtime: Runtime,
    driver: Option<WebDriver>,
    chromedriver: Child,
}

impl Browser {
    /// Starts one with these flags beside the usual ones.
    #[expect(clippy::disallowed_methods, reason = "a test ends what it starts: see `Drop`")]
    #[track_caller]
    pub(super) fn start(env: &Env, flags: &[&str]) -> Self {
        // It fails where another test has done it; the driver's client asks for one, and uses none.
        drop(rustls::crypto::ring::default_provider().install_default());
        let port = free_port();
        let chromedriver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .env("HOME", env.home())
            .env("TMPDIR", env.root().join("tmp"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("chromedriver is installed");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let mut browser =
            Self { runtime: runtime.expect("a runtime can be made"), driver: None, chromedriver };
        let number = (0..).find(|n| !env.root().join(format!("profile-{n}")).exists());
        let profile = env.root().join(format!("profile-{}", number.unwrap_or(0)));
        let mut wishes = DesiredCapabilities::chrome();
        let profile = format!("--user-data-dir={}", profile.display());
        let own = [profile.as_str(), "--window-size=1440,1000"];
        for flag in FLAGS.iter().chain(&own).chain(flags) {
            wishes.add_arg(flag).expect("a flag is a text");
        }
        for log in ["browser", "performance"] {
            wishes.set_logging_prefs(log, LoggingPrefsLogLevel::All).expect("a level is a text");
        }
        let address = format!("http://127.0.0.1:{port}");
        let began = Instant::now();
        let driver = loop {
            match browser.runtime.block_on(WebDriver::new(&address, wishes.clone())) {
                Ok(driver) => break driver,
                Err(error) => assert!(began.elapsed() < PATIENCE, "no browser: {error}"),
            }
            std::thread::sleep(Duration::from_millis(100));
        };
        browser.driver = Some(driver);
        browser
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("it is there until it is dropped")
    }

    /// Opens an address.
    #[track_caller]
    pub(super) fn open(&self, address: &str) {
        let opened = self.runtime.block_on(self.driver().goto(address));
        opened.unwrap_or_else(|error| panic!("{address} could not be opened: {error}"));
    }

    /// What a script returns.
    #[track_caller]
    pub(super) fn js(&self, script: &str) -> Value {
        let ran = self.runtime.block_on(self.driver().execute(script, Vec::new()));
        ran.unwrap_or_else(|error| panic!("`{script}` failed: {error}")).json().clone()
    }

    /// What a script returns that awaits.
    #[track_caller]
    pub(super) fn awaited(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0];\
             (async () => {{ {script} }})().then(done, (error) => done('failed: ' + error.name));"
        );
        let ran = self.runtime.block_on(self.driver().execute_async(script.as_str(), Vec::new()));
        ran.unwrap_or_else(|error| panic!("`{script}` failed: {error}")).json().clone()
    }

    /// Waits until an expression holds; fails the test when it does not in time.
    #[track_caller]
    pub(super) fn wait_for(&self, expression: &str) {
        let began = Instant::now();
        while self.js(&format!("return Boolean({expression})")) != true {
            if began.elapsed() > PATIENCE {
                let page = self.js("return document.body.innerText");
                panic!("not within {PATIENCE:?}: {expression}\n{page}\n{:?}", self.log("browser"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until a text is on the page.
    #[track_caller]
    pub(super) fn wait_for_text(&self, text: &str) {
        self.wait_for(&format!("document.body.innerText.includes({})", json!(text)));
    }

    /// Clicks what a selector names, as a mouse does. What a fresh page has put in its place between
    /// the look and the click is clicked instead.
    #[track_caller]
    pub(super) fn click(&self, selector: &str) {
        let began = Instant::now();
        loop {
            self.wait_for(&format!("document.querySelector({})", json!(selector)));
            let clicked = self.runtime.block_on(async {
                let found = self.driver().find(By::Css(selector)).await?;
                found.scroll_into_view().await?;
                found.click().await
            });
            match clicked {
                Ok(()) => return,
                Err(error) if error.to_string().contains("stale") && began.elapsed() < PATIENCE => {
                }
                Err(error) => panic!("`{selector}` could not be clicked: {error}"),
            }
        }
    }

    /// Types into a field.
    #[track_caller]
    pub(super) fn fill(&self, selector: &str, text: &str) {
        let typed = self
            .runtime
            .block_on(async { self.driver().find(By::Css(selector)).await?.send_keys(text).await });
        typed.unwrap_or_else(|error| panic!("`{selector}` could not be filled: {error}"));
    }

    /// A command of the DevTools.
    #[track_caller]
    pub(super) fn devtools(&self, command: &str, params: Value) -> Value {
        let tools = self.driver().cdp();
        let done = self.runtime.block_on(tools.send_raw(command, params));
        done.unwrap_or_else(|error| panic!("{command} failed: {error}"))
    }

    /// The size of the window, and whether its system is dark.
    pub(super) fn looks(&self, width: u32, height: u32, scheme: &str) {
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.devtools("Emulation.setEmulatedMedia", json!({"features": [feature]}));
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// What a log (`browser`, `performance`) has gathered since it was last read.
    pub(super) fn log(&self, name: &str) -> Vec<String> {
        let entries = self.runtime.block_on(self.driver().handle().get_log(name));
        entries.expect("the log is kept").into_iter().map(|entry| entry.message).collect()
    }

    /// What was asked of servers since this was last looked at, as the DevTools tell it. What the
    /// page that the browser itself opens at first asks for is no server's.
    pub(super) fn requests(&self) -> Vec<Value> {
        let mut requests = Vec::new();
        for line in self.log("performance") {
            let entry: Value = serde_json::from_str(&line).expect("the log is JSON");
            let request = &entry["message"]["params"]["request"];
            let url = request["url"].as_str().unwrap_or_default();
            let is_sent = entry["message"]["method"] == "Network.requestWillBeSent";
            if is_sent && !url.starts_with("chrome:") && !url.starts_with("data:") {
                requests.push(request.clone());
            }
        }
        requests
    }

    /// Takes a picture of the window.
    pub(super) fn picture(&self, path: &Path) {
        self.runtime.block_on(self.driver().screenshot(path)).expect("a picture can be taken");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            // Where it has gone already, there is nothing to end.
            drop(self.runtime.block_on(driver.quit()));
        }
        let group = Pid::from_raw(self.chromedriver.id().cast_signed());
        group.and_then(|group| kill_process_group(group, Signal::KILL).ok());
        drop(self.chromedriver.wait());
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it is bound").port()
}
