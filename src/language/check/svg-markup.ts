/** Says whether SVG markup may be drawn: well-formed, and with nothing from outside. What it may cost is bounded where it is drawn. */
import { embeddedPixels, embeddedPixelsMax } from '../embedded-data.ts';
import { xmlProblem } from './xml-check.ts';

/** Elements within elements: libxml2 refuses 257, drawings have some 20. */
const nestingMax = 128;
interface Element {
  name: string;
  /** As XML and CSS read them: without character references and escapes, which could hide an address. */
  attributes: string;
  /** Characters directly inside; of a `style` element, its rules. */
  text: string;
  children: Element[];
}

/** A tag; quoted values may hold brackets. */
const tagPattern = /<(\/?)([A-Za-z_][\w.:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/y;

/**
 * What is wrong with markup, to follow a property's name in a sentence; undefined when it can be drawn. With
 * `open`, `{{name}}` is not yet bound, and may stand in an address for what will be looked at then.
 *
 * The attacks: a document type whose entities multiply (billion laughs) or read files; pictures and
 * style sheets from disk or network; another SVG or a huge picture in a data: URL; any of these written
 * with escapes. Linear time. No count of elements tells what drawing costs (a dash of 0.01 on a long path
 * is one element): the process that draws has limits on time and memory instead.
 */
export function svgProblem(
  markup: string,
  bindings: 'open' | 'bound' = 'bound',
): string | undefined {
  const root = parseElements(markup);
  if (typeof root === 'string') return root;
  const { attributes } = root;
  if (plainName(root) !== 'svg') return 'is no SVG: its first element is not <svg>';
  const hasSize = /\swidth\s*=/.test(attributes) && /\sheight\s*=/.test(attributes);
  if (!hasSize && !/\sviewBox\s*=/.test(attributes)) {
    return 'needs a viewBox, or a width and a height, on its <svg>';
  }
  const flat = ['width', 'height', 'viewBox'].find((name) => isFlat(attributes, name));
  if (flat !== undefined) {
    return `has a ${flat} that leaves nothing to draw on its <svg>, expected sizes from 0.001 to 1000000`;
  }
  for (const address of listElements(root).flatMap(addressesOf)) {
    const problem = addressProblem(address, bindings === 'open');
    if (problem !== undefined) return problem;
  }
  return xmlProblem(markup);
}

/** Sizes for which librsvg draws nothing, or fails. A binding is no number yet. */
function isFlat(attributes: string, name: string): boolean {
  const value = new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(attributes)?.[1] ?? '';
  const numbers = value
    .trim()
    .split(/[\s,]+/)
    .map(Number.parseFloat);
  const sizes = name === 'viewBox' ? numbers.slice(2, 4) : numbers.slice(0, 1);
  return sizes.some((size) => (size >= 0 && size < 0.001) || size > 1_000_000);
}

/** The root element, or what is wrong. */
function parseElements(markup: string): Element | string {
  const top: Element = { name: '', attributes: '', text: '', children: [] };
  const open = [top];
  let position = 0;
  while (position < markup.length) {
    const next = markup.indexOf('<', position);
    const current = open.at(-1) ?? top;
    current.text += markup.slice(position, next === -1 ? undefined : next);
    if (next === -1) break;
    const skipped = skipSpecial(markup, next);
    if (typeof skipped === 'string') return skipped;
    // The prolog is cut off before drawing; librsvg obeys this one anywhere.
    if (top.children.length > 0 && markup.startsWith('<?xml-stylesheet', next))
      return 'has an <?xml-stylesheet?> instruction; put its rules into a <style>';
    if (skipped !== undefined) {
      if (markup.startsWith('<![', next)) current.text += markup.slice(next + 9, skipped - 3);
      position = skipped;
      continue;
    }
    tagPattern.lastIndex = next;
    const [, closing, name = '', attributes = ''] = tagPattern.exec(markup) ?? [];
    if (name === '') {
      return `has broken markup near ${JSON.stringify(markup.slice(next, next + 20))}`;
    }
    position = tagPattern.lastIndex;
    if (closing === '/') {
      if (open.pop()?.name !== name || open.length === 0) return `has a </${name}> too many`;
      continue;
    }
    const element = { name, attributes: readEscapes(attributes), text: '', children: [] };
    current.children.push(element);
    if (!attributes.endsWith('/')) open.push(element);
    if (open.length > nestingMax) return `has elements nested deeper than ${nestingMax}`;
  }
  if (open.length > 1) return `has no </${open.at(-1)?.name ?? ''}>`;
  return top.children[0] ?? 'is no SVG: it has no element';
}

/** Where a comment, a CDATA section or an instruction that begins at `start` ends; a sentence when it may not be. */
function skipSpecial(markup: string, start: number): number | string | undefined {
  for (const [opening, closing] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!markup.startsWith(opening, start)) continue;
    const end = markup.indexOf(closing, start + opening.length);
    return end === -1 ? `has no ${closing} after ${opening}` : end + closing.length;
  }
  return markup.startsWith('<!', start) ? 'has a document type; remove it' : undefined;
}

function listElements(root: Element): Element[] {
  return [root, ...root.children.flatMap(listElements)];
}

function plainName({ name }: Element): string {
  return name.replace(/^.*:/, '');
}

const xmlNames: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Text as XML reads it and then CSS: `&#117;rl(` and `\\75 rl(` are both `url(`. */
function readEscapes(text: string): string {
  if (!/[&\\]/.test(text)) return text;
  const plain = text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
    (whole, decimal: string | undefined, hex: string | undefined, name: string) => {
      if (decimal !== undefined) return toCharacter(Number(decimal));
      if (hex !== undefined) return toCharacter(Number.parseInt(hex, 16));
      return xmlNames[name] ?? whole;
    },
  );
  return plain.replaceAll(
    /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi,
    (_, hex: string | undefined, character: string) =>
      hex === undefined ? character : toCharacter(Number.parseInt(hex, 16)),
  );
}

function toCharacter(codePoint: number): string {
  return codePoint > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(codePoint);
}

/** What an element loads, as it is written. */
function addressesOf(element: Element): string[] {
  const { attributes } = element;
  const name = plainName(element);
  if (name === 'include') return [`<${element.name}${attributes}`];
  const rules = name === 'style' ? `${attributes} ${readEscapes(element.text)}` : attributes;
  return [
    // A link around a shape is only a link. Any prefix may stand for XLink.
    ...(name === 'a' ? [] : attributes.matchAll(/\s(?:[\w.-]+:)?href\s*=\s*["']\s*([^"']*)/gi)),
    ...rules.matchAll(/url\(\s*["']?\s*([^"')]*)/gi),
    ...rules.matchAll(/@import\s*([^;]*)/gi),
  ].map((match) => (match[1] ?? '').trim());
}

/** An address leads to an element, or to a picture within itself. */
function addressProblem(address: string, isOpen: boolean): string | undefined {
  if (/^(#|$)/.test(address) || (isOpen && address.startsWith('{{'))) return undefined;
  const shown = JSON.stringify(address.slice(0, 60));
  if (!/^data:/i.test(address)) {
    return `loads ${shown} from outside, which is never done; use an image layer`;
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
