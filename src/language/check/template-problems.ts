/** Turns schema errors into problems that a designer can correct: one for each path, with the expected value. */
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { suggestName } from './name-suggestions.ts';
import { contentOf, describeSchema, expectationOf } from '../schema/notes.ts';
import { objectBranch, scalarBranch } from '../schema/validator.ts';
import type { ObjectProblem, Validator } from '../schema/validator.ts';

/** One problem of a document: its JSON path, such as `layers[2].fill`, and the expected value. */
export interface TemplateProblem {
  path: string;
  message: string;
}

/** A check in steps of a few milliseconds at most. Other requests may be answered between two of them. */
export type CheckSteps = Generator<undefined, void>;

/** Maximum number of names that one message lists. A text layer has 50 properties. */
const namesMax = 60;

/** Maximum number of problems for one value. Explaining one takes up to 2 ms, so checks stop at this number. */
export const problemsMax = 20;

/** The context for explaining an error. */
interface Checked {
  /** The JSON path of `value` in its document. */
  prefix: string;
  schema: TSchema;
  value: unknown;
}

/**
 * The problems of a value that does not fit `schema`; empty if it fits. Each path has one problem, with what the schema
 * expects there. An unknown property is reported with a suggested name, or with the known names. `prefix` is the JSON
 * path of `value` in its document. Returns at most `problemsMax` problems, and at least one for a value that does not
 * fit. Never throws.
 */
export function findProblems(
  prefix: string,
  schema: TSchema,
  value: unknown,
  validator: Validator,
): TemplateProblem[] {
  if (validator.Check(value)) return [];
  const problems = explainErrors({ prefix, schema, value }, validator.Errors(value));
  // The number of errors is limited, so a value with very many may have none that names a path.
  if (problems.size === 0) add(problems, prefix, 'has too many mistakes to list them');
  return [...problems.values()].slice(0, problemsMax);
}

function explainErrors(
  checked: Checked,
  errors: TLocalizedValidationError[],
): Map<string, TemplateProblem> {
  const { prefix, schema } = checked;
  const problems = new Map<string, TemplateProblem>();
  for (const error of settleUnions(checked, errors, problems)) {
    if (problems.size >= problemsMax) return problems;
    if (error.keyword === 'additionalProperties') {
      const node = nodeAt(schema, error.schemaPath);
      const known = Object.keys(childOf(node, 'properties') ?? {});
      for (const name of error.params.additionalProperties.slice(0, problemsMax)) {
        addUnknown(problems, joinPath(prefix, error.instancePath), name, known, contentOf(node));
      }
      continue;
    }
    // The error of a `false` schema repeats that of additionalProperties.
    const path = joinPath(prefix, error.instancePath);
    if (error.keyword === 'boolean' || problems.has(path)) continue;
    add(problems, path, explain(checked, error));
  }
  return problems;
}

function add(problems: Map<string, TemplateProblem>, path: string, message: string): void {
  problems.set(path, { path: path === '' ? '(document)' : path, message });
}

/** Adds a problem for an unknown property. `content` describes the entries of an object without fixed names. */
function addUnknown(
  problems: Map<string, TemplateProblem>,
  parent: string,
  name: string,
  known: readonly string[],
  content?: string,
): void {
  const meant = suggestName(name, known);
  let expected = `; it has ${listNames(known)}`;
  if (meant !== undefined) expected = `; did you mean ${show(meant)}?`;
  else if (content !== undefined) expected = `, which takes ${content}`;
  // The name comes from the request: it may contain dots and brackets, and be as long as the document.
  const path = joinName(parent, shorten(name));
  add(problems, path, `is not a property of this object${expected}`);
}

function listNames(names: readonly string[]): string {
  const listed = names.slice(0, namesMax).join(', ');
  return names.length > namesMax ? `${listed} …` : listed;
}

/**
 * Reduces the errors of failed unions, which report every branch. If the value matches the kind of one branch (the only
 * object, the gradient of that name), the errors of this branch stay. Otherwise only the union's error stays. For an
 * object that matches no branch, a problem with the missing or wrong property is added to `problems`.
 */
function settleUnions(
  { prefix, schema, value }: Checked,
  errors: readonly TLocalizedValidationError[],
  problems: Map<string, TemplateProblem>,
): TLocalizedValidationError[] {
  let left = [...errors];
  const unions = errors.filter((error) => error.keyword === 'anyOf');
  for (const union of unions.toSorted((a, b) => a.schemaPath.length - b.schemaPath.length)) {
    const { schemaPath, instancePath } = union;
    const start = `${schemaPath}/anyOf/`;
    const inside = left.filter(
      (error) => error.schemaPath.startsWith(start) && isWithin(error.instancePath, instancePath),
    );
    // An outer union has already replaced this error.
    if (!left.includes(union)) continue;
    const branchOf = (error: TLocalizedValidationError): string =>
      error.schemaPath.slice(start.length).split('/')[0] ?? '';
    const actual = valueAt(value, instancePath);
    const object = isObject(actual) ? objectBranch(nodeAt(schema, schemaPath), actual) : undefined;
    if (object !== undefined && 'kind' in object) {
      addObjectProblem(problems, joinPath(prefix, instancePath), actual as object, object);
      left = left.filter((error) => error !== union && !inside.includes(error));
      continue;
    }
    const branch = object?.index ?? scalarBranch(inside, branchOf, instancePath);
    const drop = (error: TLocalizedValidationError): boolean =>
      branch === undefined
        ? inside.includes(error)
        : error === union || (inside.includes(error) && branchOf(error) !== branch);
    left = left.filter((error) => !drop(error));
  }
  return left;
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

function addObjectProblem(
  problems: Map<string, TemplateProblem>,
  path: string,
  value: object,
  problem: ObjectProblem,
): void {
  if (problem.kind === 'word') {
    const actual = show(Reflect.get(value, problem.property));
    const expected = problem.words.map(show).join(' or ');
    add(problems, joinName(path, problem.property), `is ${actual}, expected ${expected}`);
    return;
  }
  for (const name of Object.keys(value).slice(0, namesMax)) {
    if (!problem.known.includes(name)) addUnknown(problems, path, name, problem.known);
  }
  add(problems, path, `needs ${problem.tells.map(show).join(' or ')}`);
}

function explain({ schema, value }: Checked, error: TLocalizedValidationError): string {
  const node = nodeAt(schema, error.schemaPath);
  if (error.keyword === 'required') {
    const names = error.params.requiredProperties;
    const [only = ''] = names;
    return names.length > 1
      ? `needs ${names.map(show).join(', ')}`
      : missingProperty(only, childOf(childOf(node, 'properties'), only));
  }
  // A union with a binding carries the description of its other branch.
  const parent = error.schemaPath.replace(/\/anyOf\/\d+$/, '');
  const described = [nodeAt(schema, parent), node].find(
    (each) => describeSchema(each) !== undefined,
  );
  const actual = valueAt(value, error.instancePath);
  const expected = expectationOf(described ?? nodeAt(schema, parent)) ?? 'another value';
  return `is ${show(actual)}, expected ${expected}${question(node, actual)}`;
}

/** The problem of an object without a property that it needs. */
function missingProperty(name: string, schema: unknown): string {
  const expected = expectationOf(schema);
  return `needs ${show(name)}${expected === undefined ? '' : `, ${expected}`}`;
}

/** The end of a message: the suggested word, if the schema lists words. */
function question(node: unknown, actual: unknown): string {
  const branches = childOf(node, 'anyOf');
  const nodes: unknown[] = Array.isArray(branches) ? branches : [node];
  const words = nodes.map((each) => childOf(each, 'enum')).find(Array.isArray);
  if (typeof actual !== 'string' || words === undefined) return '';
  const meant = suggestName(actual, words.map(String));
  return meant === undefined ? '' : `; did you mean ${show(meant)}?`;
}

function nodeAt(schema: TSchema, schemaPath: string): unknown {
  return schemaPath.split('/').slice(1).map(unescapePointer).reduce<unknown>(childOf, schema);
}

function valueAt(value: unknown, instancePath: string): unknown {
  return instancePath.split('/').slice(1).map(unescapePointer).reduce<unknown>(childOf, value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

/** A value for a message, in at most 60 UTF-16 units. */
export function show(value: unknown): string {
  // Lists and objects are not written: they may be nested deeper than the call stack.
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  // A numeric property that binds a text that is no number.
  if (Number.isNaN(value)) return 'no number';
  // JSON cannot write Infinity, which 1e999 is read as.
  if (typeof value === 'number') return String(value);
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
  return pointer.split('/').slice(1).map(unescapePointer).reduce(joinName, prefix);
}

function joinName(path: string, name: string): string {
  if (/^\d+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}
