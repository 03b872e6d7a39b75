// What the scripts of a page have scheduled: timers, frames, idle callbacks. Only numbers are kept,
// never a callback. Runs in the page's own world, where every built-in method may be replaced by the
// page later: only operators, own elements of typed arrays and values read at the start are used.

/** The most entries of a ledger, and how many it begins with. */
const MOST = 1024;
const FIRST = 8;
/** The numbers of an entry: its id, when it is due, its delay, and when its chain began. */
const WIDTH = 4;
const DUE = 1;
const DELAY = 2;
const SINCE = 3;
/** The due time of what was cancelled. */
const CANCELLED = -1;
/** A full ledger is cleaned at most this often, in milliseconds. */
const CLEAN_EVERY = 50;

/** Things due later than this are not waited for, in milliseconds. */
const HORIZON = 1000;
/**
 * A chain is a script that schedules the same thing again and again. For so long it may be work
 * that ends; then it is background.
 */
const CHAIN_COUNTS = 900;
/** So much later than it was due, the next link of a chain may be scheduled. */
const CHAIN_GAP = 100;
/** Chains with at most this delay may still change a page that seems to be quiet. */
export const SHORT = 500;
/** How many delays are told apart. */
const SLOTS = 16;

/** What is still to come. */
export interface Outlook {
  /** In how many milliseconds the next thing that counts is due; -1 if none is. */
  due: number;
  /** Whether something runs again and again at short intervals. */
  isRestless: boolean;
}

/** Notes that something is due in so many milliseconds. */
export function expect(outlook: Outlook, inTime: number): void {
  const time = inTime > 0 ? inTime : 0;
  if (time <= HORIZON && (outlook.due < 0 || time < outlook.due)) outlook.due = time;
}

/** When each chain began, by delay. */
class Chains {
  /** For each slot: the delay and one, when it was last used, and since when without a pause. */
  private readonly slots = new Float64Array(SLOTS * 3);

  /** Returns when the chain began that a thing with this delay belongs to. */
  begun(delay: number, now: number): number {
    const { slots } = this;
    const at = ((delay | 0) & (SLOTS - 1)) * 3;
    const goesOn = slots[at] === delay + 1 && now - (slots[at + 1] as number) <= delay + CHAIN_GAP;
    if (!goesOn) slots[at + 2] = now;
    slots[at] = delay + 1;
    slots[at + 1] = now;
    return slots[at + 2] as number;
  }
}

/** Things of one kind, by the ascending numbers that the browser gave them. */
export class Ledger {
  private readonly chains = new Chains();
  private entries = new Float64Array(FIRST * WIDTH);
  private count = 0;
  private cleanedAt = 0;
  /** When the last of those is due that found no place. */
  private crowdedUntil = -1;

  /** Adds a thing that is due in `delay` milliseconds. */
  add(id: number, delay: number, now: number): void {
    this.enter(id, delay, now, now + delay, this.chains.begun(delay, now));
  }

  /** Adds something that happens at short intervals until it is cancelled. */
  addRepeating(id: number, now: number): void {
    this.enter(id, 0, now, Infinity, -Infinity);
  }

  private enter(id: number, delay: number, now: number, due: number, since: number): void {
    if (this.count === MOST && now - this.cleanedAt > CLEAN_EVERY) this.clean(now, now - HORIZON);
    if (this.count === MOST) {
      if (due > this.crowdedUntil) this.crowdedUntil = due;
      return;
    }
    if (this.count * WIDTH === this.entries.length) this.grow();
    const { entries, count } = this;
    const at = count * WIDTH;
    // A number from a different window would not be in order.
    const last = count > 0 ? (entries[at - WIDTH] as number) : 0;
    entries[at] = id > last ? id : last;
    entries[at + DUE] = due;
    entries[at + DELAY] = delay;
    entries[at + SINCE] = since;
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
  }

  /** Adds to an outlook what is still to come. Everything due before `past` has happened. */
  look(outlook: Outlook, now: number, past: number): void {
    this.clean(now, past);
    if (this.crowdedUntil > past) outlook.isRestless = true;
    const { entries } = this;
    for (let at = 0; at < this.count * WIDTH; at += WIDTH) {
      const due = entries[at + DUE] as number;
      const delay = entries[at + DELAY] as number;
      const set = due - delay;
      if (set - (entries[at + SINCE] as number) < CHAIN_COUNTS) expect(outlook, due - now);
      else if (delay <= SHORT) outlook.isRestless = true;
    }
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
    const wider = new Float64Array(entries.length * 2);
    for (let i = 0; i < entries.length; i++) wider[i] = entries[i] as number;
    this.entries = wider;
  }
}
