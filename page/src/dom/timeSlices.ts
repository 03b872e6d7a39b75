// Time slices of the main thread: work runs for a few milliseconds, then the page runs (input,
// timers, frames). Slices continue by a message, because timers are throttled in background tabs.
// Does not touch the page.

const channel = typeof MessageChannel === "function" ? new MessageChannel() : null;
const queue: (() => void)[] = [];
if (channel) channel.port1.onmessage = () => queue.shift()?.();

/** Yields the main thread to everything that waits for it. */
export const yieldToPage = (): Promise<void> =>
  new Promise((done) => {
    if (!channel) return void setTimeout(done, 0);
    queue.push(done);
    channel.port2.postMessage(0);
  });

/** Waits until the main thread is idle. */
export const whenIdle = (): Promise<void> =>
  new Promise(
    (done) =>
      void (typeof requestIdleCallback === "function"
        ? requestIdleCallback(() => done(), { timeout: 1000 })
        : setTimeout(done, 50)),
  );

/** The length of one slice, in milliseconds. */
export const SLICE_MS = 8;

/**
 * A time limit for work in slices. Pauses do not use it up, because the page decides how long they
 * are; but all of them together may only be as long as the limit.
 */
export class WorkLimit {
  private readonly began = performance.now();
  private paused = 0;

  /** `length`: in milliseconds. */
  constructor(private readonly length: number) {}

  pause(time: number): void {
    this.paused = Math.min(this.paused + time, this.length);
  }

  /** Returns whether this share of the limit is used up. */
  isPast(share: number, now = performance.now()): boolean {
    return now - this.began - this.paused >= this.length * share;
  }
}

export interface SlicedTask {
  /** Continues until that time. Returns true when it is done. */
  go(until: number): boolean;
}

/** A slice is at most this many times as long as asked for. */
const MAX_STRETCH = 16;
/** A slice is this many times as long as the work of the page in the pause before it. */
const PAUSE_SHARE = 2;
/** A slice is this many times as long as the layout that the page made necessary before it. */
const LAYOUT_SHARE = 4;
/** The share of the stretch that remains after a pause in which the page worked little. */
const STRETCH_LEFT = 0.7;
let ownWork = 0;
/** Returns the milliseconds for which all work in slices has held the main thread so far. */
export const timeInSlices = (): number => ownWork;

/** How much longer slices are than asked for, as learned from the last pauses. */
let stretch = 1;

/**
 * Runs tasks one after the other in slices. A task that begins in the middle of a slice only gets
 * the rest of it; otherwise several short tasks would hold the page up as long as one slice each.
 * Where the page uses pauses for long work, or has to be laid out again after each, slices become
 * longer: else most of the time would go there.
 */
export class SliceRun {
  private until: number | null = null;
  /** How long it worked, without pauses. */
  worked = 0;

  /**
   * `length`: of one slice, in milliseconds; `limit`: does not count pauses. `resumed` is called
   * after each pause; if it returns false, the task is abandoned.
   */
  constructor(
    private readonly length: number,
    private readonly limit: WorkLimit,
    private readonly resumed: () => boolean,
  ) {}

  /** How long a slice may take now. */
  get fairLength(): number {
    return this.length * stretch;
  }

  /** Makes no pause until the next call. */
  holdOn(): void {
    this.until = Number.POSITIVE_INFINITY;
  }

  /** Ends the slice that is running. */
  letGo(): void {
    this.until = 0;
  }

  /** Runs one task; resolves to false if it was abandoned. */
  async run(task: SlicedTask): Promise<boolean> {
    let begun = performance.now();
    this.until ??= begun + this.fairLength;
    for (;;) {
      const isDone = task.go(this.until);
      const pausedAt = performance.now();
      this.worked += pausedAt - begun;
      ownWork += pausedAt - begun;
      if (isDone) return true;
      await yieldToPage();
      const resumedAt = performance.now();
      const goesOn = this.resumed();
      const now = performance.now();
      this.limit.pause(now - pausedAt);
      const fair = Math.max(PAUSE_SHARE * (resumedAt - pausedAt), LAYOUT_SHARE * (now - resumedAt));
      if (this.length > 0 && this.length < Number.POSITIVE_INFINITY)
        stretch = Math.min(MAX_STRETCH, Math.max(1, fair / this.length, stretch * STRETCH_LEFT));
      this.until = now + this.fairLength;
      if (!goesOn) return false;
      begun = now;
    }
  }
}
