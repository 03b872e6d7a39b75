// Reports the results of `node --test` as Rust's test harness does in its JSON format, so that
// `cargo xtask test` reads both alike. Only top-level tests count.

const line = (values) => `${JSON.stringify(values).replace('{"type":"', '{ "type": "')}\n`;

export default async function* report(events) {
  yield line({ type: "suite", event: "started" });
  for await (const { type, data } of events) {
    if (type === "test:stdout" || type === "test:stderr") yield data.message;
    if ((type !== "test:pass" && type !== "test:fail") || data.nesting > 0) continue;
    const { name, details } = data;
    const omitted = data.skip !== undefined || data.todo !== undefined;
    const error = details.error?.cause ?? details.error;
    yield line({
      type: "test",
      name,
      event: omitted ? "ignored" : type === "test:pass" ? "ok" : "failed",
      exec_time: details.duration_ms / 1000,
      stdout: String(error?.stack ?? error ?? ""),
    });
  }
  yield line({ type: "suite", event: "ended" });
}
