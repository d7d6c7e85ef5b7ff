/** Says whether SVG markup may be drawn: nothing from outside, and no more work than a picture is worth. */

/** Elements within elements: libxml2 refuses 257, drawings have some 20. */
const nestingMax = 128;
/** Elements with everything that `use`, masks and patterns repeat, weighted by what they cost. */
const costMax = 20_000;

/**
 * Cost of elements beside a plain one's 1. A blur of 1000 x 1000 pixels takes librsvg 46 ms, a mask
 * 12 ms, a layer with opacity 1 ms (measured, one core): the limit keeps a hostile drawing near 2 s.
 */
const filterCost = 500;
const maskCost = 100;
const layerCost = 10;

interface Element {
  name: string;
  attributes: string;
  /** Characters directly inside; of a `style` element, its rules. */
  text: string;
  children: Element[];
}

/** A tag; quoted values may hold brackets. */
const tagPattern = /<(\/?)([A-Za-z_][\w.:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/y;

/**
 * What is wrong with markup, to follow a property's name in a sentence; undefined when it can be drawn.
 *
 * The attacks: a document type whose entities multiply (billion laughs) or read files; pictures and
 * style sheets from disk or network; `use`, masks and patterns that repeat one another to the power of
 * their depth (14 nested masks of two kept librsvg busy for minutes); thousands of blurs. Linear time.
 */
export function svgProblem(markup: string): string | undefined {
  const root = parseElements(markup);
  if (typeof root === 'string') return root;
  const { attributes } = root;
  if (plainName(root) !== 'svg') return 'is no SVG: its first element is not <svg>';
  const hasSize = /\swidth\s*=/.test(attributes) && /\sheight\s*=/.test(attributes);
  if (!hasSize && !/\sviewBox\s*=/.test(attributes)) {
    return 'needs a viewBox, or a width and a height, on its <svg>';
  }
  const elements = listElements(root);
  const outside = elements.flatMap(outsideAddresses)[0];
  if (outside !== undefined) {
    return `loads ${JSON.stringify(outside.slice(0, 60))} from outside, which is never done; use an image layer`;
  }
  return costOf(root, elements) > costMax
    ? 'is too complex: it repeats or filters too much'
    : undefined;
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
    const element = { name, attributes, text: '', children: [] };
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

/** Addresses of an element that lead outside: neither to an element nor to data within themselves. */
function outsideAddresses(element: Element): string[] {
  const { attributes, text } = element;
  const name = plainName(element);
  if (name === 'include') return [`<${element.name}${attributes}`];
  const rules = name === 'style' ? `${attributes} ${text}` : attributes;
  const addresses = [
    // A link around a shape is only a link.
    ...(name === 'a' ? [] : attributes.matchAll(/\s(?:xlink:)?href\s*=\s*["']\s*([^"']*)/gi)),
    ...rules.matchAll(/url\(\s*["']?\s*([^"')]*)/gi),
    ...rules.matchAll(/@import\s*([^;]*)/gi),
  ].map((match) => match[1] ?? '');
  return addresses.filter((address) => !/^(#|data:|\{\{|$)/i.test(address));
}

/** The work of drawing the document with all that its references repeat. */
function costOf(root: Element, elements: readonly Element[]): number {
  const byId = new Map<string, Element>();
  for (const element of elements) {
    const id = /\sid\s*=\s*["']([^"']*)/.exec(element.attributes)?.[1];
    if (id !== undefined) byId.set(id, element);
  }
  const known = new Map<Element, number>();
  const measure = (element: Element): number => {
    const cost = known.get(element);
    if (cost !== undefined) return cost;
    // A circle counts once: librsvg breaks it there.
    known.set(element, 0);
    let sum = ownCost(element);
    for (const child of element.children) sum += measure(child);
    for (const id of referencesOf(element.attributes)) {
      const target = byId.get(id);
      if (target !== undefined) sum += isGradient(target) ? 1 : measure(target);
    }
    known.set(element, sum);
    return sum;
  };
  let sum = measure(root);
  // Rules of a style sheet may apply to every element.
  const rules = elements.filter((element) => plainName(element) === 'style');
  for (const id of new Set(rules.flatMap(({ text }) => referencesOf(text)))) {
    const target = byId.get(id);
    if (target !== undefined) sum += (isGradient(target) ? 1 : measure(target)) * elements.length;
  }
  return sum;
}

function ownCost(element: Element): number {
  const name = plainName(element);
  if (/^fe[A-Z]/.test(name)) return filterCost;
  if (name === 'mask') return maskCost;
  return /(?<![\w-])opacity\s*[=:]|mix-blend-mode/.test(element.attributes) ? layerCost : 1;
}

function isGradient({ name }: Element): boolean {
  return name.endsWith('Gradient');
}

function referencesOf(text: string): string[] {
  const found = text.matchAll(/(?:href\s*=\s*["']\s*|url\(\s*["']?\s*)#([^"')\s]+)/g);
  return [...found].map((match) => match[1] ?? '');
}
