/** Reads a child process's pipe into one buffer, without an allocation for each read. */
import type { Socket } from 'node:net';
import { socketOf } from '#wire/program/frames.ts';

/** Large enough for an image of 87 KB in one read. */
const bufferBytes = 256 * 1024;

/** The property with the native half of Node's sockets; the constructor accepts one as `handle`. */
const handleKey = '_handle';

/**
 * Takes over the handle of a pipe that `child_process` has opened: `socket` must not be used afterwards. The sockets of
 * `child_process` allocate 64 KiB for each read. This costs 3 % of a render's CPU time (measured end to end,
 * docs/architecture.md). `onread` reads into one buffer, but there is no documented way to pass it to `spawn`, so this
 * uses the private handle. The documented alternative is a Unix socket that `net.connect` opens with `onread`. It reads
 * in the same way, but needs a folder, which would remain after a crash. `chunk` is valid only during the call.
 */
export function takeSocket(socket: Socket, onChunk: (chunk: Uint8Array) => void): Socket {
  const handle: unknown = Reflect.get(socket, handleKey);
  const taken = socketOf({ handle }, bufferBytes, onChunk);
  // A socket without a handle closes nothing.
  Reflect.set(socket, handleKey, null);
  return taken;
}
