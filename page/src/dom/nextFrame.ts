// Waits for the next frame, which a page in the background may never draw. Does not touch the DOM.

/** Waits for the next frame, at most 100 ms. Resolves to whether a frame was drawn. */
export const nextFrame = (): Promise<boolean> =>
  new Promise((done) => {
    const timer = setTimeout(() => done(false), 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done(true);
    });
  });
