// Interfaces that call scripts of the page later, and do not say when. Their use is noticed, and
// then the page has to be quiet for as long as it always had to be.

import { watchCalls, watchClasses, watchObjects, watchUse } from "./wrap";

const { apply } = Reflect;

/** Their objects may call scripts at any time. */
const LASTING =
  "AudioContext EventSource MediaRecorder RTCPeerConnection SharedWorker WebSocketStream WebTransport";
/** Their objects call scripts when a message arrives. */
const MESSAGING = "BroadcastChannel WebSocket";
/** Functions that call scripts once. */
const STATIC: Record<string, string> = {
  AbortSignal: "timeout",
  Atomics: "waitAsync",
  WebAssembly: "compile compileStreaming instantiate instantiateStreaming",
};
/** The same, as methods of these classes. */
const METHODS: Record<string, string> = {
  Blob: "arrayBuffer bytes text",
  BroadcastChannel: "postMessage",
  Cache: "add addAll delete keys match matchAll put",
  CacheStorage: "delete has keys match open",
  Clipboard: "read readText write writeText",
  Document: "startViewTransition",
  FileReader: "readAsArrayBuffer readAsBinaryString readAsDataURL readAsText",
  FileSystemFileHandle: "createWritable getFile",
  FontFace: "load",
  FontFaceSet: "load",
  Geolocation: "getCurrentPosition watchPosition",
  HTMLCanvasElement: "toBlob",
  HTMLImageElement: "decode",
  HTMLVideoElement: "requestVideoFrameCallback",
  IDBFactory: "databases",
  LockManager: "query request",
  MediaDevices: "enumerateDevices getDisplayMedia getUserMedia",
  Navigator: "getBattery requestMIDIAccess",
  OfflineAudioContext: "startRendering",
  OffscreenCanvas: "convertToBlob",
  Permissions: "query",
  ServiceWorker: "postMessage",
  ServiceWorkerContainer: "getRegistration getRegistrations register",
  StorageManager: "estimate getDirectory persist persisted",
  SubtleCrypto:
    "decrypt deriveBits deriveKey digest encrypt exportKey generateKey importKey sign unwrapKey verify wrapKey",
  WebSocket: "send",
  Worker: "postMessage",
};

/** Work whose object says when it ends: the class, its functions, and the last event. */
const ENDING: [string, string, string[]][] = [
  ["IDBFactory", "deleteDatabase open", ["success", "error"]],
  ["IDBDatabase", "transaction", ["complete", "abort"]],
];

/** The notes that the use of these interfaces leads to. */
interface UseNotes {
  /** One was used; whether it may call scripts for ever. */
  note(lasts: boolean): void;
  /** A worker was made; returns the function for its first answer. */
  begins(): () => void;
  /** Work began; returns the function for its end. */
  works(): () => void;
}

/** Has the use of these interfaces noted. */
export function watchUnobserved({ note, begins, works }: UseNotes): void {
  type Interface = { prototype?: object };
  const world = globalThis as unknown as Record<string, Interface | undefined>;
  const passes = (): void => note(false);
  const listen = EventTarget.prototype.addEventListener;
  watchClasses(LASTING, () => note(true));
  watchObjects(MESSAGING, (made) => {
    apply(listen, made, ["message", passes]);
    note(false);
  });
  watchObjects("Worker", (worker) => {
    const answers = begins();
    const heard = (): void => {
      answers();
      note(false);
    };
    apply(listen, worker, ["message", heard]);
    apply(listen, worker, ["error", answers]);
    note(false);
  });
  for (const [name, functions, last] of ENDING)
    watchCalls(world[name]?.prototype, functions, (_, result) => {
      const ends = works();
      for (const event of last) apply(listen, result, [event, ends]);
    });
  for (const name in STATIC) watchUse(world[name], STATIC[name] as string, passes);
  for (const name in METHODS) watchUse(world[name]?.prototype, METHODS[name] as string, passes);
  watchUse(globalThis, "createImageBitmap", passes);
}
