// The traits of the engine that this script has to know. The bundle is a function; the engine calls
// it with its traits.

/** Matches `EngineTraits` in crates/pagesight-browser/src/engine/page_script.rs. */
interface EngineTraits {
  /**
   * A secret word, where a page may come back from the back/forward cache without its world: it
   * names the events with which the new world asks the old one.
   */
  handoverWord: string | null;
  /**
   * A secret word, if what scripts schedule is observed: it names the event with which the page
   * script gets to know the hooks (../schedule).
   */
  scheduleWord: string | null;
  /** Whether the open list of a select takes all further clicks. */
  selectListTakesClicks: boolean;
  /** Whether a tab may draw hardly any frames, because a different tab is in front. */
  mayBeUndrawn: boolean;
}

/** The parameter of the function that bundleText.mjs wraps around the bundle. */
declare const engineTraits: EngineTraits;

export const traits: EngineTraits = engineTraits;
