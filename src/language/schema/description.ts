/** Puts into words what a schema expects, for its errors and for editors. */
import { bindingSource } from '../bind/bindings.ts';

/** A schema's node, read as plain JSON. */
type SchemaNode = Readonly<Record<string, unknown>>;

/** What a schema's node describes, with the bounds that its words leave out; undefined without a description. */
export function describeSchema(node: unknown): string | undefined {
  const { description, anyOf, absent } = asNode(node);
  if (typeof description !== 'string') return undefined;
  const bounds = rangeOf(asNode(node)) ?? rangeOf(asNode(Array.isArray(anyOf) ? anyOf[0] : {}));
  const isSaid = bounds === undefined || bounds.every((bound) => says(description, bound));
  const what = isSaid ? description : `${description}, ${bounds.join(' to ')}`;
  return typeof absent === 'string' ? `${what}; absent: ${absent}` : what;
}

/**
 * What a value must be, to follow `expected`: its type, its bounds or choices, and what it is for. What its
 * absence means is no matter where a value is. Undefined for a node that says none of these.
 */
export function expectationOf(node: unknown): string | undefined {
  const { type, description, anyOf, ...rest } = asNode(node);
  const what = typeof description === 'string' ? description : '';
  if ('const' in rest) {
    const word = String(rest['const']);
    return what.includes(word) ? what : JSON.stringify(rest['const']);
  }
  if (Array.isArray(rest['enum'])) {
    const words = rest['enum'].map(String);
    return words.every((word) => what.includes(word)) ? what : words.join(', ');
  }
  if (Array.isArray(anyOf)) return unionExpectation(anyOf.map(asNode), description);
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return numberExpectation(asNode(node), what);
    case 'string':
      return textExpectation(asNode(node), what);
    case 'array':
      return joinWords('a list', what);
    case 'object':
      return joinWords('an object', what);
    default:
      return what === '' ? undefined : what;
  }
}

/** A union of one kind and a binding is that kind; others are described as a whole. */
function unionExpectation(
  branches: readonly SchemaNode[],
  description: unknown,
): string | undefined {
  const own = branches.filter(({ pattern }) => pattern !== bindingSource);
  const [only] = own;
  if (only === undefined) return undefined;
  if (own.length === 1) {
    return expectationOf(typeof description === 'string' ? { ...only, description } : only);
  }
  if (typeof description !== 'string') return own.map(expectationOf).join(', or ');
  return describeSchema({ description, anyOf: own });
}

function numberExpectation(node: SchemaNode, what: string): string {
  const word = node['type'] === 'integer' ? 'a whole number' : 'a number';
  const bounds = rangeOf(node);
  if (what.includes(word) && (bounds ?? []).every((bound) => says(what, bound))) return what;
  const range = bounds === undefined ? '' : ` from ${bounds.join(' to ')}`;
  const told = what === word ? '' : what.replace(/,? -?[\d.,]+ to -?[\d.,]+(?=;|$)/, '');
  return joinWords(word + range, told);
}

function textExpectation({ pattern, minLength, maxLength }: SchemaNode, what: string): string {
  if (what.startsWith('one of ') || (pattern !== undefined && /^an? /.test(what))) return what;
  if (what.startsWith('text ')) return `a ${what}`;
  const most = typeof maxLength === 'number' ? maxLength.toLocaleString('en') : undefined;
  if (most === undefined || pattern !== undefined || what.includes('text')) {
    return joinWords('a text', what);
  }
  const length = typeof minLength === 'number' ? `${minLength} to ${most}` : `at most ${most}`;
  const told = what.replaceAll(/(, |^)(at most [\d,]+|[\d,]+ to [\d,]+) characters\b/g, '');
  return joinWords(`a text of ${length} characters`, told);
}

/** `a list`, `1 to 50 spans`: a list of 1 to 50 spans. `an object`, `a shadow`: an object: a shadow. */
function joinWords(word: string, what: string): string {
  if (what === '' || what === word) return word;
  if (what.startsWith(word)) return what;
  return /^(\d|at most)/.test(what) ? `${word} of ${what}` : `${word}: ${what}`;
}

/** Whether a text holds a number, as JSON writes it or with commas. */
function says(text: string, bound: number): boolean {
  const plain = text.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  return new RegExp(`(?<![\\d.-])${String(bound).replace('.', '\\.')}(?![\\d.]*\\d)`).test(plain);
}

function rangeOf({ minimum, maximum }: SchemaNode): [number, number] | undefined {
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return undefined;
  return [minimum, maximum];
}

function asNode(node: unknown): SchemaNode {
  return (typeof node === 'object' && node !== null ? node : {}) as SchemaNode;
}
