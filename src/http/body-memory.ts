/** The memory of response bodies, which is freed when nothing needs them any more. */

/** Memory of bodies that clients have not read completely, with the number of these responses. */
const unread = new Map<ArrayBufferLike, number>();

/** Keeps the memory of a body until the returned function is called. */
export function holdBody({ buffer }: Uint8Array): () => void {
  unread.set(buffer, (unread.get(buffer) ?? 0) + 1);
  return () => {
    const left = (unread.get(buffer) ?? 1) - 1;
    if (left === 0) unread.delete(buffer);
    else unread.set(buffer, left);
  };
}

let dropped: Uint8Array[] = [];

/**
 * Frees a body that no later request finds. V8 counts bodies as memory of its own, and would mark its whole heap after
 * every 64 MiB of them. It happens in a later turn of the event loop: in this one, requests that found the body before
 * start their responses. The garbage collector frees what a slow client still reads.
 */
export function freeBody(body: Uint8Array): void {
  if (dropped.length === 0) setImmediate(freeDropped);
  dropped.push(body);
}

function freeDropped(): void {
  const bodies = dropped;
  dropped = [];
  for (const { buffer, byteLength } of bodies) {
    const isFree = !unread.has(buffer) && byteLength === buffer.byteLength;
    if (isFree && buffer instanceof ArrayBuffer) buffer.transfer(0);
  }
}

/** Throws for a body that was freed: the connection is closed, because an empty image would be a broken one. */
export function requireBody({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.detached)
    throw new Error('The body of a response was freed.');
}
