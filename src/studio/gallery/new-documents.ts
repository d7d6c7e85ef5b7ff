/** Documents of new templates: blank ones of common sizes, and those on an image. */
import type { Template } from '#language/schema/template.ts';

/** A size that many designs have, design pixels. */
export interface CommonSize {
  id: string;
  name: string;
  width: number;
  height: number;
  /** Settings of documents of this size. */
  settings?: Partial<Template>;
}

/** In the order in which they are offered. No email client shows an error, whichever proxy fetches for it. */
export const commonSizes: readonly CommonSize[] = [
  {
    id: 'email',
    name: 'Email header',
    width: 1200,
    height: 400,
    settings: { onError: 'image' },
  },
  { id: 'open-graph', name: 'Open Graph', width: 1200, height: 630 },
  { id: 'square', name: 'Square', width: 1080, height: 1080 },
  { id: 'story', name: 'Story', width: 1080, height: 1920 },
];

/** Design pixels of a side (the format's limit). */
export const sideMaxPx = 4096;

/** Characters of a name (the format's limit). */
export const nameLengthMax = 200;

/** A whole number of design pixels that a document may have. */
export function toSide(px: number): number {
  return Math.min(sideMaxPx, Math.max(1, Math.round(px) || 1));
}

/** An empty document on white. */
export function blankDocument(
  name: string,
  width: number,
  height: number,
  settings: Partial<Template> = {},
): Template {
  return {
    format: 1,
    name: toName(name),
    width: toSide(width),
    height: toSide(height),
    background: '#ffffff',
    ...settings,
    variables: [],
    layers: [],
  };
}

/** What is known of an uploaded image. */
export interface UploadedImage {
  id: string;
  /** Media type of the file. */
  type: string;
  width: number;
  height: number;
}

/**
 * A document of the image's size, or of the largest with its sides, with the image as its only layer. A photo gives
 * JPEG: as PNG it would be many times larger.
 */
export function imageDocument(name: string, image: UploadedImage): Template {
  const shrink = Math.min(1, sideMaxPx / Math.max(image.width, image.height));
  const size = { width: toSide(image.width * shrink), height: toSide(image.height * shrink) };
  return {
    ...blankDocument(name, size.width, size.height),
    ...(image.type === 'image/jpeg' ? { output: { format: 'jpeg' } } : {}),
    layers: [
      {
        id: 'background',
        name: 'Background',
        locked: true,
        type: 'image',
        x: 0,
        y: 0,
        ...size,
        src: image.id,
        fit: 'fill',
      },
    ],
  };
}

/** A name of a file as one of a template: `summer_sale-2.PNG` becomes `summer sale 2`. */
export function nameOfFile(file: string): string {
  const words = file.replace(/\.\w{1,5}$/, '').replaceAll(/[_-]+/g, ' ');
  return toName(words);
}

/** The last word of an address as a name. */
export function nameOfAddress(address: string): string {
  const last = address.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  return nameOfFile(last.replaceAll(/%[\da-f]{2}/gi, ' '));
}

function toName(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, nameLengthMax) || 'Untitled';
}
