//! The web apps of other projects that the commands visit: their packages, how each is started, and
//! the states of it that are visited. Apps run on 127.0.0.1 and are ended by their process ids.

use std::time::Duration;

use anyhow::Context;
use tokio::process::{Child, Command};

use super::packages::{self, Packages};
use crate::pages::{self, PageState};

/// How an app is served.
pub(super) enum AppServer {
    /// Files below this folder of `target/lab-apps`; `{html}` stands for the pages of MiniWoB++.
    Files(&'static str),
    /// A program that runs in `target/lab-apps`; `{port}` stands for its port.
    Program(&'static [&'static str]),
}

/// An app and its states. A state has a name, a path (empty: stay on the page), and a step:
/// nothing, `click SELECTOR` with the mouse, or a script.
pub struct App {
    pub name: &'static str,
    pub(super) packages: Packages,
    pub(super) server: AppServer,
    pub(super) page_states: &'static [(&'static str, &'static str, &'static str)],
}

/// A script that logs in to Django's admin site.
pub const LOGIN: &str = "document.querySelector('#id_username').value = 'admin'; document.querySelector('#id_password').value = 'sight'; document.forms['login-form'].submit()";
const EPISODE: &str = "Math.seedrandom('sight'); core.startEpisodeReal()";

/// The apps, in the order in which they are visited.
pub const APPS: &[App] = &[
    App {
        name: "frames and closed roots",
        packages: Packages::None,
        server: AppServer::Files("apps"),
        page_states: &[("", "/frames.html", "")],
    },
    App {
        name: "Shoelace (Lit, shadow roots)",
        packages: Packages::Node(&["@shoelace-style/shoelace@2"]),
        server: AppServer::Files("npm"),
        page_states: &[
            ("", "/gallery.html", ""),
            ("menu", "", "document.querySelector('#menu').show()"),
            (
                "dialog",
                "",
                "document.querySelector('#menu').hide().then(() => document.querySelector('#dialog').show())",
            ),
            (
                "drawer",
                "",
                "document.querySelector('#dialog').hide().then(() => document.querySelector('#drawer').show())",
            ),
        ],
    },
    App {
        name: "Swagger UI (React)",
        packages: Packages::Node(&["swagger-ui-dist@5"]),
        server: AppServer::Files("npm"),
        page_states: &[
            ("", "/swagger.html", ""),
            (
                "operations open",
                "",
                "document.querySelectorAll('.opblock-summary-control').forEach((button) => button.click())",
            ),
            (
                "trying out",
                "",
                "document.querySelectorAll('.try-out__btn').forEach((button) => button.click())",
            ),
            ("authorize", "", "document.querySelector('.btn.authorize').click()"),
        ],
    },
    App {
        name: "Node-RED (jQuery, SVG)",
        packages: Packages::Node(&["node-red@4"]),
        server: AppServer::Program(&[
            "node",
            "npm/node_modules/node-red/red.js",
            "-u",
            "node-red",
            "-p",
            "{port}",
            "--settings",
            "node-red/settings.js",
        ]),
        page_states: &[
            ("editor", "/", ""),
            ("menu", "", "click #red-ui-header-button-sidemenu"),
            ("editing a node", "/", "RED.editor.edit(RED.nodes.node('n2'))"),
        ],
    },
    App {
        name: "JupyterLab (Lumino, React)",
        packages: Packages::Python(&["jupyterlab"]),
        server: AppServer::Program(&[
            "venv/bin/jupyter",
            "lab",
            "--allow-root",
            "--no-browser",
            "--ip=127.0.0.1",
            "--port={port}",
            "--ServerApp.token=",
            "--ServerApp.password=",
            "--ServerApp.root_dir=jupyter",
            "--ServerApp.port_retries=0",
        ]),
        page_states: &[
            ("launcher", "/lab?reset", ""),
            ("File menu", "", "click .lm-MenuBar-item"),
            ("notebook", "/lab/tree/note.ipynb?reset", ""),
        ],
    },
    App {
        name: "Django admin (server-rendered)",
        packages: Packages::Python(&["django"]),
        server: AppServer::Program(&[
            "venv/bin/python",
            "django/manage.py",
            "runserver",
            "--noreload",
            "127.0.0.1:{port}",
        ]),
        page_states: &[
            ("log-in", "/admin/login/?next=/admin/", ""),
            ("index", "", LOGIN),
            ("users", "/admin/auth/user/", ""),
            (
                "new user, refused",
                "/admin/auth/user/add/",
                "document.querySelector('[name=_save]').click()",
            ),
            ("one user", "/admin/auth/user/1/change/", ""),
        ],
    },
    App {
        name: "NiceGUI (Vue, Quasar)",
        packages: Packages::Python(&["nicegui"]),
        server: AppServer::Program(&["venv/bin/python", "apps/nicegui_app.py", "{port}"]),
        page_states: &[
            ("form", "/", ""),
            ("choosing", "", "click .pick"),
            ("dialog", "", "document.body.click(); document.querySelector('.ask').click()"),
            ("table", "/", "document.querySelectorAll('.q-tab')[1].click()"),
        ],
    },
    App {
        name: "Streamlit (React, canvas)",
        packages: Packages::Python(&["streamlit"]),
        server: AppServer::Program(&[
            "venv/bin/streamlit",
            "hello",
            "--server.port={port}",
            "--server.address=127.0.0.1",
            "--server.headless=true",
            "--browser.gatherUsageStats=false",
        ]),
        page_states: &[
            ("hello", "/", ""),
            ("data frame", "/dataframe_demo", ""),
            (
                "main menu",
                "",
                "document.querySelector('[data-testid=stMainMenu] button, #MainMenu button')?.click()",
            ),
        ],
    },
    App {
        name: "Gradio (Svelte)",
        packages: Packages::Python(&["gradio"]),
        server: AppServer::Program(&["venv/bin/python", "apps/gradio_app.py", "{port}"]),
        page_states: &[
            ("form", "/", ""),
            ("table", "", "document.querySelectorAll('[role=tab]')[1].click()"),
        ],
    },
    App {
        name: "Datasette (server-rendered)",
        packages: Packages::Python(&["datasette"]),
        server: AppServer::Program(&[
            "venv/bin/datasette",
            "serve",
            "people.db",
            "-p",
            "{port}",
            "-h",
            "127.0.0.1",
        ]),
        page_states: &[
            ("index", "/", ""),
            ("table", "/people/people", ""),
            ("query", "/people?sql=select+*+from+people", ""),
        ],
    },
    App {
        name: "MiniWoB++ (jQuery UI, D3)",
        packages: Packages::Python(&["miniwob"]),
        server: AppServer::Files("{html}"),
        page_states: &[
            ("book-flight", "/miniwob/book-flight.html", EPISODE),
            ("choose-date", "/miniwob/choose-date.html", EPISODE),
            ("click-color", "/miniwob/click-color.html", EPISODE),
            ("click-menu-2", "/miniwob/click-menu-2.html", EPISODE),
            ("click-pie", "/miniwob/click-pie.html", EPISODE),
            ("click-shape", "/miniwob/click-shape.html", EPISODE),
            ("click-tab-2-hard", "/miniwob/click-tab-2-hard.html", EPISODE),
            ("email-inbox", "/miniwob/email-inbox.html", EPISODE),
            ("navigate-tree", "/miniwob/navigate-tree.html", EPISODE),
            ("order-food", "/miniwob/order-food.html", EPISODE),
            ("social-media", "/miniwob/social-media.html", EPISODE),
            ("text-editor", "/miniwob/text-editor.html", EPISODE),
            ("tic-tac-toe", "/miniwob/tic-tac-toe.html", EPISODE),
            ("use-slider-2", "/miniwob/use-slider-2.html", EPISODE),
            ("use-spinner", "/miniwob/use-spinner.html", EPISODE),
        ],
    },
];

pub struct RunningApp {
    process: Option<Child>,
    /// Its URL, without a path.
    pub address: String,
    pub page_states: Vec<PageState>,
}

/// Returns the app whose name starts with this.
pub fn find(name: &str) -> anyhow::Result<&'static App> {
    let app = APPS.iter().find(|app| app.name.starts_with(name));
    app.with_context(|| format!("there is no app {name}"))
}

impl App {
    /// Starts the app, or prints why it is skipped.
    pub async fn start_or_skip(&self) -> Option<RunningApp> {
        match self.start().await {
            Ok(running) => Some(running),
            Err(error) => {
                println!("skipped: {}: {error:#}", self.name);
                None
            }
        }
    }

    /// Installs and starts the app.
    pub async fn start(&self) -> anyhow::Result<RunningApp> {
        let folder = super::folder()?;
        packages::install(&folder, &self.packages).await?;
        let (process, address) = match self.server {
            AppServer::Files(below) => {
                (None, pages::serve(packages::files(&folder, below)?).await?)
            }
            AppServer::Program(words) => {
                let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
                let words: Vec<String> =
                    words.iter().map(|word| word.replace("{port}", &port.to_string())).collect();
                let log = std::fs::File::create(
                    folder
                        .join(format!("{}.log", self.name.replace([' ', '(', ')', ',', '/'], "-"))),
                )?;
                let mut command = Command::new(if words[0].contains('/') {
                    folder.join(&words[0])
                } else {
                    words[0].clone().into()
                });
                command
                    .args(&words[1..])
                    .current_dir(&folder)
                    .stdin(std::process::Stdio::null())
                    .stdout(log.try_clone()?)
                    .stderr(log);
                // A process group of its own, so that kernels and workers end with the app.
                command.process_group(0).kill_on_drop(true);
                let mut running = RunningApp {
                    process: Some(command.spawn().context("the app does not start")?),
                    address: format!("http://127.0.0.1:{port}"),
                    page_states: Vec::new(),
                };
                if let Err(error) = wait_for_port(port).await {
                    running.end().await;
                    return Err(error);
                }
                (running.process.take(), running.address)
            }
        };
        let page_states = self.page_states.iter().map(|(state, path, step)| PageState {
            name: if state.is_empty() {
                self.name.to_owned()
            } else {
                format!("{}: {state}", self.name)
            },
            url: (!path.is_empty()).then(|| format!("{address}{path}")),
            step: (!step.is_empty()).then(|| (*step).to_owned()),
        });
        let page_states = page_states.collect();
        Ok(RunningApp { process, address, page_states })
    }
}

impl RunningApp {
    /// Ends the process and its children.
    pub async fn end(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        if let Some(id) = process.id() {
            let _ = Command::new("kill").args(["-TERM", "--", &format!("-{id}")]).status().await;
        }
        if tokio::time::timeout(Duration::from_secs(5), process.wait()).await.is_err() {
            if let Some(id) = process.id() {
                let _ =
                    Command::new("kill").args(["-KILL", "--", &format!("-{id}")]).status().await;
            }
            let _ = process.wait().await;
        }
    }
}

/// Waits until the port accepts connections, for at most a minute.
async fn wait_for_port(port: u16) -> anyhow::Result<()> {
    for _ in 0..240 {
        if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    anyhow::bail!("the app did not open its port within a minute; its log is in target/lab-apps")
}
