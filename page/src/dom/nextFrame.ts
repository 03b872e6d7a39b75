// Waits for the next frame, which a page in the background may never draw. Touches no DOM.

/** The next frame, or a tenth of a second: whether it was a frame. */
export const nextFrame = (): Promise<boolean> =>
  new Promise((done) => {
    const timer = setTimeout(() => done(false), 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done(true);
    });
  });
