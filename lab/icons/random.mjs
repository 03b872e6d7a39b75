// Random numbers from a seed, and drawings that are in no set.

/** Returns a generator of numbers from 0 up to 1: mulberry32. */
export function random(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a drawing with many points moved: of each shape every third number, at least one. */
export function perturbed(svg, next) {
  return svg.replace(/\s(d|points|x|y|x1|y1|cx|cy|r)="([^"]*)"/g, (_, name, data) => {
    let left = 1;
    const moved = data.replace(/-?(?:\d*\.\d+|\d+)/g, (number) => {
      // Flags of arcs are 0 or 1; other numbers of this size are left as well.
      if (Math.abs(Number(number)) <= 1 || (left <= 0 && next() > 0.3)) return number;
      left--;
      const by = (1 + next() * 2) * (next() < 0.5 ? -1 : 1);
      return ` ${(Number(number) + by * Math.max(1, Math.abs(Number(number)) / 12)).toFixed(2)}`;
    });
    return ` ${name}="${moved}"`;
  });
}
