/** Checks that SVG markup is well-formed and loads nothing from outside. The SVG process bounds its cost. */
import { isFrameMarker } from '../limits/image-costs.ts';
import type { XmlDefect, XmlElement } from './xml-check.ts';
import { defectText, readXml } from './xml-check.ts';

/** Maximum depth of elements. libxml2 refuses 257; drawings have about 20. */
const nestingMax = 128;

/** The problem of markup, as words that follow a property's name; undefined if it can be drawn. */
export function svgProblem(markup: string, bindings?: 'open' | 'bound'): string | undefined {
  const defect = svgDefect(markup, bindings);
  return defect && defectText(defect);
}

/**
 * The defect of markup; undefined if it can be drawn. With `open`, `{{name}}` may be in an address, which is checked
 * after binding. Linear time.
 *
 * Attacks: a document type whose entities multiply (billion laughs) or read files; images and style sheets from
 * outside; another SVG or a huge image in a data: URL; any of these with escapes. The number of elements does not bound
 * the cost of drawing: a dash of 0.01 on a long path is one element. The process that draws has limits on time and
 * memory instead.
 */
export function svgDefect(
  markup: string,
  bindings: 'open' | 'bound' = 'bound',
): XmlDefect | undefined {
  if (!/<[A-Za-z_]/.test(markup)) return { fact: 'is no SVG: it has no element', isNoSvg: true };
  const isOpen = bindings === 'open';
  let hasRoot = false;
  // All text of the open `style` element, so that comments between its parts hide nothing.
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
      // The prolog is removed before drawing. After it, librsvg obeys this instruction anywhere.
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

/** Whether librsvg draws nothing with this size, or fails. A binding is not a number yet, so it passes. */
function isFlat(name: string, value: string): boolean {
  const numbers = value
    .trim()
    .split(/[\s,]+/)
    .map(Number.parseFloat);
  const sizes = name === 'viewBox' ? numbers.slice(2, 4) : numbers.slice(0, 1);
  return sizes.some((size) => (size >= 0 && size < 0.001) || size > 1_000_000);
}

/** The defect of the addresses that an element's attributes load. */
function elementDefect(
  { name, local, attributes }: XmlElement,
  isOpen: boolean,
): XmlDefect | undefined {
  if (local === 'include') return loadsFromOutside(`<${name}>`);
  for (const attribute of attributes) {
    // `href` of an `<a>` element loads nothing. Any prefix may be bound to XLink.
    const isAddress = local !== 'a' && /^href$/i.test(attribute.local);
    const defect =
      (isAddress ? addressDefect(readEscapes(attribute.value).trim(), isOpen) : undefined) ??
      cssDefect(attribute.value, isOpen);
    if (defect !== undefined) return defect;
  }
  return undefined;
}

/** The defect of the addresses that CSS loads. `css` is a style sheet or the value of an attribute. */
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

/** Resolves CSS escapes: `\\75 rl(` becomes `url(`. */
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

/** The defect of an address. It must be a reference to an element (`#id`) or an embedded image (`data:`). */
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

// Checks the data: URLs of SVG markup. They may hold images with a limited number of pixels, and fonts.

/** A data: URL of an image or a font. White space is allowed between base64 characters. */
const dataPattern =
  /^data:(?:image|font|application)\/[\w.+-]+(?:;[\w-]+=[\w-]+)*;base64,([A-Z0-9+/=\s]*)$/i;
const pngStart = '89504e470d0a1a0a';
/** First bytes of WOFF, WOFF2, OpenType and TrueType. Embedded fonts are ignored, but common. */
const fontStart = /^(774f4646|774f4632|4f54544f|00010000|74727565)/;
/** Maximum pixels of an image in a drawing. 64 KiB seldom hold more, but can hold 256 million of one colour. */
export const embeddedPixelsMax = 4_000_000;

/**
 * Pixels of the image in a data: URL, 0 for a font; undefined for anything else. The first bytes decide, because
 * librsvg loads an SVG of any media type. A PNG of 31 KB can declare 16,000 x 16,000 pixels, which took 20 s and
 * 2.6 GB.
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

/** Pixels of the largest frame that a JPEG declares; undefined without a frame. */
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
    // Markers without a length, fill bytes, and escaped 0xFF bytes (0xFF 0x00) in the data of a scan.
    const isBare = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9);
    offset += isBare ? 1 : 2 + bytes.readUInt16BE(offset + 2);
  }
  return pixels;
}

// Detects HTML in an SVG. librsvg leaves it out without an error.

/** Whether markup has a `foreignObject`, with which Figma writes angular gradients. Linear time. */
export function hasForeignObject(markup: string): boolean {
  if (!markup.includes('foreignObject')) return false;
  return /<(?:[\w.-]+:)?foreignObject[\s/>]/.test(withoutComments(markup));
}

/** As `hasForeignObject`, for a file in any XML encoding: all write the name in ASCII, possibly with zeros. */
export function fileHasForeignObject(bytes: Uint8Array): boolean {
  return hasForeignObject(Buffer.from(bytes).toString('latin1').replaceAll('\0', ''));
}

/** Removes comments. A regular expression would take quadratic time for comments that do not end. */
export function withoutComments(markup: string): string {
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
