// What the scripts of a page have scheduled: timers, frames, idle callbacks. Only numbers are kept,
// never a callback. Runs in the page's own world, where every built-in method may be replaced by
// the page later: only operators, own elements of typed arrays and values read at the start are
// used.

/** The page may replace the name, and also how the length of such a list is read. */
const Numbers = Float64Array;

/** The most entries of a ledger, and how many it begins with. */
const MOST = 1024;
const FIRST = 8;
/** The numbers of an entry: its id, when it is due, its delay, when its chain began, and its mark. */
const WIDTH = 5;
const DUE = 1;
const DELAY = 2;
const SINCE = 3;
const MARK = 4;
/** The due time of what was cancelled. */
const CANCELLED = -Infinity;
/** A ledger is cleaned when it has so many entries, and at most this often, in milliseconds. */
const MANY = 64;
const CLEAN_EVERY = 500;

/** Things due later than this are not waited for, in milliseconds. */
const HORIZON = 1000;
/** A loading sign is waited for if something is due until then, in milliseconds. */
const FAR = 6000;
/**
 * A chain is a script that schedules the same thing again and again. For so long it may be work
 * that ends; then it is background.
 */
const CHAIN_COUNTS = 900;
/** So much later than it was due, a link of a chain may schedule the next one. */
const CHAIN_GAP = 500;
/** Chains with at most this delay may still change a page that seems to be quiet. */
export const SHORT = 500;

/** The things that are still to come. */
export interface Outlook {
  /** In how many milliseconds the next thing that counts is due; -1 if none is. */
  due: number;
  /** Whether something runs again and again at short intervals. */
  isRestless: boolean;
  /** Whether something counts that is due later. */
  isLater: boolean;
}

/** Notes that something is due in so many milliseconds. */
export function expect(outlook: Outlook, inTime: number): void {
  const time = inTime > 0 ? inTime : 0;
  if (time > HORIZON) outlook.isLater ||= time <= FAR;
  else if (outlook.due < 0 || time < outlook.due) outlook.due = time;
}

/** Things of one kind, by the ascending numbers that the browser gave them. */
export class Ledger {
  private entries = new Numbers(FIRST * WIDTH);
  /** How many entries there is room for. */
  private room = FIRST;
  private count = 0;
  private cleanedAt = 0;
  /** When the last of those is due that found no place. */
  private crowdedUntil = -Infinity;

  /** Adds a thing that is due in `delay` milliseconds. Links of a chain have the same mark. */
  add(id: number, delay: number, now: number, mark: number): void {
    if (this.count >= MANY && now - this.cleanedAt > CLEAN_EVERY) this.clean(now, now - CHAIN_GAP);
    // A full ledger is not searched.
    const since = this.count < MOST ? this.chainBegun(now, mark) : now;
    this.enter(id, now + delay, delay, since, mark);
  }

  /** Adds something that happens at short intervals until it is cancelled. */
  addRepeating(id: number): void {
    this.enter(id, Infinity, 0, -Infinity, 0);
  }

  /**
   * Returns when the chain began that goes on now: its last link was due a moment ago, and has the
   * same mark. That link is not looked for again.
   */
  private chainBegun(now: number, mark: number): number {
    const { entries } = this;
    for (let at = (this.count - 1) * WIDTH; at >= 0; at -= WIDTH) {
      const due = entries[at + DUE] as number;
      if (entries[at + MARK] !== mark || due > now + 1 || due < now - CHAIN_GAP) continue;
      entries[at + DUE] = CANCELLED;
      return entries[at + SINCE] as number;
    }
    return now;
  }

  private enter(id: number, due: number, delay: number, since: number, mark: number): void {
    // A text as handler may be forbidden.
    if (!(id > 0)) return;
    if (this.count === MOST) {
      if (due > this.crowdedUntil) this.crowdedUntil = due;
      return;
    }
    if (this.count === this.room) this.grow();
    const { entries, count } = this;
    const at = count * WIDTH;
    // A number from a different window would not be in order.
    const last = count > 0 ? (entries[at - WIDTH] as number) : 0;
    entries[at] = id > last ? id : last;
    entries[at + DUE] = due;
    entries[at + DELAY] = delay;
    entries[at + SINCE] = since;
    entries[at + MARK] = mark;
    this.count++;
  }

  /** Removes a thing that was cancelled. */
  cancel(id: number): void {
    const { entries } = this;
    let from = 0;
    let to = this.count - 1;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((entries[middle * WIDTH] as number) < id) from = middle + 1;
      else to = middle;
    }
    if (to >= 0 && entries[from * WIDTH] === id) entries[from * WIDTH + DUE] = CANCELLED;
    // Scripts cancel what they have just set, very often.
    while (this.count > 0 && entries[(this.count - 1) * WIDTH + DUE] === CANCELLED) this.count--;
  }

  /** Adds to an outlook what is still to come. Everything due before `past` has happened. */
  look(outlook: Outlook, now: number, past: number): void {
    // A chain may still go on after its last link has run.
    this.clean(now, past < now - CHAIN_GAP ? past : now - CHAIN_GAP);
    if (this.crowdedUntil > past) outlook.isRestless = true;
    const { entries } = this;
    for (let at = 0; at < this.count * WIDTH; at += WIDTH) {
      const due = entries[at + DUE] as number;
      if (due < past) continue;
      const delay = entries[at + DELAY] as number;
      const set = due - delay;
      if (set - (entries[at + SINCE] as number) < CHAIN_COUNTS) expect(outlook, due - now);
      else if (delay <= SHORT) outlook.isRestless = true;
    }
  }

  /** Drops everything that was due before `past`: what is scheduled from now on is no part of it. */
  breakChains(now: number, past: number): void {
    this.clean(now, past);
  }

  private clean(now: number, past: number): void {
    const { entries } = this;
    let kept = 0;
    for (let at = 0; at < this.count * WIDTH; at += WIDTH) {
      if ((entries[at + DUE] as number) < past) continue;
      for (let i = 0; i < WIDTH; i++) entries[kept + i] = entries[at + i] as number;
      kept += WIDTH;
    }
    this.count = kept / WIDTH;
    this.cleanedAt = now;
  }

  private grow(): void {
    const { entries } = this;
    const room = this.room * 2;
    const wider = new Numbers(room * WIDTH);
    for (let i = 0; i < this.count * WIDTH; i++) wider[i] = entries[i] as number;
    this.entries = wider;
    this.room = room;
  }
}
