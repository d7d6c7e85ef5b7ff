/** Creates documents of new templates: blank ones in common sizes, and ones with an uploaded image. */
import type { Template } from '#language/schema/template.ts';

/** A canvas size that many designs have, in design pixels. */
export interface CommonSize {
  id: string;
  name: string;
  width: number;
  height: number;
  /** Settings of documents of this size. */
  settings?: Partial<Template>;
}

/** Common sizes in display order. An email header answers errors with an image: email clients show no errors. */
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

/** Longest side of a canvas, in design pixels (the format's limit). */
export const sideMaxPx = 4096;

/** Longest name of a template, in characters (the format's limit). */
export const nameLengthMax = 200;

/** Rounds a length and clamps it to the sides that a document may have: 1 to `sideMaxPx` design pixels. */
export function toSide(px: number): number {
  return Math.min(sideMaxPx, Math.max(1, Math.round(px) || 1));
}

/** Returns a document without layers on a white background. */
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

/** Facts about an uploaded image; sides in pixels. */
export interface UploadedImage {
  id: string;
  /** Media type of the file. */
  type: string;
  width: number;
  height: number;
}

/** Longest side of a canvas that begins with an image, in design pixels: email programs show no wider one. */
const imageSideMaxPx = 1200;

/**
 * Returns a document with the image as its only layer. The document has the image's size, scaled down to
 * `imageSideMaxPx` if a side is longer. A JPEG image gives JPEG output, because a photo is many times larger as PNG.
 */
export function imageDocument(name: string, image: UploadedImage): Template {
  const shrink = Math.min(1, imageSideMaxPx / Math.max(image.width, image.height));
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
      },
    ],
  };
}

/** Derives a template name from a file name: `summer_sale-2.PNG` becomes `summer sale 2`. */
export function nameOfFile(file: string): string {
  const words = file.replace(/\.\w{1,5}$/, '').replaceAll(/[_-]+/g, ' ');
  return toName(words);
}

/** Derives a template name from the last path segment of an address. */
export function nameOfAddress(address: string): string {
  const last = address.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  return nameOfFile(last.replaceAll(/%[\da-f]{2}/gi, ' '));
}

function toName(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().slice(0, nameLengthMax) || 'Untitled';
}
