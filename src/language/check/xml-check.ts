/** Reads markup strictly as XML, as librsvg does: what is refused here would draw nothing. */
import { createRequire } from 'node:module';
import type * as Saxes from 'saxes';

/** Where a piece of markup stands. Text inside `style` and `script` elements, and CDATA anywhere, is code. */
export type XmlPlace = 'text' | 'code' | 'comment' | 'instruction' | 'name' | 'attribute';

/** Told of each piece of markup; `attribute` is the name of the attribute that holds it. */
export type XmlVisitor = (place: XmlPlace, text: string, attribute?: string) => void;

const svgNamespaces = new Set(['', 'http://www.w3.org/2000/svg']);

/**
 * What keeps markup from being well-formed XML with a root in SVG's namespace or none, to follow a
 * property's name in a sentence; undefined when it is. XML 1.0 and its namespaces, without entities of
 * its own. Never throws, linear time.
 */
export function xmlProblem(markup: string, visit: XmlVisitor = () => {}): string | undefined {
  // Loaded by the first markup: its tables and patterns take 30 ms in each thread, of which most read none.
  const { SaxesParser } = createRequire(import.meta.url)('saxes') as typeof Saxes;
  const parser = new SaxesParser({ xmlns: true, position: true });
  let depth = 0;
  let codeDepth = 0;
  let rootSpace: string | undefined;
  parser.on('opentag', ({ name, local, uri, attributes }) => {
    depth += 1;
    rootSpace ??= uri;
    if (codeDepth === 0 && /^(style|script)$/.test(local)) codeDepth = depth;
    visit('name', name);
    for (const attribute of Object.values(attributes)) {
      visit('name', attribute.name);
      visit('attribute', attribute.value, attribute.name);
    }
  });
  parser.on('closetag', () => {
    if (codeDepth === depth) codeDepth = 0;
    depth -= 1;
  });
  parser.on('text', (text) => visit(codeDepth === 0 ? 'text' : 'code', text));
  parser.on('cdata', (text) => visit('code', text));
  parser.on('comment', (text) => visit('comment', text));
  parser.on('processinginstruction', ({ target, body }) => visit('instruction', target + body));
  parser.on('xmldecl', (declaration) => visit('instruction', Object.values(declaration).join(' ')));
  try {
    parser.write(markup).close();
  } catch (error) {
    return `is no well-formed XML: ${reasonOf(error, markup)}`;
  }
  return svgNamespaces.has(rootSpace ?? '')
    ? undefined
    : `is no SVG: its xmlns is ${JSON.stringify((rootSpace ?? '').slice(0, 60))}, expected "http://www.w3.org/2000/svg"`;
}

/** The parser's sentence, `1:38: undefined entity.`, with what a designer can do. */
function reasonOf(error: unknown, markup: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, line = '', column = '', reason = message] =
    /^(\d+):(\d+): ([^]*?)\.?$/.exec(message) ?? [];
  // A bare ampersand swallows what follows it, and that is what the parser tells.
  const isBare = /&(?!#?\w+;)/.test(markup);
  const told = isBare ? 'a bare &, written &amp;' : reason.slice(0, 80);
  const hint = reason === 'undefined entity' ? ' (write &#160; in place of &nbsp;)' : '';
  return line === '' ? told : `${told}${hint}, at line ${line}, column ${column}`;
}
