/** Binds values and replaces colours in SVG markup, and checks where markup may have bindings. */
import { bindingPattern, bindingsIn, boundValue, drawnValue } from './bindings.ts';
import { variableOf, compileBinding } from '../values/formatted-binding.ts';
import type { FormatContext } from '../values/value-formats.ts';
import type { Variable } from '../schema/template.ts';
import { isolate, joinNumbers, rightToLeftPattern } from './isolation.ts';
import { defectText, visitXml } from '../check/xml-check.ts';
import type { XmlContext } from '../check/xml-check.ts';

/**
 * A binding, or a colour of the markup. `#name` after `url(` or in `href` is a reference to an element. A hex colour
 * directly before a binding is not a whole colour.
 */
const replacedPattern = new RegExp(
  String.raw`${bindingPattern.source}|(?<!url\(\s*["']?|href\s*=\s*["'])#[0-9a-f]{3,8}\b(?!\{\{)|\bcurrentColor\b`,
  'gi',
);
/** A tag, a comment, or an end of CDATA in well-formed markup. Attributes may contain `>`, and comments single quotes. */
const tagPattern = /(<!--[\s\S]*?-->|<!\[CDATA\[|\]\]>|<(?:"[^"]*"|'[^']*'|[^"'<>])*>)/;
const textStart = /^<(?:[\w.-]+:)?text(?=[\s>])(?![\s\S]*\/>$)/;
const textEnd = /^<\/(?:[\w.-]+:)?text\s*>/;
/** A tag that sets the position of its text, as that of another line. */
const positioned = /^<[^\s>]+\s(?:[\s\S]*\s)?[xy]\s*=/;
const hexColor = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * Replaces each `{{name}}` by its value as XML text, and the colours of the markup by `colors`. Both happen in one
 * pass, so that neither changes the result of the other. A replacement that is no hex colour is ignored. Texts of
 * `text` elements take values as text layers do; the rest takes them as they are.
 */
export function bindMarkup(
  svg: string,
  colors: Readonly<Record<string, unknown>>,
  values: ReadonlyMap<string, string>,
  context: FormatContext,
): string {
  const wanted = new Map<string, string>();
  for (const [from, to] of Object.entries(colors)) {
    if (typeof to === 'string' && hexColor.test(to)) wanted.set(longColor(from), to);
  }
  const binds = svg.includes('{{');
  if (wanted.size === 0 && !binds) return svg;
  const bind = (markup: string, write: (source: string) => string): string =>
    markup.replaceAll(replacedPattern, (found, source: string | undefined) =>
      source === undefined ? (wanted.get(longColor(found)) ?? found) : toXml(write(source)),
    );
  const plain = (source: string): string => boundValue(source, values, context);
  const bound = bind(svg, plain);
  if (!binds || (context.liveNumbers === undefined && !rightToLeftPattern.test(bound)))
    return bound;
  const pieces = svg.split(tagPattern);
  const lines = drawnLines(pieces);
  const drawn = (source: string): string => drawnValue(source, values, context);
  const result = pieces.map((piece) => bind(piece, plain));
  for (const index of lines.flat()) result[index] = bind(pieces[index] ?? '', drawn);
  if (!rightToLeftPattern.test(result.join(''))) return result.join('');
  // Values in texts are isolated, those in tags are names, numbers and addresses.
  for (const line of lines) {
    const isolated = line.map((index) =>
      bind(pieces[index] ?? '', (source) => isolate(drawn(source))),
    );
    for (const [at, text] of joinNumbers(isolated).entries()) result[line[at] ?? -1] = text;
  }
  return result.join('');
}

/** Which pieces of markup are drawn as words, in lines: the texts of a `text` element up to another position. */
function drawnLines(pieces: readonly string[]): number[][] {
  const lines: number[][] = [];
  let line: number[] | undefined;
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) line?.push(index);
    else if (textEnd.test(piece)) line = undefined;
    else if (textStart.test(piece) || (line !== undefined && positioned.test(piece))) {
      line = [];
      lines.push(line);
    }
  }
  return lines;
}

/** `#F80` as `#ff8800`. */
function longColor(color: string): string {
  const text = color.toLowerCase();
  return /^#[0-9a-f]{3,4}$/.test(text) ? text.replaceAll(/[0-9a-f]/g, '$&$&') : text;
}

const xmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML cannot contain (XML 1.0, 2.2). One of them makes the whole drawing invalid. */
const noXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Escapes a value for markup: it can open no element and end no attribute. */
function toXml(value: string): string {
  return value
    .replaceAll(noXml, '')
    .replaceAll(/[&<>"']/g, (character) => xmlEscapes[character] ?? '');
}

/** Contexts that may have no binding, in words. */
const closedContexts: Partial<Record<XmlContext, string>> = {
  comment: 'a comment',
  instruction: 'a processing instruction',
  name: 'the name of an element or attribute',
};

/**
 * The problem of the bindings of markup, as words that follow a property's name; undefined if there is none. In text
 * and quoted attributes, escapes keep a value text. CSS and CDATA have no such escapes, so only colours, numbers and
 * booleans may be bound there. `variables` are the template's by name. Linear time.
 */
export function markupBindingProblem(
  svg: string,
  variables: ReadonlyMap<string, Pick<Variable, 'type'>>,
): string | undefined {
  const bindings = bindingsIn(svg);
  if (bindings.length === 0) return undefined;
  // Each binding becomes a unique name, which is valid anywhere in XML. The XML reader then reports its context.
  let mark = 'bound';
  for (let count = 0; svg.includes(mark); count += 1) mark = `bound${count}-`;
  let index = 0;
  const marked = svg.replaceAll(bindingPattern, () => `${mark}${index++}_`);
  const markPattern = new RegExp(`${mark}(\\d+)_`, 'g');
  let problem: string | undefined;
  const malformed = visitXml(marked, (context, text, attribute = '') => {
    for (const [, number] of text.includes(mark) ? text.matchAll(markPattern) : []) {
      const source = bindings[Number(number)] ?? '';
      problem ??= contextProblem(source, typeIn(source, variables), context, attribute);
    }
  });
  return problem ?? (malformed && defectText(malformed));
}

/** The type of a binding's value: a formatted value is text, unless its format maps it to a number or colour. */
function typeIn(
  source: string,
  variables: ReadonlyMap<string, Pick<Variable, 'type'>>,
): Variable['type'] | undefined {
  const type = variables.get(variableOf(source, variables))?.type;
  if (variables.has(source) || !source.includes('|')) return type;
  const { result } = compileBinding(source);
  return result === 'number' || result === 'color' ? result : 'text';
}

function contextProblem(
  name: string,
  type: Variable['type'] | undefined,
  context: XmlContext,
  attribute: string,
): string | undefined {
  const isCode = context === 'code' || attribute === 'style';
  const isSafe = type === 'color' || type === 'number' || type === 'boolean';
  let where = closedContexts[context];
  if (isCode && !isSafe)
    where = 'style sheets or CDATA, which take colours, numbers and booleans only';
  if (/^xmlns(:|$)/.test(attribute)) where = 'a namespace';
  if (where === undefined) return undefined;
  return `binds {{${name}}} in ${where}; bind it in text or in another quoted attribute`;
}
