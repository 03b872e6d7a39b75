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
export const SLICE_MS = 10;

export interface SlicedTask {
  /** Continues until that time. Returns true when it is done. */
  go(until: number): boolean;
}

/**
 * Runs tasks one after the other in slices. A task that begins in the middle of a slice only gets
 * the rest of it; otherwise several short tasks would hold the page up as long as one slice each.
 */
export class SliceRun {
  private until: number;

  /**
   * `length`: of one slice, in milliseconds. `resumed` is called after each pause; if it returns
   * false, the task is abandoned.
   */
  constructor(
    private readonly length: number,
    private readonly resumed: () => boolean,
  ) {
    this.until = performance.now() + length;
  }

  /** Runs one task; resolves to false if it was abandoned. */
  async run(task: SlicedTask): Promise<boolean> {
    while (!task.go(this.until)) {
      await yieldToPage();
      this.until = performance.now() + this.length;
      if (!this.resumed()) return false;
    }
    return true;
  }
}
