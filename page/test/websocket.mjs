// A WebSocket client as small as the tests need it: text messages to 127.0.0.1, without a
// dependency, since node has one of its own only from 22 on.
import { createHash, randomBytes } from "node:crypto";
import { connect } from "node:net";

const ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * Connects to ws://127.0.0.1:PORT/PATH: `send(text)`, `close()`; `message(text)` and `closed()` are
 * called.
 */
export async function openSocket(port, path, { message, closed }) {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  const key = randomBytes(16).toString("base64");
  let buffer = Buffer.alloc(0);
  let parts = [];
  let shaken;
  const hands = new Promise((resolve, reject) => {
    shaken = resolve;
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the browser hung up")));
  });
  hands.catch(() => {});
  let open = false;
  socket.on("close", () => open && closed());
  socket.on("connect", () =>
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    ),
  );
  socket.on("data", (data) => {
    buffer = buffer.length ? Buffer.concat([buffer, data]) : data;
    if (!open) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = buffer.subarray(0, end).toString();
      buffer = buffer.subarray(end + 4);
      if (
        !head.startsWith("HTTP/1.1 101") ||
        !head.includes(
          createHash("sha1")
            .update(key + ACCEPT)
            .digest("base64"),
        )
      )
        return socket.destroy(new Error(`no WebSocket: ${head.split("\r\n")[0]}`));
      open = true;
      shaken();
    }
    for (let frame = take(); frame; frame = take()) {
      if (frame.kind === 8) return socket.destroy();
      if (frame.kind > 8) continue;
      parts.push(frame.payload);
      if (!frame.last) continue;
      const text = Buffer.concat(parts).toString("utf8");
      parts = [];
      message(text);
    }
  });
  /** The next whole frame of the buffer; servers do not mask. */
  const take = () => {
    if (buffer.length < 2) return null;
    const short = buffer[1] & 127;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (buffer.length < head) return null;
    const length =
      short === 126
        ? buffer.readUInt16BE(2)
        : short === 127
          ? Number(buffer.readBigUInt64BE(2))
          : short;
    if (buffer.length < head + length) return null;
    const frame = {
      last: (buffer[0] & 128) !== 0,
      kind: buffer[0] & 15,
      payload: buffer.subarray(head, head + length),
    };
    buffer = buffer.subarray(head + length);
    return frame;
  };
  await hands;
  return {
    send(text) {
      const payload = Buffer.from(text);
      // Firefox hangs up on a mask of zeros.
      const mask = randomBytes(4).map((byte) => byte || 1);
      const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65536 ? 4 : 10);
      head[0] = 0x81;
      head[1] = 128 | (head.length === 2 ? payload.length : head.length === 4 ? 126 : 127);
      if (head.length === 4) head.writeUInt16BE(payload.length, 2);
      if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
      for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i & 3];
      socket.write(Buffer.concat([head, mask, payload]));
    },
    close: () => socket.destroy(),
  };
}
