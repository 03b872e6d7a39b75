// What the page asked permission for and was denied. A browser without a window answers such
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
const PATIENCE = 30;

/** The permissions that could still be asked for when they were last looked at. */
let open: Set<string> | null = null;

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
  if (open) return;
  const found = new Set<string>();
  open = found;
  await Promise.all(
    NAMES.map(async (name) => void ((await stateOf(name)) === "prompt" && found.add(name))),
  );
}

/** What was denied since it was last asked. */
export async function denied(): Promise<string[]> {
  const names: string[] = [];
  const look = async (name: string): Promise<void> => {
    if ((await stateOf(name)) !== "denied") return;
    open?.delete(name);
    names.push(name);
  };
  await Promise.race([
    Promise.all([...(open ?? [])].map(look)),
    new Promise((done) => setTimeout(done, PATIENCE)),
  ]);
  return names;
}
