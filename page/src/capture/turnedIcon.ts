// How CSS turns or mirrors an icon: the arrow of an open branch is often the arrow of a closed one,
// turned by a quarter. Pure: reads only the styles that it is given.

/** Where a step to the right and a step down go: `[a, b, c, d]` of a matrix. */
export type Turn = readonly [a: number, b: number, c: number, d: number];

export const UNTURNED: Turn = [1, 0, 0, 1];

/** How far from a quarter turn counts as one. */
const TOLERANCE = 0.1;

/** Returns how the properties of one element turn what is in it. */
export function turnOf({ transform, rotate, scale }: CSSStyleDeclaration): Turn {
  let turn = UNTURNED;
  const angle = /^(-?[\d.e-]+)deg$/.exec(rotate ?? "")?.[1];
  if (angle) {
    const [sin, cos] = [Math.sin((+angle * Math.PI) / 180), Math.cos((+angle * Math.PI) / 180)];
    turn = [cos, sin, -sin, cos];
  }
  const scales = scale && scale !== "none" ? scale.split(" ").map(Number) : [1];
  turn = combine(turn, [scales[0] as number, 0, 0, scales[1] ?? (scales[0] as number)]);
  const matrix = /^matrix\(([^)]+)\)$/
    .exec(transform ?? "")?.[1]
    ?.split(",")
    .map(Number);
  return matrix ? combine(turn, matrix.slice(0, 4) as unknown as Turn) : turn;
}

/** Returns the turn of something in something that is turned itself. */
export const combine = (around: Turn, inside: Turn): Turn => [
  around[0] * inside[0] + around[2] * inside[1],
  around[1] * inside[0] + around[3] * inside[1],
  around[0] * inside[2] + around[2] * inside[3],
  around[1] * inside[2] + around[3] * inside[3],
];

/** Returns a turn as a clue: `0 1 -1 0`. Empty if nothing is turned, or not by quarters. */
export function turnClue([a, b, c, d]: Turn): string {
  const right = quarter(a, b);
  const down = quarter(c, d);
  const clue = right && down ? `${right} ${down}` : "";
  return clue === "1 0 0 1" ? "" : clue;
}

/** Returns the direction along an axis that a step points to. */
function quarter(x: number, y: number): string | null {
  const length = Math.hypot(x, y);
  const [along, down] = [Math.round(x / length), Math.round(y / length)];
  const off = Math.hypot(x / length - along, y / length - down);
  return Math.abs(along) + Math.abs(down) === 1 && off < TOLERANCE ? `${along} ${down}` : null;
}
