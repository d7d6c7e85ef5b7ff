/** Reads an image file as the service would have fetched it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readImageHeader } from '../../src/images/sniff/sniff-image.ts';
import type { SourceImage } from '#wire/render-job.ts';

/** Throws for a file that is not an image. */
export function loadSourceImage(path: string): SourceImage {
  const file = readFileSync(path);
  const header = readImageHeader(file);
  if (header === undefined) throw new Error(`${path} is not an image that can be drawn.`);
  const { format, widthPx, heightPx, orientation } = header;
  const bytes = new Uint8Array(new SharedArrayBuffer(file.length));
  bytes.set(file);
  return {
    digest: createHash('sha256').update(file).digest('hex'),
    format,
    widthPx,
    heightPx,
    orientation,
    bytes,
  };
}
