// A patch applied to the answer that it is a patch of, and answers in a form that can be compared
// whatever their string tables: for tests. Works in the page's world as well as here, so it leans
// on nothing.

/** The answer that a patch makes of another one. */
export function applyPatch(base, patch) {
  if (patch.patch !== base.key) throw new Error(`a patch of ${patch.patch}, not of ${base.key}`);
  const COLUMNS = ["size", "id", "tag", "role", "name", "flags"];
  const out = {
    ...base,
    ...patch,
    strings: [...base.strings, ...patch.strings],
    nodes: { size: [], id: [], tag: [], role: [], name: [], box: [], flags: [] },
  };
  for (const key of ["patch", "slices", "shifts", "boxes", "flags"]) delete out[key];
  const now = new Map();
  let fresh = 0;
  const copy = (from, at) => {
    for (const column of COLUMNS) out.nodes[column].push(from[column][at]);
    out.nodes.box.push(...from.box.slice(at * 4, at * 4 + 4));
  };
  for (let i = 0; i < patch.slices.length; i += 3) {
    const [from, to, more] = patch.slices.slice(i, i + 3);
    for (let at = from; at < to; at++) {
      now.set(at, out.nodes.id.length);
      copy(base.nodes, at);
    }
    for (let n = 0; n < more; n++) copy(patch.nodes, fresh++);
  }
  const { box, flags, id } = out.nodes;
  for (let i = 0; i < patch.shifts.length; i += 4) {
    const [from, to, dx, dy] = patch.shifts.slice(i, i + 4);
    for (let at = from; at < to; at++) {
      if (id[at] === 0 || box.slice(at * 4, at * 4 + 4).every((n) => n === 0)) continue;
      box[at * 4] += dx;
      box[at * 4 + 1] += dy;
    }
  }
  for (let i = 0; i < patch.boxes.length; i += 5)
    box.splice(patch.boxes[i] * 4, 4, ...patch.boxes.slice(i + 1, i + 5));
  for (let i = 0; i < patch.flags.length; i += 2) flags[patch.flags[i]] = patch.flags[i + 1];
  const moved = (list, width, others = []) => {
    const rows = [];
    for (let i = 0; i < list.length; i += width) {
      const row = list.slice(i, i + width);
      if (![0, ...others].every((at) => now.has(row[at]))) continue;
      for (const at of [0, ...others]) row[at] = now.get(row[at]);
      rows.push(row);
    }
    return rows;
  };
  for (const [column, width] of [
    ["value", 2],
    ["level", 2],
    ["scrolls", 5],
    ["options", 2],
    ["attrs", 3],
    ["clues", 3],
    ["rooted", 1],
  ]) {
    // An answer without clues does not have that column.
    const more = patch[column] ?? [];
    const all = moved(base[column] ?? [], width);
    for (let i = 0; i < more.length; i += width) all.push(more.slice(i, i + width));
    out[column] = all.sort((a, b) => a[0] - b[0]).flat();
  }
  for (const column of ["covered", "labels"]) {
    const all = moved(base[column], 2, [1]);
    for (let i = 0; i < (patch[column] ?? []).length; i += 2)
      all.push(patch[column].slice(i, i + 2));
    out[column] = patch[`${column}All`] ?? all.sort((a, b) => a[0] - b[0]).flat();
    delete out[`${column}All`];
  }
  return out;
}

/** An answer without its string table. */
export function readable(wire) {
  const { key, strings, ...rest } = wire;
  const texts = (list) => list.map((at) => strings[at]);
  const every = (list, width, ...which) =>
    list.map((n, i) => (which.includes(i % width) ? strings[n] : n));
  return {
    ...rest,
    nodes: {
      ...rest.nodes,
      tag: texts(rest.nodes.tag),
      role: texts(rest.nodes.role),
      name: texts(rest.nodes.name),
    },
    value: every(rest.value, 2, 1),
    options: every(rest.options, 2, 1),
    attrs: every(rest.attrs, 3, 1, 2),
    clues: every(rest.clues ?? [], 3, 1, 2),
  };
}
