// Node-RED without its welcome, for `cargo lab sight --apps`.
module.exports = { flowFile: "flows.json", editorTheme: { tours: false }, telemetry: { enabled: false, updateNotification: false } };
