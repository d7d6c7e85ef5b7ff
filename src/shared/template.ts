/** Checks a template document and says, by JSON path, what is wrong with it and what was expected. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { bindableLayerSchemas } from './bindable-schemas.ts';
import { boundNames, walkStrings } from './bindings.ts';
import type { Layer } from './layer-schemas.ts';
import { TemplateShell, templateLimits } from './template-schema.ts';
import type { Template } from './template-schema.ts';

/** One thing wrong with a document: where (a JSON path such as `layers[2].fill`) and what was expected. */
export interface TemplateProblem {
  path: string;
  message: string;
}

export type TemplateParse =
  | { ok: true; template: Template }
  | { ok: false; problems: TemplateProblem[] };

/** Problems reported for one document: enough to mend it, bounded for a hostile one. */
const problemsMax = 20;

// A union reports every branch that failed; the default of 8 errors cuts it before it can be settled.
Settings.Set({ maxErrors: 500 });

const shellValidator = Compile(TemplateShell);
const layerValidators = new Map(
  Object.entries(bindableLayerSchemas).map(([type, schema]) => [
    type,
    { schema, validator: Compile(schema) },
  ]),
);

/**
 * Validates a parsed JSON value against the template language. Never throws; reports at most 20
 * problems. The value is not changed, and a valid one is returned as it is.
 */
export function checkTemplate(value: unknown): TemplateParse {
  const problems = toProblems('', TemplateShell, value, shellValidator.Errors(value));
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };
  const template = value as Template;
  checkLayers(template.layers, 'layers', 1, problems);
  if (problems.length === 0) checkMeaning(template, problems);
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, problemsMax) };
  return { ok: true, template };
}

function checkLayers(
  layers: readonly Layer[],
  path: string,
  depth: number,
  problems: TemplateProblem[],
): void {
  for (const [index, layer] of layers.entries()) {
    if (problems.length >= problemsMax) return;
    const here = `${path}[${index}]`;
    const entry = layerValidators.get(layer.type);
    if (entry === undefined) {
      const known = [...layerValidators.keys()].join(', ');
      const message = `is ${show(layer.type)}, expected one of ${known}`;
      problems.push({ path: `${here}.type`, message });
      continue;
    }
    const found = toProblems(here, entry.schema, layer, entry.validator.Errors(layer));
    problems.push(...found);
    if (layer.type !== 'group' || found.length > 0) continue;
    if (depth >= templateLimits.nestingMax) {
      const message = `groups are nested deeper than ${templateLimits.nestingMax}`;
      problems.push({ path: here, message });
      continue;
    }
    checkLayers(layer.layers, `${here}.layers`, depth + 1, problems);
  }
}

/** Every layer of a template with its path, groups' children too, in document order. */
export function* walkLayers(
  layers: readonly Layer[],
  path = 'layers',
): Generator<[path: string, layer: Layer]> {
  for (const [index, layer] of layers.entries()) {
    const here = `${path}[${index}]`;
    yield [here, layer];
    if (layer.type === 'group') yield* walkLayers(layer.layers, `${here}.layers`);
  }
}

/** What a schema cannot say: budgets, unique ids and names, and references that lead somewhere. */
function checkMeaning(template: Template, problems: TemplateProblem[]): void {
  const layers = [...walkLayers(template.layers)];
  if (template.width * template.height > templateLimits.pixelsMax) {
    const message = `times height is over ${templateLimits.pixelsMax} pixels; make the canvas smaller`;
    problems.push({ path: 'width', message });
  }
  if (layers.length > templateLimits.layersMax) {
    const message = `has ${layers.length} layers with those in groups, the limit is ${templateLimits.layersMax}`;
    problems.push({ path: 'layers', message });
  }
  checkUnique(
    layers.map(([path, layer]) => [`${path}.id`, layer.id]),
    problems,
  );
  checkUnique(
    template.variables.map(({ name }, index) => [`variables[${index}].name`, name]),
    problems,
  );
  const names = new Set(template.variables.map(({ name }) => name));
  const ids = new Set(layers.map(([, layer]) => layer.id));
  for (const [path, layer] of layers) checkReferences(path, layer, names, ids, problems);
}

function checkUnique(values: [path: string, value: string][], problems: TemplateProblem[]): void {
  const seen = new Set<string>();
  for (const [path, value] of values) {
    if (seen.has(value))
      problems.push({ path, message: `is ${show(value)} again, expected a unique one` });
    seen.add(value);
  }
}

function checkReferences(
  path: string,
  layer: Layer,
  names: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  problems: TemplateProblem[],
): void {
  // A group's children are walked for themselves.
  const own = layer.type === 'group' ? { ...layer, layers: [] } : layer;
  for (const [property, text] of walkStrings(own)) {
    for (const name of boundNames(text)) {
      if (names.has(name)) continue;
      const message = `binds {{${name}}}, but the template has no variable of that name`;
      problems.push({ path: `${path}.${property}`, message });
    }
  }
  for (const { variable } of [layer.visibleWhen ?? []].flat()) {
    if (names.has(variable)) continue;
    const message = `names ${show(variable)}, but the template has no variable of that name`;
    problems.push({ path: `${path}.visibleWhen`, message });
  }
  if (layer.mask !== undefined && (!ids.has(layer.mask) || layer.mask === layer.id)) {
    const message = `is ${show(layer.mask)}, expected the id of another layer`;
    problems.push({ path: `${path}.mask`, message });
  }
  if (layer.type === 'text' && (layer.text === undefined) === (layer.spans === undefined)) {
    problems.push({ path, message: 'needs either text or spans' });
  }
}

/** One problem a place: the deepest place that an error names, with what the schema there describes. */
function toProblems(
  prefix: string,
  schema: TSchema,
  value: unknown,
  errors: TLocalizedValidationError[],
): TemplateProblem[] {
  const problems = new Map<string, TemplateProblem>();
  for (const error of settleUnions(errors)) {
    if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) {
        const path = joinPath(prefix, `${error.instancePath}/${name}`);
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
  return `is ${actual}, expected ${description ?? error.message.replace(/^must (be|match) /, '')}`;
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
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
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
