/**
 * Reads markup strictly as XML, like librsvg, which draws nothing of malformed markup. All SVG from requests passes
 * through this reader.
 */
import { createRequire } from 'node:module';
import type * as Saxes from 'saxes';

/** The start of an element. Names are as written; attribute values have their character references resolved. */
export interface XmlElement {
  name: string;
  /** The name without its prefix. */
  local: string;
  attributes: readonly { name: string; local: string; value: string }[];
  /** Number of ancestors. */
  depth: number;
}

/** The reason why markup is refused. */
export interface XmlDefect {
  /** Words that follow a property's name. */
  fact: string;
  /** Advice to the designer, as words that follow `fact`. */
  remedy?: string;
  /** The markup is not an SVG. */
  isNoSvg?: true;
}

/** Callbacks for each piece of markup, in order. A returned defect refuses the markup and stops the reader. */
export interface XmlEvents {
  open?: (element: XmlElement) => XmlDefect | undefined;
  /** Also called for a self-closing element. */
  close?: (depth: number) => XmlDefect | undefined;
  text?: (text: string) => XmlDefect | undefined;
  cdata?: (text: string) => XmlDefect | undefined;
  comment?: (text: string) => XmlDefect | undefined;
  instruction?: (text: string) => XmlDefect | undefined;
  documentType?: () => XmlDefect | undefined;
}

/** The defect as the end of a sentence that starts with a property's name. */
export function defectText({ fact, remedy }: XmlDefect): string {
  return remedy === undefined ? fact : `${fact}; ${remedy}`;
}

/** The kind of a piece of markup. Text inside `style` and `script` elements, and CDATA anywhere, is code. */
export type XmlContext = 'text' | 'code' | 'comment' | 'instruction' | 'name' | 'attribute';

/** Callback for each piece of markup. `attribute` is the name of the attribute that holds it. */
export type XmlVisitor = (context: XmlContext, text: string, attribute?: string) => void;

const svgNamespaces = new Set(['', 'http://www.w3.org/2000/svg']);

/** Thrown to stop the parser when an event refuses the markup. */
class Refusal extends Error {
  readonly defect: XmlDefect;

  constructor(defect: XmlDefect) {
    super(defect.fact);
    this.defect = defect;
  }
}

function check(defect: XmlDefect | undefined): void {
  if (defect !== undefined) throw new Refusal(defect);
}

/**
 * The defect of markup: one that an event returned, malformed XML, or a root outside SVG's namespace. XML is 1.0 with
 * namespaces, without custom entities. Undefined if there is none. Never throws. Linear time, without recursion.
 */
export function readXml(markup: string, events: XmlEvents): XmlDefect | undefined {
  // Loaded on first use: its tables and patterns take 30 ms in each thread, and most threads read no markup.
  const { SaxesParser } = createRequire(import.meta.url)('saxes') as typeof Saxes;
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  let rootSpace: string | undefined;
  parser.on('opentag', ({ name, local, uri, attributes }) => {
    rootSpace ??= uri;
    check(events.open?.({ name, local, attributes: Object.values(attributes), depth }));
    depth += 1;
  });
  parser.on('closetag', () => {
    depth -= 1;
    check(events.close?.(depth));
  });
  parser.on('text', (text) => check(events.text?.(text)));
  parser.on('cdata', (text) => check(events.cdata?.(text)));
  parser.on('comment', (text) => check(events.comment?.(text)));
  parser.on('processinginstruction', ({ target, body }) =>
    check(events.instruction?.(`${target} ${body}`)),
  );
  parser.on('xmldecl', (declaration) =>
    check(events.instruction?.(Object.values(declaration).join(' '))),
  );
  parser.on('doctype', () => check(events.documentType?.()));
  try {
    parser.write(markup).close();
  } catch (error) {
    return error instanceof Refusal
      ? error.defect
      : { fact: `is no well-formed XML: ${reasonOf(error, markup)}` };
  }
  if (svgNamespaces.has(rootSpace ?? '')) return undefined;
  const shown = JSON.stringify((rootSpace ?? '').slice(0, 60));
  return {
    fact: `is no SVG: its xmlns is ${shown}, expected "http://www.w3.org/2000/svg"`,
    isNoSvg: true,
  };
}

/** As `readXml`, with a visitor that gets the context of each piece and refuses nothing. */
export function visitXml(markup: string, visit: XmlVisitor): XmlDefect | undefined {
  // Depth of the outermost `style` or `script` around the text; Infinity outside of both.
  let codeDepth = Infinity;
  const pass = (context: XmlContext, text: string): undefined => {
    visit(context, text);
  };
  return readXml(markup, {
    open({ name, local, attributes, depth }): undefined {
      if (codeDepth === Infinity && /^(style|script)$/.test(local)) codeDepth = depth;
      visit('name', name);
      for (const attribute of attributes) {
        visit('name', attribute.name);
        visit('attribute', attribute.value, attribute.name);
      }
    },
    close(depth): undefined {
      if (depth === codeDepth) codeDepth = Infinity;
    },
    text: (text) => pass(codeDepth === Infinity ? 'text' : 'code', text),
    cdata: (text) => pass('code', text),
    comment: (text) => pass('comment', text),
    instruction: (text) => pass('instruction', text),
  });
}

/** The parser's message, such as `1:38: undefined entity.`, with advice to the designer. */
function reasonOf(error: unknown, markup: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, line = '', column = '', reason = message] =
    /^(\d+):(\d+): ([^]*?)\.?$/.exec(message) ?? [];
  // After a bare ampersand, the parser reports a mistake in the text that follows it.
  const isBare = /&(?!#?\w+;)/.test(markup);
  const isCut = reason === 'document must contain a root element';
  const detail = isBare
    ? 'a bare &, written &amp;'
    : isCut
      ? 'its first tag does not end'
      : reason.slice(0, 80);
  const hint = reason === 'undefined entity' ? ' (write &#160; in place of &nbsp;)' : '';
  return line === '' ? detail : `${detail}${hint}, at line ${line}, column ${column}`;
}
