//! A browser, by the WebDriver protocol (W3C): what the tests need of it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::Agent;

use crate::site::Site;

/// How the programs are called.
const DRIVER: &str = "chromedriver";
const BROWSER: &str = "chromium";

/// The longest wait for something to show; machines may be busy.
const PATIENCE: Duration = Duration::from_secs(180);

/// So often a browser is started until it starts in time.
const ATTEMPTS: usize = 3;

/// The key under which an element is named.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Whether a browser and its driver are installed.
pub(crate) fn is_there() -> bool {
    let runs = |name: &str| Command::new(name).arg("--version").output().is_ok();
    runs(DRIVER) && runs(BROWSER)
}

/// A window of a browser with the page of a server; all end with the test.
pub(crate) struct Browser {
    driver: Child,
    session: String,
    agent: Agent,
    pub(crate) site: Site,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Opens a view of the page.
    pub(crate) fn open(arguments: &[&str], view: &str) -> Self {
        let site = Site::start(arguments);
        let mut driver = Command::new(DRIVER)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver starts");
        let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let rest = line.split("successfully on port ").nth(1)?;
            rest.trim_end_matches('.').parse::<u16>().ok()
        });
        // Whatever else it says is of no use, but must not fill the pipe.
        thread::spawn(move || lines.for_each(drop));
        let port = port.expect("a port of the driver");
        let profile = tempfile::tempdir().expect("a folder");
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build()
            .into();
        let base = format!("http://127.0.0.1:{port}/session");
        let mut browser = Browser { driver, session: base, agent, site, _profile: profile };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
        ];
        let folder = format!("--user-data-dir={}", browser._profile.path().display());
        let arguments: Vec<&str> = arguments.into_iter().chain([folder.as_str()]).collect();
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        // A busy machine may be too slow for the first start of a browser.
        let start = || browser.request("POST", "", &wanted.to_string());
        let mut made = start();
        for _ in 1..ATTEMPTS {
            if made["sessionId"].is_string() {
                break;
            }
            made = start();
        }
        let id = made["sessionId"].as_str().unwrap_or_else(|| panic!("no browser: {made}"));
        browser.session = format!("{}/{id}", browser.session);
        let printed = browser.site.printed.clone();
        let page = printed.split('#').next().unwrap_or_default();
        let sheet = printed.split("sheet=").nth(1).map(|id| format!("?sheet={id}"));
        let sheet = sheet.unwrap_or_default();
        browser.post("/url", &json!({ "url": format!("{page}#/{view}{sheet}") }));
        browser.wait_for("body[data-ready]");
        browser
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.session))
            .header("content-type", "application/json");
        let answer = match body.is_empty() {
            true => self.agent.run(request.body(()).expect("a request")),
            false => self.agent.run(request.body(body.to_string()).expect("a request")),
        };
        let mut answer = answer.expect("the driver answers");
        let text = answer.body_mut().with_config().limit(64 << 20).read_to_string();
        let answer: Value = serde_json::from_str(&text.expect("text")).expect("JSON");
        answer["value"].clone()
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let value = self.request("POST", path, &body.to_string());
        assert!(value["error"].is_null(), "{path}: {value}");
        value
    }

    /// The result of a script.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The elements that a selector finds.
    fn elements(&self, selector: &str) -> Vec<String> {
        let found = self.post("/elements", &json!({ "using": "css selector", "value": selector }));
        let found = found.as_array().expect("elements").iter();
        found.filter_map(|one| one[ELEMENT].as_str().map(String::from)).collect()
    }

    /// Waits until a condition holds; `what` says what is waited for.
    pub(crate) fn until<T>(&self, what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = condition() {
                return found;
            }
            let notice = || self.text_now("#notice");
            assert!(begun.elapsed() < PATIENCE, "waited for {what}; notice: {:?}", notice());
            thread::sleep(Duration::from_millis(60));
        }
    }

    /// Waits for the first element of a selector.
    pub(crate) fn wait_for(&self, selector: &str) -> String {
        self.until(selector, || self.elements(selector).into_iter().next())
    }

    /// Clicks on an element as soon as it is there. The page may draw it anew meanwhile.
    pub(crate) fn click(&self, selector: &str) {
        self.until(&format!("a click on {selector}"), || {
            let element = self.elements(selector).into_iter().next()?;
            let value = self.request("POST", &format!("/element/{element}/click"), "{}");
            value["error"].is_null().then_some(())
        });
    }

    /// Types into an element as soon as it is there. The page may draw it anew meanwhile.
    pub(crate) fn send_keys(&self, selector: &str, text: &str) {
        let body = json!({ "text": text }).to_string();
        self.until(&format!("keys for {selector}"), || {
            let element = self.elements(selector).into_iter().next()?;
            let value = self.request("POST", &format!("/element/{element}/value"), &body);
            value["error"].is_null().then_some(())
        });
    }

    /// The text of an element, if it is there now.
    pub(crate) fn text_now(&self, selector: &str) -> Option<String> {
        let script =
            format!("return document.querySelector({})?.textContent ?? null", json!(selector));
        self.script(&script).as_str().map(String::from)
    }

    /// Waits until the text of an element contains another one.
    pub(crate) fn wait_for_text(&self, selector: &str, wanted: &str) -> String {
        let what = format!("{wanted:?} in {selector}");
        self.until(&what, || self.text_now(selector).filter(|text| text.contains(wanted)))
    }

    /// How many elements a selector finds.
    pub(crate) fn count(&self, selector: &str) -> usize {
        self.elements(selector).len()
    }

    /// Chooses an option.
    pub(crate) fn choose(&self, selector: &str, value: &str) {
        self.wait_for(selector);
        let script = format!(
            "const one = document.querySelector({}); one.value = {}; \
             one.dispatchEvent(new Event('change', {{bubbles: true}}));",
            json!(selector),
            json!(value)
        );
        self.script(&script);
    }

    /// Goes to another view.
    pub(crate) fn go(&self, view: &str) {
        self.script(&format!("location.hash = {};", json!(format!("#/{view}"))));
    }

    /// Loads the page again.
    pub(crate) fn reload(&self) {
        self.post("/refresh", &json!({}));
        self.wait_for("body[data-ready]");
    }

    /// Sets the size of the window.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.post("/window/rect", &json!({ "width": width, "height": height }));
    }

    /// What the browser complained about: errors of scripts, and what the policy has refused; and what
    /// no view should show: values that were no text, and messages of errors.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "browser" }));
        let severe = log.as_array().into_iter().flatten().filter(|one| one["level"] == "SEVERE");
        let mut found: Vec<String> = severe.map(|one| one["message"].to_string()).collect();
        let text = self.text_now("#main").unwrap_or_default();
        for odd in ["[object ", "undefined", "NaN"] {
            found.extend(text.contains(odd).then(|| format!("{odd} in {text}")));
        }
        found.extend(self.text_now("#notice:not([hidden])"));
        found
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser outlives its driver unless its session is ended, also where a test has failed.
        let _ = self.agent.delete(&self.session).call();
        // It may have ended already.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
