//! Apps with many buttons that have nothing but an icon, beside the ones of `apps`.

use super::apps::{App, AppServer};
use super::packages::Packages;

/// The apps, in the order in which they are visited.
pub const ICON_APPS: &[App] = &[
    App {
        name: "GrapesJS (page builder)",
        packages: Packages::Node(&["grapesjs@0.23"]),
        server: AppServer::Files("npm"),
        page_states: &[
            ("editor", "/grapesjs.html", ""),
            ("a part selected", "", "void editor.select(editor.getWrapper().find('h1')[0])"),
            (
                "style sectors",
                "",
                "document.querySelectorAll('.gjs-sm-sector-title').forEach((title) => title.click())",
            ),
            ("settings", "", "void editor.runCommand('core:open-traits')"),
            ("layers", "", "void editor.runCommand('core:open-layers')"),
            ("blocks", "", "void editor.runCommand('core:open-blocks')"),
        ],
    },
    App {
        name: "marimo (notebook, React)",
        packages: Packages::Python(&["marimo"]),
        server: AppServer::Program(&[
            "venv/bin/marimo",
            "edit",
            "marimo/marimo_app.py",
            "--headless",
            "--no-token",
            "--skip-update-check",
            "--host",
            "127.0.0.1",
            "--port",
            "{port}",
        ]),
        page_states: &[
            ("notebook", "/", ""),
            (
                "cells",
                "",
                "(async () => { for (let n = 0; n < 60 && !document.querySelector('.cm-editor'); n++) await new Promise((done) => setTimeout(done, 500)); })()",
            ),
            ("side panel", "", "document.querySelectorAll('[role=option]')[0]?.click()"),
            ("second side panel", "", "document.querySelectorAll('[role=option]')[1]?.click()"),
        ],
    },
    App {
        name: "wangEditor (rich text)",
        packages: Packages::Node(&["@wangeditor/editor@5"]),
        server: AppServer::Files("npm"),
        page_states: &[("editor", "/wangeditor.html", "")],
    },
    App {
        name: "TOAST UI Image Editor (canvas)",
        packages: Packages::Node(&["fabric@4", "tui-color-picker@2", "tui-image-editor@3"]),
        server: AppServer::Files("npm"),
        page_states: &[
            ("editor", "/imageeditor.html", ""),
            ("crop", "", "document.querySelector('.tie-btn-crop').click()"),
            ("flip", "", "document.querySelector('.tie-btn-flip').click()"),
            ("rotate", "", "document.querySelector('.tie-btn-rotate').click()"),
            ("draw", "", "document.querySelector('.tie-btn-draw').click()"),
            ("shape", "", "document.querySelector('.tie-btn-shape').click()"),
            ("icon", "", "document.querySelector('.tie-btn-icon').click()"),
            ("text", "", "document.querySelector('.tie-btn-text').click()"),
            ("filter", "", "document.querySelector('.tie-btn-filter').click()"),
        ],
    },
    App {
        name: "Luckysheet (spreadsheet)",
        packages: Packages::Node(&["luckysheet@2"]),
        server: AppServer::Files("npm"),
        page_states: &[("sheet", "/luckysheet.html", "")],
    },
    App {
        name: "x-spreadsheet (canvas)",
        packages: Packages::Node(&["x-data-spreadsheet@1"]),
        server: AppServer::Files("npm"),
        page_states: &[("sheet", "/xspreadsheet.html", "")],
    },
    App {
        name: "Jspreadsheet (tables)",
        packages: Packages::Node(&["jspreadsheet-ce@4", "jsuites@5", "material-icons@1"]),
        server: AppServer::Files("npm"),
        page_states: &[("sheet", "/jspreadsheet.html", "")],
    },
    App {
        name: "Quill (rich text)",
        packages: Packages::Node(&["quill@1"]),
        server: AppServer::Files("npm"),
        page_states: &[("editor", "/quill.html", "")],
    },
    App {
        name: "AG Grid (data grid)",
        packages: Packages::Node(&["ag-grid-community@34"]),
        server: AppServer::Files("npm"),
        page_states: &[("grid", "/aggrid.html", "")],
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
            ("palette manager", "/", "RED.actions.invoke('core:manage-palette')"),
            ("import", "/", "RED.actions.invoke('core:show-import-dialog')"),
            ("configuration", "/", "RED.actions.invoke('core:show-config-tab')"),
            ("debug", "/", "RED.actions.invoke('core:show-debug-tab')"),
            ("context", "/", "RED.actions.invoke('core:show-context-tab')"),
            ("help", "/", "RED.actions.invoke('core:show-help-tab')"),
            ("inject node", "/", "RED.editor.edit(RED.nodes.node('n1'))"),
        ],
    },
];
