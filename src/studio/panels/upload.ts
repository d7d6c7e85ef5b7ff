/** Uploads files to the service, with how far they are. */
import type { Asset, Font } from '../../client/platen-client.ts';
import type { Service } from '../state/service.ts';
import { watchUpload } from '../state/upload-fetch.ts';

/** Bytes of a file that are worth sending; the service's own limit may be lower, and says so. */
const fileBytesMax = 50_000_000;

/** Media types and endings that a file field offers. */
export const imageFiles = 'image/png,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml';
export const fontFiles = '.ttf,.otf,.woff2';

/** Stores a picture. `onProgress` is told parts from 0 to 1. Rejects like the client. */
export function uploadImage(
  { client }: Service,
  file: File,
  onProgress: (part: number) => void,
): Promise<Asset> {
  return client.uploadAsset(watched(file, onProgress));
}

/** Stores a font under its own family's name. Rejects like the client. */
export function uploadFontFile(
  { client }: Service,
  file: File,
  onProgress: (part: number) => void,
): Promise<Font> {
  return client.uploadFont(watched(file, onProgress));
}

function watched(file: File, onProgress: (part: number) => void): Blob {
  if (file.size > fileBytesMax) {
    throw new Error(`${file.name} is larger than 50 MB. Choose a smaller file.`);
  }
  // A blob without a type: the client says which it is.
  const body = new Blob([file]);
  watchUpload(body, onProgress);
  return body;
}
