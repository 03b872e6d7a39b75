// Permissions that the page asked for and was denied. A browser without a window denies them on its
// own; the only trace is the changed state of the permission. (Its `change` event does not reach
// this world.) Reads only.
// questions itself, with no; all that can be seen of it is that the state of the permission is
// another one. (Its `change` event does not come to this world.) Reads only.

const NAMES = [
  "geolocation",
  "notifications",
  "camera",
  "microphone",
  "clipboard-read",
  "midi",
  "idle-detection",
  "local-fonts",
  "storage-access",
  "window-management",
];
/** How long the answer may take, in milliseconds. */
const TIMEOUT = 30;

/** The permissions that could still be asked for when they were last looked at. */
let askable: Set<string> | null = null;

/**
 * A name that this browser does not know, or a page that may not ask, is none that could be denied.
 */
const stateOf = (name: string): Promise<string> =>
  Promise.resolve(navigator.permissions?.query({ name: name as PermissionName })).then(
    (status) => status?.state ?? "",
    () => "",
  );

/** Takes note of what can be asked for. */
export async function notePermissions(): Promise<void> {
  if (askable) return;
  const found = new Set<string>();
  askable = found;
  await Promise.all(
    NAMES.map(async (name) => void ((await stateOf(name)) === "prompt" && found.add(name))),
  );
}

/** What was denied since it was last asked. */
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
