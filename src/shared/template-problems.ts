/** Turns schema errors into problems that a designer can mend: one a place, with what was expected there. */
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';

/** One thing wrong with a document: where (a JSON path such as `layers[2].fill`) and what was expected. */
export interface TemplateProblem {
  path: string;
  message: string;
}

/**
 * One problem a place: the deepest place that an error names, with what the schema there describes.
 * `prefix` is the JSON path of `value` in its document. Never throws.
 */
export function toProblems(
  prefix: string,
  schema: TSchema,
  value: unknown,
  errors: TLocalizedValidationError[],
): TemplateProblem[] {
  const problems = new Map<string, TemplateProblem>();
  for (const error of settleUnions(errors)) {
    if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) {
        // A name is a caller's: it may hold what a path is written with, and be as long as the document.
        const last = shorten(name).replaceAll('~', '~0').replaceAll('/', '~1');
        const path = joinPath(prefix, `${error.instancePath}/${last}`);
        const message = 'is not a property of this object; remove it or check its spelling';
        problems.set(path, { path, message });
      }
      continue;
    }
    // A `false` schema repeats what additionalProperties says.
    const path = joinPath(prefix, error.instancePath);
    if (error.keyword === 'boolean' || problems.has(path)) continue;
    const message = explain(schema, value, error);
    problems.set(path, { path: path === '' ? '(document)' : path, message });
  }
  return [...problems.values()];
}

/**
 * A failed union reports every branch. When the value has the kind of just one of them (the only
 * object, the gradient of that name), that branch's errors are the true ones; else only the union's is.
 */
function settleUnions(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError[] {
  let left = [...errors];
  const unions = errors.filter((error) => error.keyword === 'anyOf');
  for (const union of unions.toSorted((a, b) => a.schemaPath.length - b.schemaPath.length)) {
    const start = `${union.schemaPath}/anyOf/`;
    const inside = left.filter((error) => error.schemaPath.startsWith(start));
    const branchOf = (error: TLocalizedValidationError): string =>
      error.schemaPath.slice(start.length).split('/')[0] ?? '';
    const otherKinds = new Set(
      inside.filter((error) => tellsKind(error, union.instancePath)).map(branchOf),
    );
    const branches = [...new Set(inside.map(branchOf))].filter((name) => !otherKinds.has(name));
    const drop = (error: TLocalizedValidationError): boolean =>
      branches.length === 1
        ? error === union || (inside.includes(error) && branchOf(error) !== branches[0])
        : inside.includes(error);
    left = left.filter((error) => !drop(error));
  }
  return left;
}

function tellsKind(error: TLocalizedValidationError, path: string): boolean {
  if (error.keyword === 'type' || error.keyword === 'pattern') return error.instancePath === path;
  if (error.keyword !== 'required') return error.keyword === 'const';
  // A fill without its telling property is another kind of fill.
  return error.params.requiredProperties.some((name) => name === 'gradient' || name === 'image');
}

function explain(schema: TSchema, value: unknown, error: TLocalizedValidationError): string {
  if (error.keyword === 'required') {
    return `needs ${error.params.requiredProperties.map(show).join(', ')}`;
  }
  const keys = error.instancePath.split('/').slice(1).map(unescapePointer);
  const description = describeAt(schema, error.schemaPath);
  const actual = show(keys.reduce<unknown>((at, key) => childOf(at, key), value));
  return `is ${actual}, expected ${description ?? expectation(error.message)}`;
}

/** What a validator's sentence demands: `must be object` is `an object`. */
function expectation(message: string): string {
  return message
    .replace(/^must be (object|array|integer)/, 'an $1')
    .replace(/^must be /, '')
    .replace(/^must /, 'to ');
}

/** The description of the one schema that a property path leads to, with its range when it has one. */
function describeAt(schema: unknown, schemaPath: string): string | undefined {
  const keys = schemaPath.split('/').slice(1).map(unescapePointer);
  let node: unknown = keys.reduce<unknown>(childOf, schema);
  // A branch of a union of scalars is described by the union.
  const parent =
    keys.at(-2) === 'anyOf' ? keys.slice(0, -2).reduce<unknown>(childOf, schema) : node;
  if (childOf(node, 'description') === undefined) node = parent;
  const description = childOf(node, 'description');
  if (typeof description !== 'string') return undefined;
  const range = rangeOf(node) ?? rangeOf(childOf(childOf(node, 'anyOf'), '0'));
  return /\d/.test(description) || range === undefined ? description : `${description}, ${range}`;
}

function rangeOf(node: unknown): string | undefined {
  const minimum = childOf(node, 'minimum');
  const maximum = childOf(node, 'maximum');
  if (typeof minimum !== 'number' || typeof maximum !== 'number') return undefined;
  return `${minimum} to ${maximum}`;
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

/** A value as it stands in a message: short, whatever was sent. */
export function show(value: unknown): string {
  // What holds others is not shown: it may be nested deeper than the call stack.
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'missing';
  return shorten(text);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function joinPath(prefix: string, pointer: string): string {
  const parts = pointer.split('/').slice(1).map(unescapePointer);
  return parts.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === '' ? name : `${path}.${name}`;
  }, prefix);
}
