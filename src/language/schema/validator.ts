/** Validates values by a schema, and finds the branch of a union that a value most likely means. */
import type { Static, TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Build, Errors } from 'typebox/schema';
import type { EvaluateResult } from 'typebox/schema';
import { Settings } from 'typebox/system';

/** The validator of a schema. Its methods have TypeBox's names. */
export interface Validator<Value = unknown> {
  Check(value: unknown): value is Value;
  /** The errors of a value, at most 500; empty for a valid value. */
  Errors(value: unknown): TLocalizedValidationError[];
}

// Maximum errors of one value. A union reports every failed branch, and TypeBox's default of 8 would cut this list
// short.
Settings.Set({ maxErrors: 500 });

/** Creates a validator; the first call of a method compiles it (about 1 ms for the schema of a layer). */
export function createValidator<Schema extends TSchema>(schema: Schema): Validator<Static<Schema>> {
  let compiled: EvaluateResult | undefined;
  const check = (value: unknown): value is Static<Schema> => {
    compiled ??= evaluate(schema);
    return compiled.Check(value);
  };
  return {
    Check: check,
    Errors: (value) => (check(value) ? [] : Errors(schema, value)[1]),
  };
}

/** Compiles a schema and drops the source text, which takes 0.5 to 1 MB for the schema of a layer. */
function evaluate(schema: TSchema): EvaluateResult {
  const result = Build(schema).Evaluate();
  Reflect.set(result, 'code', '');
  return result;
}

// Branches of unions: only the errors of the most likely branch are reported.

/** A schema's node, read as plain JSON. */
type SchemaNode = Record<string, unknown>;

/** An object branch and its distinguishing property `tell`. `word` is the value of `tell` if it is constant. */
interface ObjectBranch {
  index: string;
  properties: SchemaNode;
  tell: string;
  word: unknown;
}

/** The reason why an object matches no branch of a union with several kinds of objects. */
export type ObjectProblem =
  | { kind: 'word'; property: string; words: string[] }
  | { kind: 'unknown'; tells: string[]; known: string[] };

/**
 * The branch that an object means by its distinguishing property, or the reason why there is none. Undefined for a
 * union without objects.
 */
export function objectBranch(
  union: unknown,
  value: object,
): { index: string } | ObjectProblem | undefined {
  const branches = objectBranches(union);
  if (branches.length < 2) return branches[0];
  const named = branches.filter(({ tell }) => Object.hasOwn(value, tell));
  const branch = named.find(
    ({ tell, word }) => word === undefined || Reflect.get(value, tell) === word,
  );
  if (branch !== undefined) return branch;
  const [first] = named;
  if (first !== undefined) {
    const words = named.filter(({ tell }) => tell === first.tell).map(({ word }) => String(word));
    return { kind: 'word', property: first.tell, words };
  }
  const tells = [...new Set(branches.map(({ tell }) => tell))];
  const known = [...new Set(branches.flatMap(({ properties }) => Object.keys(properties)))];
  return { kind: 'unknown', tells, known };
}

function objectBranches(union: unknown): ObjectBranch[] {
  const nodes = (union as SchemaNode | undefined)?.['anyOf'];
  if (!Array.isArray(nodes)) return [];
  return (nodes as SchemaNode[]).flatMap((node, index) => {
    if (node['type'] !== 'object') return [];
    const properties = (node['properties'] ?? {}) as SchemaNode;
    const constant = Object.entries(properties).find(([, child]) => wordOf(child) !== undefined);
    const [required = ''] = (node['required'] ?? []) as string[];
    const [tell, child] = constant ?? [required, undefined];
    return [{ index: String(index), properties, tell, word: wordOf(child) }];
  });
}

function wordOf(node: unknown): unknown {
  return (node as SchemaNode | undefined)?.['const'];
}

/**
 * The branch of a failed union that matches the kind of a value, if exactly one does. The others fail by type, words or
 * pattern. Undefined otherwise: the union's error is then reported.
 */
export function scalarBranch(
  inside: readonly TLocalizedValidationError[],
  branchOf: (error: TLocalizedValidationError) => string,
  path: string,
): string | undefined {
  const others = new Set(inside.filter((error) => tellsKind(error, path)).map(branchOf));
  const left = [...new Set(inside.map(branchOf))].filter((name) => !others.has(name));
  return left.length === 1 ? left[0] : undefined;
}

function tellsKind({ keyword, instancePath }: TLocalizedValidationError, path: string): boolean {
  return ['type', 'pattern', 'const', 'enum'].includes(keyword) && instancePath === path;
}
