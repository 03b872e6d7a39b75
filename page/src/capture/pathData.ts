// Reads the data of SVG paths (the attribute `d`) into an outline: relative, short and repeated
// commands become plain ones. Pure: does not touch the DOM.

import type { DrawingOutline } from "./drawingOutline";

/** How many numbers a command takes; commands that are not listed end the path. */
const ARGUMENTS: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
};

const COMMAND = /[MmLlHhVvCcSsQqTtAaZz]/y;
const SEPARATOR = /[\s,]*/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const FLAG = /[01]/y;

/** Reads the parts of a text one after the other. */
class TextCursor {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Skips white space and commas, and returns what matches there, if anything. */
  next(pattern: RegExp): string | undefined {
    SEPARATOR.lastIndex = this.at;
    SEPARATOR.test(this.text);
    this.at = SEPARATOR.lastIndex;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

/** Returns all numbers of a text, such as the attribute `points`, up to the first that is none. */
export function readNumbers(text: string): number[] {
  const cursor = new TextCursor(text);
  const numbers: number[] = [];
  for (let found = cursor.next(NUMBER); found !== undefined; found = cursor.next(NUMBER))
    numbers.push(Number(found));
  return numbers;
}

/** Adds the path with this data to an outline. As in browsers, an error ends the path. */
export function readPath(data: string, outline: DrawingOutline): void {
  const cursor = new TextCursor(data);
  const pen = new PathPen(outline);
  let command = "";
  for (;;) {
    const written = cursor.next(COMMAND);
    if (written !== undefined) command = written;
    const upper = command.toUpperCase();
    const count = ARGUMENTS[upper];
    // A path starts with a move, and only a command can follow Z.
    if (count === undefined || (!pen.moved && upper !== "M")) return outline.end();
    if (count === 0 && written === undefined) return outline.end();
    const numbers: number[] = [];
    for (let at = 0; at < count; at++) {
      const isFlag = upper === "A" && (at === 3 || at === 4);
      const found = cursor.next(isFlag ? FLAG : NUMBER);
      if (found === undefined) return outline.end();
      numbers.push(Number(found));
    }
    pen.draw(upper, command !== upper, numbers);
    // Points after a move are lines.
    if (command === "M") command = "L";
    if (command === "m") command = "l";
  }
}

/** Follows the commands of one path. */
class PathPen {
  moved = false;
  private x = 0;
  private y = 0;
  private startX = 0;
  private startY = 0;
  /** The control point that a smooth curve continues, and the kind of curve that has it. */
  private controlX = 0;
  private controlY = 0;
  private smooth = "";

  constructor(private readonly outline: DrawingOutline) {}

  draw(command: string, relative: boolean, given: number[]): void {
    const fromX = relative ? this.x : 0;
    const fromY = relative ? this.y : 0;
    const at = (index: number): number => given[index] as number;
    const x = (index: number): number => fromX + at(index);
    const y = (index: number): number => fromY + at(index);
    const smooth = this.smooth;
    this.smooth = "";
    switch (command) {
      case "M":
        this.moved = true;
        this.startX = x(0);
        this.startY = y(1);
        this.outline.move(this.startX, this.startY);
        return this.goTo(this.startX, this.startY);
      case "Z":
        this.outline.close();
        return this.goTo(this.startX, this.startY);
      case "L":
        return this.line(x(0), y(1));
      case "H":
        return this.line(x(0), this.y);
      case "V":
        return this.line(this.x, y(0));
      case "C":
        return this.cubic(x(0), y(1), x(2), y(3), x(4), y(5));
      case "S":
        return this.cubic(...this.reflected(smooth === "C"), x(0), y(1), x(2), y(3)); // bounded: two
      case "Q":
        return this.quadratic(x(0), y(1), x(2), y(3));
      case "T":
        return this.quadratic(...this.reflected(smooth === "Q"), x(0), y(1)); // bounded: two
      case "A":
        this.outline.arc(this.x, this.y, at(0), at(1), at(2), at(3), at(4), x(5), y(6));
        return this.goTo(x(5), y(6));
    }
  }

  private goTo(x: number, y: number): void {
    this.x = x;
    this.y = y;
  }

  private line(x: number, y: number): void {
    this.outline.line(x, y);
    this.goTo(x, y);
  }

  private cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.outline.cubic(this.x, this.y, x1, y1, x2, y2, x, y);
    this.control("C", x2, y2);
    this.goTo(x, y);
  }

  private quadratic(x1: number, y1: number, x: number, y: number): void {
    const third = (from: number, to: number): number => from + ((to - from) * 2) / 3;
    this.outline.cubic(
      this.x,
      this.y,
      third(this.x, x1),
      third(this.y, y1),
      third(x, x1),
      third(y, y1),
      x,
      y,
    );
    this.control("Q", x1, y1);
    this.goTo(x, y);
  }

  private control(kind: string, x: number, y: number): void {
    this.smooth = kind;
    this.controlX = x;
    this.controlY = y;
  }

  /** Returns the first control point of a smooth curve. */
  private reflected(continues: boolean): [number, number] {
    return continues ? [2 * this.x - this.controlX, 2 * this.y - this.controlY] : [this.x, this.y];
  }
}
