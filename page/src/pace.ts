// Waiting for the next frame, which a page in the background may never draw. Touches no DOM.

/** The next frame, or a tenth of a second. */
export const nextFrame = (): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done();
    });
  });
