/** Says whether SVG markup may be drawn: well-formed, and with nothing from outside. What it may cost is bounded where it is drawn. */
import type { XmlDefect, XmlElement } from './xml-check.ts';
import { defectText, readXml } from './xml-check.ts';

/** Elements within elements: libxml2 refuses 257, drawings have some 20. */
const nestingMax = 128;

/** What is wrong with markup, to follow a property's name in a sentence; undefined when it can be drawn. */
export function svgProblem(markup: string, bindings?: 'open' | 'bound'): string | undefined {
  const defect = svgDefect(markup, bindings);
  return defect && defectText(defect);
}

/**
 * What is wrong with markup; undefined when it can be drawn. With `open`, `{{name}}` is not yet bound, and may stand in an
 * address for what will be looked at then.
 *
 * The attacks: a document type whose entities multiply (billion laughs) or read files; images and
 * style sheets from disk or network; another SVG or a huge image in a data: URL; any of these written
 * with escapes. Linear time. No count of elements tells what drawing costs (a dash of 0.01 on a long path
 * is one element): the process that draws has limits on time and memory instead.
 */
export function svgDefect(
  markup: string,
  bindings: 'open' | 'bound' = 'bound',
): XmlDefect | undefined {
  if (!/<[A-Za-z_]/.test(markup)) return { fact: 'is no SVG: it has no element', isNoSvg: true };
  const isOpen = bindings === 'open';
  let hasRoot = false;
  // The rules of the `style` element that is open, in all its pieces: a comment between them hides nothing.
  let rules: string[] = [];
  let styleDepth = Infinity;
  const addRules = (text: string): undefined => {
    if (styleDepth !== Infinity) rules.push(text);
  };
  return readXml(markup, {
    open(element) {
      if (element.depth >= nestingMax)
        return { fact: `has elements nested deeper than ${nestingMax}` };
      if (styleDepth === Infinity && element.local === 'style') styleDepth = element.depth;
      const defect = hasRoot ? undefined : rootDefect(element);
      hasRoot = true;
      return defect ?? elementDefect(element, isOpen);
    },
    close(depth) {
      if (depth !== styleDepth) return undefined;
      const defect = cssDefect(rules.join(''), isOpen);
      styleDepth = Infinity;
      rules = [];
      return defect;
    },
    text: addRules,
    cdata: addRules,
    instruction: (text) =>
      // The prolog is cut off before drawing; librsvg obeys this one anywhere.
      hasRoot && text.startsWith('xml-stylesheet')
        ? { fact: 'has an <?xml-stylesheet?> instruction', remedy: 'put its rules into a <style>' }
        : undefined,
    documentType: () => ({ fact: 'has a document type', remedy: 'remove it' }),
  });
}

function rootDefect({ local, attributes }: XmlElement): XmlDefect | undefined {
  if (local !== 'svg') return { fact: 'is no SVG: its first element is not <svg>', isNoSvg: true };
  const values = new Map(attributes.map(({ name, value }) => [name, value]));
  if (!(values.has('width') && values.has('height')) && !values.has('viewBox')) {
    return { fact: 'needs a viewBox, or a width and a height, on its <svg>' };
  }
  const flat = ['width', 'height', 'viewBox'].find((name) => isFlat(name, values.get(name) ?? ''));
  if (flat === undefined) return undefined;
  return {
    fact: `has a ${flat} that leaves nothing to draw on its <svg>, expected sizes from 0.001 to 1000000`,
  };
}

/** Sizes for which librsvg draws nothing, or fails. A binding is no number yet. */
function isFlat(name: string, value: string): boolean {
  const numbers = value
    .trim()
    .split(/[\s,]+/)
    .map(Number.parseFloat);
  const sizes = name === 'viewBox' ? numbers.slice(2, 4) : numbers.slice(0, 1);
  return sizes.some((size) => (size >= 0 && size < 0.001) || size > 1_000_000);
}

/** What is wrong with what an element's attributes load. */
function elementDefect(
  { name, local, attributes }: XmlElement,
  isOpen: boolean,
): XmlDefect | undefined {
  if (local === 'include') return loadsFromOutside(`<${name}>`);
  for (const attribute of attributes) {
    // A link around a shape is only a link. Any prefix may stand for XLink.
    const isAddress = local !== 'a' && /^href$/i.test(attribute.local);
    const defect =
      (isAddress ? addressDefect(readEscapes(attribute.value).trim(), isOpen) : undefined) ??
      cssDefect(attribute.value, isOpen);
    if (defect !== undefined) return defect;
  }
  return undefined;
}

/** What is wrong with what rules of CSS load: those of a style sheet, or the value of an attribute. */
function cssDefect(css: string, isOpen: boolean): XmlDefect | undefined {
  if (!/[(\\@]/.test(css)) return undefined;
  const plain = readEscapes(css);
  for (const pattern of [/url\(\s*["']?\s*([^"')]*)/gi, /@import\s*([^;]*)/gi]) {
    for (const [, address = ''] of plain.matchAll(pattern)) {
      const defect = addressDefect(address.trim(), isOpen);
      if (defect !== undefined) return defect;
    }
  }
  return undefined;
}

/** Text as CSS reads it: `\\75 rl(` is `url(`. */
function readEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi,
    (_, hex: string | undefined, character: string) =>
      hex === undefined ? character : toCharacter(Number.parseInt(hex, 16)),
  );
}

function toCharacter(codePoint: number): string {
  return codePoint > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(codePoint);
}

function loadsFromOutside(address: string): XmlDefect {
  return {
    fact: `loads ${JSON.stringify(address.slice(0, 60))} from outside, which is never done`,
    remedy: 'use an image layer',
  };
}

/** An address leads to an element, or is an image itself (`data:`). */
function addressDefect(address: string, isOpen: boolean): XmlDefect | undefined {
  if (/^(#|$)/.test(address) || (isOpen && address.startsWith('{{'))) return undefined;
  const shown = JSON.stringify(address.slice(0, 60));
  if (!/^data:/i.test(address)) {
    return loadsFromOutside(address);
  }
  if (isOpen && address.includes('{{')) return undefined;
  const pixels = embeddedPixels(address);
  if (pixels === undefined) {
    return {
      fact: `embeds ${shown}, expected a PNG or JPEG image in base64: another SVG or anything else is never loaded`,
    };
  }
  if (pixels <= embeddedPixelsMax) return undefined;
  return {
    fact: `embeds an image of ${pixels} pixels, the limit is ${embeddedPixelsMax}`,
    remedy: 'use an image layer',
  };
}

// The data: URLs of SVG markup: images of a known size, or fonts, and nothing else.

/** The data of an image or a font. White space may stand between its base64 characters. */
const dataPattern =
  /^data:(?:image|font|application)\/[\w.+-]+(?:;[\w-]+=[\w-]+)*;base64,([A-Z0-9+/=\s]*)$/i;
const pngStart = '89504e470d0a1a0a';
/** WOFF, WOFF2, OpenType and TrueType. No font of a drawing is used, but drawing programs write them. */
const fontStart = /^(774f4646|774f4632|4f54544f|00010000|74727565)/;
/** Frame headers of JPEG (ITU T.81, table B.1); the others of this range are tables. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Pixels of one image inside a drawing: 64 KiB of data seldom hold more, and 256 million of one colour fit in. */
export const embeddedPixelsMax = 4_000_000;

/**
 * Pixels of the image in a data: URL, 0 of a font; undefined for anything else. The first bytes decide, not the media
 * type: librsvg loads an SVG of any type, with all that it repeats. 31 KB of PNG can declare 16,000 x 16,000 pixels,
 * which took 20 s and 2.6 GB.
 */
function embeddedPixels(url: string): number | undefined {
  const base64 = dataPattern.exec(url)?.[1];
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const start = bytes.toString('hex', 0, 8);
  if (fontStart.test(start)) return 0;
  if (start === pngStart) return bytes.length < 24 ? undefined : pixelsAt(bytes, 16, 4);
  return start.startsWith('ffd8ff') ? jpegPixels(bytes) : undefined;
}

function pixelsAt(bytes: Buffer, offset: number, size: 2 | 4): number {
  return bytes.readUIntBE(offset, size) * bytes.readUIntBE(offset + size, size);
}

/** The largest frame that a JPEG announces; undefined without one. */
function jpegPixels(bytes: Buffer): number | undefined {
  let pixels: number | undefined;
  let offset = 2;
  while (offset + 9 <= bytes.length) {
    if (bytes[offset] !== 0xff) {
      offset += 1;
      continue;
    }
    const marker = bytes[offset + 1] ?? 0;
    if (isFrameMarker(marker)) pixels = Math.max(pixels ?? 0, pixelsAt(bytes, offset + 5, 2));
    // Markers without a length, fill bytes, and the data of a scan, in which 0xFF is followed by 0.
    const isBare = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9);
    offset += isBare ? 1 : 2 + bytes.readUInt16BE(offset + 2);
  }
  return pixels;
}

// Tells which SVG has HTML in it, which librsvg leaves out without an error.

/** Whether markup has an element of HTML, as Figma writes angular gradients. Linear time. */
export function hasForeignObject(markup: string): boolean {
  if (!markup.includes('foreignObject')) return false;
  return /<(?:[\w.-]+:)?foreignObject[\s/>]/.test(withoutComments(markup));
}

/** As `hasForeignObject`, of a file in any encoding of XML: the element's name is ASCII in all of them, or ASCII and zeros. */
export function fileHasForeignObject(bytes: Uint8Array): boolean {
  return hasForeignObject(Buffer.from(bytes).toString('latin1').replaceAll('\0', ''));
}

/** A pattern would take quadratic time for comments that do not end. */
function withoutComments(markup: string): string {
  let plain = '';
  for (let at = 0; ;) {
    const start = markup.indexOf('<!--', at);
    if (start === -1) return plain + markup.slice(at);
    plain += markup.slice(at, start);
    const end = markup.indexOf('-->', start + 4);
    if (end === -1) return plain;
    at = end + 3;
  }
}
