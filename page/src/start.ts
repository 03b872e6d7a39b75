// Everything that has to happen when a document begins, before any script of the page. A script of
// its own in Firefox, so that documents nobody asks about cost little; part of the whole script
// everywhere.

import { listenFirst } from "./dom/firstListeners";
import { meetHooks } from "./dom/hooks";
import { readPendingPasswords } from "./semantics/secrets";
import { watchFromStart } from "./waiting/passiveWatch";

listenFirst();
meetHooks();
// Password fields must be known from the start.
readPendingPasswords();
if (window === window.top) watchFromStart();
