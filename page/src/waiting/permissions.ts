// Permissions that the page asked for and was denied. A browser without a window denies them on its
// own; the only trace is the changed state of the permission. (Its `change` event does not reach
// this world.) Reads only.

import { words } from "../dom/text";

const NAMES = words(
  "geolocation notifications camera microphone clipboard-read midi idle-detection " +
    "local-fonts storage-access window-management",
);
/** How long the answer may take, in milliseconds. */
const TIMEOUT = 30;

/** The permissions that could still be asked for at the last check. */
let askable: Set<string> | null = null;

/**
 * Returns the state of a permission; "" if the browser does not know it or the page may not ask.
 */
const stateOf = (name: string): Promise<string> =>
  Promise.resolve(navigator.permissions?.query({ name: name as PermissionName })).then(
    (status) => status?.state ?? "",
    () => "",
  );

/** Notes which permissions can be asked for. */
export async function notePermissions(): Promise<void> {
  if (askable) return;
  const found = new Set<string>();
  askable = found;
  await Promise.all(
    NAMES.map(async (name) => void ((await stateOf(name)) === "prompt" && found.add(name))),
  );
}

/** Returns the permissions that were denied since the last call. */
export async function deniedPermissions(): Promise<string[]> {
  const names: string[] = [];
  const check = async (name: string): Promise<void> => {
    if ((await stateOf(name)) !== "denied") return;
    askable?.delete(name);
    names.push(name);
  };
  await Promise.race([
    Promise.all([...(askable ?? [])].map(check)),
    new Promise((done) => setTimeout(done, TIMEOUT)),
  ]);
  return names;
}
