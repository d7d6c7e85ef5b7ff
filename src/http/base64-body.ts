/** A JSON response with a file in Base64, encoded while it is sent: one string would block the thread for seconds. */
import { jsonHeaders } from './reply.ts';
import type { Reply } from './reply.ts';

/** Bytes of the file that are encoded at a time; a multiple of 3 has no padding. */
const sliceBytes = 48 * 1024;

/**
 * Returns 200 with the fields of `facts` after `name`, whose value is `prefix` and `bytes` in Base64. The bytes are
 * read until the response is sent. `name` and `prefix` need no escapes in JSON.
 */
export function base64Reply(
  facts: object,
  { name, prefix = '', bytes }: { name: string; prefix?: string; bytes: Uint8Array },
): Reply {
  const head = Buffer.from(`{"${name}":"${prefix}`);
  const tail = Buffer.from(`",${JSON.stringify(facts).slice(1)}`);
  const base64Bytes = Math.ceil(bytes.byteLength / 3) * 4;
  return {
    status: 200,
    headers: jsonHeaders,
    stream: {
      bytes: head.byteLength + base64Bytes + tail.byteLength,
      chunks: chunksOf(head, bytes, tail),
    },
  };
}

async function* chunksOf(
  head: Buffer,
  { buffer, byteOffset, byteLength }: Uint8Array,
  tail: Buffer,
): AsyncGenerator<Buffer> {
  const file = Buffer.from(buffer, byteOffset, byteLength);
  let before = head;
  for (let start = 0; start < byteLength; start += sliceBytes) {
    const slice = file.subarray(start, start + sliceBytes);
    yield Buffer.concat([before, Buffer.from(slice.toString('base64'), 'latin1')]);
    before = Buffer.alloc(0);
  }
  yield tail;
}
