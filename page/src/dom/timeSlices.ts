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
 * Runs a task in slices. `resumed` is called after each pause; if it returns false, the task is
 * abandoned and this function resolves to false.
 */
export async function inSlices(
  work: SlicedTask,
  slice: number,
  resumed: () => boolean,
): Promise<boolean> {
  while (!work.go(performance.now() + slice)) {
    await yieldToPage();
    if (!resumed()) return false;
  }
  return true;
}
