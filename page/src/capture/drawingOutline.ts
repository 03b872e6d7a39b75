// The canonical form of a drawing: the points of its subpaths on a coarse grid, mixed into a hash.
// The same geometry gives the same hash, however a tool wrote it: one path or several, relative or
// absolute, closed by a line or by Z. Pure: does not touch the DOM.

/** Every drawing is scaled to a box of this size. */
export const BOX = 24;

/** Grid lines per unit. */
const STEPS = 10;
/**
 * Moves the grid, because icons have their points at round numbers: rounding errors of tools must
 * not move such a point over the limit of a cell.
 */
const SHIFT = 0.353;
/** Points further away than this many cells are at the limit. */
const LIMIT = 1 << 20;
/** A curve that is nowhere further away from its chord is a line. */
const STRAIGHT = 0.02;

/** A transformation: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the transformation that applies `inner` first. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/** Marks in the sequence that is hashed. */
enum Mark {
  Start = 1 << 24,
  Line,
  Curve,
  Closed,
  Ellipse,
  RoundedBox,
}

const cell = (value: number): number => {
  const at = Math.floor(value * STEPS + SHIFT);
  return at > -LIMIT ? (at < LIMIT ? at : LIMIT) : -LIMIT;
};

/** Collects the subpaths of a drawing. */
export class DrawingOutline {
  /** The transformation of the element that is read. */
  matrix: Matrix = IDENTITY;
  /** The corners of the box that the drawing is in, after the transformation. */
  box: readonly [number, number, number, number] = [0, 0, BOX, BOX];

  private first = 0x9747b28c | 0;
  private second = 0x3c6ef372 | 0;
  private subpaths = 0;
  /** The open subpath: marks and cells. */
  private part: number[] = [];
  private lastMark = 0;
  private drawn = false;
  private startX = 0;
  private startY = 0;

  /** Returns the hash: 12 hex digits. Undefined if nothing was drawn. */
  hash(): string | undefined {
    if (this.subpaths === 0) return undefined;
    const first = finish(this.first ^ this.subpaths);
    const second = finish(this.second ^ first);
    const digits = (value: number): string => (value >>> 0).toString(16).padStart(8, "0");
    return digits(first) + digits(second).slice(4);
  }

  move(x: number, y: number): void {
    this.end();
    this.begin(this.cellX(x, y), this.cellY(x, y));
  }

  line(x: number, y: number): void {
    this.continue();
    this.lineTo(this.cellX(x, y), this.cellY(x, y));
  }

  cubic(
    fromX: number,
    fromY: number,
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    x: number,
    y: number,
  ): void {
    const chordX = x - fromX;
    const chordY = y - fromY;
    const scale = Math.max(Math.abs(this.matrix[0]), Math.abs(this.matrix[1]));
    const length = Math.hypot(chordX, chordY);
    const away = (px: number, py: number): number =>
      length > 0
        ? Math.abs((px - fromX) * chordY - (py - fromY) * chordX) / length
        : Math.hypot(px - fromX, py - fromY);
    if (Math.max(away(x1, y1), away(x2, y2)) * scale < STRAIGHT) return this.line(x, y);
    this.curve((fromX + 3 * (x1 + x2) + x) / 8, (fromY + 3 * (y1 + y2) + y) / 8, x, y);
  }

  /** Adds an arc, by its end and the point in its middle. */
  arc(
    fromX: number,
    fromY: number,
    givenX: number,
    givenY: number,
    angle: number,
    large: number,
    sweep: number,
    x: number,
    y: number,
  ): void {
    const rx = Math.abs(givenX);
    const ry = Math.abs(givenY);
    if (!(rx > 0 && ry > 0)) return this.line(x, y);
    // In a space where the ellipse is a circle of radius 1.
    const turn = rx === ry ? 0 : (angle * Math.PI) / 180;
    const cos = turn === 0 ? 1 : Math.cos(turn);
    const sin = turn === 0 ? 0 : Math.sin(turn);
    const dx = (cos * (x - fromX) + sin * (y - fromY)) / rx;
    const dy = (cos * (y - fromY) - sin * (x - fromX)) / ry;
    const chord = Math.hypot(dx, dy);
    if (chord === 0) return;
    const half = chord / 2;
    const depth =
      half >= 1 ? half : large ? 1 + Math.sqrt(1 - half * half) : 1 - Math.sqrt(1 - half * half);
    const side = sweep ? depth / chord : -depth / chord;
    const outX = dy * side * rx;
    const outY = -dx * side * ry;
    this.curve(
      (fromX + x) / 2 + cos * outX - sin * outY,
      (fromY + y) / 2 + sin * outX + cos * outY,
      x,
      y,
    );
  }

  /** Adds an ellipse or a circle. */
  ellipse(x: number, y: number, rx: number, ry: number): void {
    if (!(rx > 0 && ry > 0)) return;
    this.figure(Mark.Ellipse, x - rx, y - ry, x + rx, y + ry, 0);
  }

  /** Adds a box with round corners. */
  roundedBox(x: number, y: number, width: number, height: number, radius: number): void {
    this.figure(Mark.RoundedBox, x, y, x + width, y + height, radius);
  }

  /** Ends the open subpath with a line to its start. */
  close(): void {
    if (this.part.length > 0) this.finishPart(true);
    // What follows without a move starts there, too.
    this.part = [];
  }

  /** Ends the open subpath. */
  end(): void {
    if (this.part.length > 0) this.finishPart(false);
    this.part = [];
  }

  private cellX(x: number, y: number): number {
    return cell(this.matrix[0] * x + this.matrix[2] * y + this.matrix[4]);
  }

  private cellY(x: number, y: number): number {
    return cell(this.matrix[1] * x + this.matrix[3] * y + this.matrix[5]);
  }

  private begin(x: number, y: number): void {
    this.startX = x;
    this.startY = y;
    this.part = [Mark.Start, x, y];
    this.lastMark = 0;
    this.drawn = false;
  }

  private continue(): void {
    if (this.part.length === 0) this.begin(this.startX, this.startY);
    this.drawn = true;
  }

  private lineTo(x: number, y: number): void {
    const { part } = this;
    const size = part.length;
    const fromX = part[size - 2] as number;
    const fromY = part[size - 1] as number;
    if (x === fromX && y === fromY) return;
    if (this.lastMark === Mark.Line) {
      // Two lines in the same direction are one.
      const beforeX = part[size - 5] as number;
      const beforeY = part[size - 4] as number;
      const down = beforeX === fromX && fromX === x && fromY > beforeY === y > fromY;
      const along = beforeY === fromY && fromY === y && fromX > beforeX === x > fromX;
      if (down || along) {
        part[size - 2] = x;
        part[size - 1] = y;
        return;
      }
    }
    part.push(Mark.Line, x, y);
    this.lastMark = Mark.Line;
  }

  private curve(middleX: number, middleY: number, x: number, y: number): void {
    this.continue();
    this.part.push(
      Mark.Curve,
      this.cellX(middleX, middleY),
      this.cellY(middleX, middleY),
      this.cellX(x, y),
      this.cellY(x, y),
    );
    this.lastMark = Mark.Curve;
  }

  private figure(mark: Mark, x: number, y: number, right: number, bottom: number, radius: number) {
    const scale = Math.hypot(this.matrix[0], this.matrix[1]);
    this.add([
      mark,
      this.cellX(x, y),
      this.cellY(x, y),
      this.cellX(right, bottom),
      this.cellY(right, bottom),
      cell(radius * scale),
    ]);
  }

  private finishPart(closed: boolean): void {
    const { part } = this;
    if (!this.drawn) return;
    const size = part.length;
    const atStart = part[size - 2] === this.startX && part[size - 1] === this.startY;
    if (atStart && this.lastMark === Mark.Line && size > 6) part.length = size - 3;
    if (closed || atStart) part.push(Mark.Closed);
    if (!this.isBackground()) this.add(part);
  }

  /** Returns whether the subpath is the box itself: sets draw it to keep the size, invisibly. */
  private isBackground(): boolean {
    const { part } = this;
    if (part.length !== 13 || part[12] !== Mark.Closed) return false;
    const [left, top, right, bottom] = this.box.map(cell) as [number, number, number, number];
    let corners = 0;
    for (let at = 0; at < 12; at += 3) {
      if (part[at] === Mark.Curve) return false;
      const x = part[at + 1] as number;
      const y = part[at + 2] as number;
      const near = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= 1;
      const column = near(x, left) ? 1 : near(x, right) ? 2 : 0;
      const row = near(y, top) ? 1 : near(y, bottom) ? 2 : 0;
      if (column === 0 || row === 0) return false;
      corners |= 1 << (column + 2 * row);
    }
    return corners === 0b1111000;
  }

  private add(values: readonly number[]): void {
    this.subpaths++;
    for (const value of values) {
      this.first = mix(this.first, value, 0xcc9e2d51 | 0, 0x1b873593);
      this.second = mix(this.second, value, 0x85ebca6b | 0, 0xc2b2ae35 | 0);
    }
  }
}

/** Mixes a value into a state, as MurmurHash3 does. */
function mix(state: number, value: number, before: number, after: number): number {
  let word = Math.imul(value, before);
  word = Math.imul((word << 15) | (word >>> 17), after);
  const mixed = state ^ word;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b | 0);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35 | 0);
  return mixed ^ (mixed >>> 16);
}
