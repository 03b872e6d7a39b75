// Node-RED without its welcome, for `cargo xtask sight --apps`.
module.exports = { flowFile: "flows.json", editorTheme: { tours: false }, telemetry: { enabled: false, updateNotification: false } };
