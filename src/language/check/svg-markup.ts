/** Says whether SVG markup may be drawn: well-formed, and with nothing from outside. What it may cost is bounded where it is drawn. */
import { embeddedPixels, embeddedPixelsMax } from '../embedded-data.ts';
import type { XmlElement } from './xml-check.ts';
import { readXml } from './xml-check.ts';

/** Elements within elements: libxml2 refuses 257, drawings have some 20. */
const nestingMax = 128;

/**
 * What is wrong with markup, to follow a property's name in a sentence; undefined when it can be drawn. With
 * `open`, `{{name}}` is not yet bound, and may stand in an address for what will be looked at then.
 *
 * The attacks: a document type whose entities multiply (billion laughs) or read files; images and
 * style sheets from disk or network; another SVG or a huge image in a data: URL; any of these written
 * with escapes. Linear time. No count of elements tells what drawing costs (a dash of 0.01 on a long path
 * is one element): the process that draws has limits on time and memory instead.
 */
export function svgProblem(
  markup: string,
  bindings: 'open' | 'bound' = 'bound',
): string | undefined {
  if (!/<[A-Za-z_]/.test(markup)) return 'is no SVG: it has no element';
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
      if (element.depth >= nestingMax) return `has elements nested deeper than ${nestingMax}`;
      if (styleDepth === Infinity && element.local === 'style') styleDepth = element.depth;
      const problem = hasRoot ? undefined : rootProblem(element);
      hasRoot = true;
      return problem ?? elementProblem(element, isOpen);
    },
    close(depth) {
      if (depth !== styleDepth) return undefined;
      const problem = cssProblem(rules.join(''), isOpen);
      styleDepth = Infinity;
      rules = [];
      return problem;
    },
    text: addRules,
    cdata: addRules,
    instruction: (text) =>
      // The prolog is cut off before drawing; librsvg obeys this one anywhere.
      hasRoot && text.startsWith('xml-stylesheet')
        ? 'has an <?xml-stylesheet?> instruction; put its rules into a <style>'
        : undefined,
    documentType: () => 'has a document type; remove it',
  });
}

function rootProblem({ local, attributes }: XmlElement): string | undefined {
  if (local !== 'svg') return 'is no SVG: its first element is not <svg>';
  const values = new Map(attributes.map(({ name, value }) => [name, value]));
  if (!(values.has('width') && values.has('height')) && !values.has('viewBox')) {
    return 'needs a viewBox, or a width and a height, on its <svg>';
  }
  const flat = ['width', 'height', 'viewBox'].find((name) => isFlat(name, values.get(name) ?? ''));
  return flat === undefined
    ? undefined
    : `has a ${flat} that leaves nothing to draw on its <svg>, expected sizes from 0.001 to 1000000`;
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
function elementProblem(
  { name, local, attributes }: XmlElement,
  isOpen: boolean,
): string | undefined {
  if (local === 'include') return outsideProblem(`<${name}>`);
  for (const attribute of attributes) {
    // A link around a shape is only a link. Any prefix may stand for XLink.
    const isAddress = local !== 'a' && /^href$/i.test(attribute.local);
    const problem =
      (isAddress ? addressProblem(readEscapes(attribute.value).trim(), isOpen) : undefined) ??
      cssProblem(attribute.value, isOpen);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What is wrong with what rules of CSS load: those of a style sheet, or the value of an attribute. */
function cssProblem(css: string, isOpen: boolean): string | undefined {
  if (!/[(\\@]/.test(css)) return undefined;
  const plain = readEscapes(css);
  for (const pattern of [/url\(\s*["']?\s*([^"')]*)/gi, /@import\s*([^;]*)/gi]) {
    for (const [, address = ''] of plain.matchAll(pattern)) {
      const problem = addressProblem(address.trim(), isOpen);
      if (problem !== undefined) return problem;
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

function outsideProblem(address: string): string {
  return `loads ${JSON.stringify(address.slice(0, 60))} from outside, which is never done; use an image layer`;
}

/** An address leads to an element, or to a picture within itself. */
function addressProblem(address: string, isOpen: boolean): string | undefined {
  if (/^(#|$)/.test(address) || (isOpen && address.startsWith('{{'))) return undefined;
  const shown = JSON.stringify(address.slice(0, 60));
  if (!/^data:/i.test(address)) {
    return outsideProblem(address);
  }
  if (isOpen && address.includes('{{')) return undefined;
  const pixels = embeddedPixels(address);
  if (pixels === undefined) {
    return `embeds ${shown}, expected a PNG or JPEG picture in base64: another SVG or anything else is never loaded`;
  }
  return pixels > embeddedPixelsMax
    ? `embeds a picture of ${pixels} pixels, the limit is ${embeddedPixelsMax}; use an image layer`
    : undefined;
}
