// Time slices of the main thread: work runs for a few milliseconds, then the page runs (input,
// timers, frames). Slices continue by a message, because timers are throttled in background tabs.
// Touches nothing of the page.
// timers, frames) has its turn. By a message to oneself: unlike a timer it is not slowed down in a
// tab that nobody sees. Touches nothing of the page.

const channel = typeof MessageChannel === "function" ? new MessageChannel() : null;
const queue: (() => void)[] = [];
if (channel) channel.port1.onmessage = () => queue.shift()?.();

/** Lets everything that waits for the main thread have its turn. */
export const yieldToPage = (): Promise<void> =>
  new Promise((done) => {
    if (!channel) return void setTimeout(done, 0);
    queue.push(done);
    channel.port2.postMessage(0);
  });

/** When there is nothing else to do. */
export const whenIdle = (): Promise<void> =>
  new Promise(
    (done) =>
      void (typeof requestIdleCallback === "function"
        ? requestIdleCallback(() => done(), { timeout: 1000 })
        : setTimeout(done, 50)),
  );

/** How long one turn may take, in milliseconds. */
export const SLICE_MS = 10;

export interface SlicedTask {
  /** Goes on until that time; true when it is done. */
  go(until: number): boolean;
}

/**
 * Runs it in turns. `resumed` is asked after each pause whether to go on; false: it was given up.
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
