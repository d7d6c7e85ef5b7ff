/** Reads an answer's body within its limits, and stops as soon as it is clear that it is no image. */
import { ByteCollector } from './byte-collector.ts';
import type { ByteBudget } from './byte-collector.ts';
import { ImageError } from './image-error.ts';
import { sniffBytes } from './sniff-image.ts';

export interface BodyLimits {
  /** What `Content-Length` says; 0 when it says nothing. Believed only when it is over the limit. */
  announcedBytes: number;
  bytesMax: number;
  /** Looks at the first bytes (512, or all when there are fewer) and says how many are worth reading. */
  bytesWanted: (head: Uint8Array) => number;
  budget: ByteBudget;
}

/**
 * The body's bytes in shared memory that the caller owns: all of them, or the first `bytesWanted`
 * or a few more. Rejects with an `ImageError` (`too_large`, `overloaded`) or with what the body
 * throws; leaving early destroys the body, and with it its connection.
 */
export async function receiveBody(
  body: AsyncIterable<Uint8Array>,
  limits: BodyLimits,
): Promise<Uint8Array<SharedArrayBuffer>> {
  const { announcedBytes, bytesMax, bytesWanted, budget } = limits;
  const received = new ByteCollector(budget);
  let wanted: number | undefined;
  try {
    for await (const chunk of body) {
      if (received.length + chunk.byteLength > bytesMax) throw tooLarge(bytesMax);
      received.append(chunk);
      if (wanted === undefined && received.length >= sniffBytes) {
        wanted = bytesWanted(received.view());
        // A page behind a wrong link is told as such, however long it is.
        if (wanted >= bytesMax && announcedBytes > bytesMax) throw tooLarge(bytesMax);
      }
      if (wanted !== undefined && received.length >= wanted) break;
    }
    return received.toShared();
  } finally {
    received.release();
  }
}

function tooLarge(bytesMax: number): ImageError {
  const limit = Number((bytesMax / 1024 / 1024).toPrecision(3));
  return new ImageError('too_large', `is larger than ${limit} MiB, the limit`);
}
