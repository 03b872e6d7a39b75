// The wire form as people read it: a tree of lines, for expectations and for looking at real pages.
const FLAGS = [
  "usable",
  "block",
  "scrolls",
  "host",
  "aria-hidden",
  "from-content",
  "secret",
  "live",
  "checked",
  "mixed",
  "disabled",
  "expanded",
  "collapsed",
  "selected",
  "pressed",
  "required",
  "invalid",
  "readonly",
  "focused",
  "modal",
  "busy",
  "unreachable",
  "in-viewport",
  "withheld",
];
const WHY = [
  "",
  "display",
  "visibility",
  "content-visibility",
  "clipped",
  "unreachable",
  "opacity",
  "closed",
];
const QUIET = new Set(["usable", "block", "from-content", "in-viewport", "host"]);

export function decode(wire) {
  const { nodes, strings } = wire;
  const list = nodes.id.map((id, i) => ({
    index: i,
    id,
    size: nodes.size[i],
    tag: strings[nodes.tag[i]],
    role: strings[nodes.role[i]],
    name: strings[nodes.name[i]],
    box: nodes.box.slice(i * 4, i * 4 + 4),
    bits: nodes.flags[i],
    why: WHY[(nodes.flags[i] >>> 24) & 7],
    flags: [
      ...FLAGS.filter((_, bit) => nodes.flags[i] & (1 << bit)),
      ...(nodes.flags[i] & (1 << 27) ? ["inert"] : []),
      ...(nodes.flags[i] & (1 << 28) ? ["obscured"] : []),
      ...(nodes.flags[i] & (1 << 29) ? ["gutter"] : []),
    ],
    attrs: {},
    options: [],
    children: [],
    depth: 0,
    parent: null,
  }));
  const stack = [];
  for (const node of list) {
    while (stack.length && node.index > stack.at(-1).index + stack.at(-1).size) stack.pop();
    node.parent = stack.at(-1) ?? null;
    node.parent?.children.push(node);
    node.depth = stack.length;
    if (node.size) stack.push(node);
  }
  const pairs = (column, step, f) => {
    for (let i = 0; i < column.length; i += step)
      f(list[column[i]], ...column.slice(i + 1, i + step));
  };
  pairs(wire.value, 2, (n, v) => (n.value = strings[v]));
  pairs(wire.level, 2, (n, v) => (n.level = v));
  pairs(wire.options, 2, (n, v) => n.options.push(strings[v]));
  pairs(wire.attrs, 3, (n, k, v) => (n.attrs[strings[k]] = strings[v]));
  pairs(wire.clues ?? [], 3, (n, k, v) => (n.clues ??= []).push(`${strings[k]}: ${strings[v]}`));
  pairs(wire.scrolls, 5, (n, ...room) => (n.scrolls = room));
  pairs(wire.labels, 2, (n, named) => (n.labels = list[named]));
  for (const i of wire.rooted) list[i].rooted = true;
  for (const i of wire.frames) list[i].frame = true;
  return list;
}

export function line(node) {
  if (!node.tag) return JSON.stringify(node.name);
  const states = node.flags.filter((flag) => !QUIET.has(flag));
  if (node.why) states.push(`hidden: ${node.why}`);
  return (
    [
      node.flags.includes("usable") ? `[${node.id}]` : "",
      node.role || `<${node.tag}>`,
      node.level ? `${node.level}` : "",
    ]
      .filter(Boolean)
      .join(" ") +
    (node.name ? `: ${node.name}` : "") +
    (node.value !== undefined ? ` = ${JSON.stringify(node.value)}` : "") +
    (states.length ? ` — ${states.join(", ")}` : "")
  );
}

/** The outline: what has a role, a name or text; bare wrappers left out. */
export function outline(list, all = false) {
  const lines = [];
  const depth = new Map();
  for (const node of list) {
    const above = node.parent ? (depth.get(node.parent) ?? 0) : 0;
    const bare = node.tag && !node.role && !node.name && !node.why && !node.scrolls && !all;
    const blank = !node.tag && !node.name.trim();
    let spoken = false;
    for (let up = node.parent; up && !node.tag; up = up.parent)
      spoken ||= up.flags.includes("from-content");
    if (!bare && !blank && !spoken) lines.push("  ".repeat(above) + line(node));
    depth.set(node, bare ? above : above + 1);
  }
  return lines.join("\n");
}
