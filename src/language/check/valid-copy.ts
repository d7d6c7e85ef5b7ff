/** Makes a valid copy of a document that is being edited: unfinished values are as they were in the last valid one. */
import { bindingPattern, textNames } from '../bind/bindings.ts';
import { walkLayers } from '../layer-tree.ts';
import type { Layer } from '../schema/layers.ts';
import type { Template, Variable } from '../schema/template.ts';
import { checkTemplate } from '../template.ts';
import { variableOf } from '../values/formatted-binding.ts';
import { bindingProblem } from './binding-rules.ts';
import { boxOf, moveBoxes } from './box-changes.ts';
import type { ValidCopy } from './box-changes.ts';
import { withLiveVariables } from './clock-rules.ts';
import { variablesIn } from './repeat-rules.ts';
import { earlierOf, sizeProblems } from './size-problems.ts';
import type { TemplateProblem } from './template-problems.ts';

/** Rounds of repairs at most; each round checks the copy. */
const roundsMax = 60;

/**
 * Returns a copy that `checkTemplate` accepts, and that is no longer than a document may be, provided that this holds for
 * the copy of `previous`, an earlier state of the document.
 * Repairs each problem with the least loss: a binding loses what is unfinished, a value becomes that of the previous
 * copy, a property, a layer or a variable goes. No document is changed, here or later.
 */
export function validCopy(source: Template, previous: ValidCopy): ValidCopy {
  const { document: last } = previous;
  const moved = moveBoxes(source, previous);
  if (moved !== undefined) return moved;
  const problems = problemsOf(source, last, knownLayers);
  if (problems.length === 0) return { source, document: source, problems };
  const copy = structuredClone(source);
  const tried = new Tried();
  let found = problems;
  for (let round = 0; round < roundsMax && found.length > 0; round += 1) {
    // All of them first, because a repair may remove a layer and so change the paths of others. A text has a problem
    // for each of its bindings, and one repair is enough.
    const paths = new Set(found.map(({ path }) => path));
    const positions = Array.from(paths, (path) => positionOf(copy, last, path));
    for (const position of positions) {
      // Variables that are as before may have repaired all else.
      if (tried.repair(position, round) === restoreVariables) break;
    }
    // A document that was checked never changes: what its layers bind is kept.
    found = problemsOf(structuredClone(copy), last);
  }
  if (found.length === 0) return { source, document: copy, problems };
  return { source, document: problemsOf(last, last).length === 0 ? last : source, problems };
}

/** Layers of documents that fit their schema. A change keeps the others, so one layer is checked, not all. */
const knownLayers = new WeakSet<Layer>();

function problemsOf(
  document: Template,
  last: Template,
  known?: WeakSet<Layer>,
): readonly TemplateProblem[] {
  const checked = checkTemplate(document, known);
  return checked.ok ? sizeProblems(document, last) : checked.problems;
}

type Parts = Record<string | number, unknown>;
type Path = readonly (string | number)[];

/** The part of a copy in which a problem is. */
interface Position {
  /** The innermost layer, or the variable, or the document. */
  owner: Parts;
  /** The same object in the last valid document; undefined if it is new. */
  before: Parts | undefined;
  /** Path of the problem in the owner. */
  path: Path;
  /** Path of the property: `fill`, or `bySize.tall.fill`. */
  property: Path;
  /** Variables that the owner may bind; undefined for a variable, which binds none. */
  variables: ReadonlyMap<string, Variable> | undefined;
  /** Restores the variables of the copy, whose defaults make a bound value invalid. Returns whether one differed. */
  restoreVariables: () => boolean;
  /** Removes the owner from its list. */
  remove: (() => void) | undefined;
}

function positionOf(copy: Template, last: Template, path: string): Position {
  const layers = [...walkLayers(copy.layers)];
  const around = layers.filter(([each]) => path === each || path.startsWith(`${each}.`));
  const innermost = around.at(-1);
  const variables = withLiveVariables({ ...copy, variables: copy.variables.filter(hasFields) });
  const restoreVariables = (): boolean => restoreAll(copy, last);
  if (innermost !== undefined) {
    const [at, layer, , repeating] = innermost;
    const same = [...walkLayers(last.layers)].find(([, { id }]) => id === layer.id)?.[1];
    const before = same?.type === layer.type ? same : undefined;
    const remove = (): void => removeLayer(copy.layers, layer);
    const scope = variablesIn(repeating, variables);
    const position = located(layer, before, path.slice(at.length));
    return { ...position, variables: scope, restoreVariables, remove };
  }
  const [start = '', index] = /^variables\[(\d+)\]/.exec(path) ?? [];
  const variable = index === undefined ? undefined : copy.variables[Number(index)];
  if (variable === undefined) {
    const inDocument = path === '(document)' ? '' : path;
    const position = located(copy, last, inDocument);
    return { ...position, variables, restoreVariables, remove: undefined };
  }
  const remove = (): void => {
    copy.variables = copy.variables.filter((each) => each !== variable);
  };
  const position = located(variable, earlierOf(variable, last), path.slice(start.length));
  return { ...position, variables: undefined, restoreVariables, remove };
}

/** Whether a variable is no list, or a list whose fields have names. */
function hasFields(variable: Variable): boolean {
  if (variable.type !== 'list') return true;
  const fields: unknown = variable.fields;
  return Array.isArray(fields) && fields.every((field) => Object.hasOwn(field ?? {}, 'name'));
}

function restoreAll(copy: Template, last: Template): boolean {
  const before = JSON.stringify(copy.variables);
  copy.variables = copy.variables.map((variable) =>
    structuredClone(earlierOf(variable, last) ?? variable),
  );
  return JSON.stringify(copy.variables) !== before;
}

function located(
  owner: object,
  before: object | undefined,
  text: string,
): Pick<Position, 'owner' | 'before' | 'path' | 'property'> {
  const path = text
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const property = path.slice(0, path[0] === 'bySize' ? 3 : 1);
  return { owner: owner as Parts, before: before as Parts | undefined, path, property };
}

function removeLayer(layers: Layer[], gone: Layer): void {
  const index = layers.indexOf(gone);
  if (index >= 0) layers.splice(index, 1);
  for (const layer of layers) if ('layers' in layer) removeLayer(layer.layers, gone);
}

type Repair = (position: Position) => boolean;

const restoreVariables: Repair = (position) => position.restoreVariables();

/** Repairs by growing loss. Each returns whether it changed the copy. The first ones change one value. */
const valueRepairs: readonly Repair[] = [
  shortenBindings,
  ({ owner, before, path }) => restore(owner, before, path),
];
const propertyRepairs: readonly Repair[] = [
  ({ owner, before, property }) => restore(owner, before, property),
  restoreVariables,
  // A document needs most of its properties, and the last valid one has them.
  ({ owner, property, remove }) => remove !== undefined && setAt(owner, property, undefined),
  restoreOwner,
  ({ remove }) => {
    remove?.();
    return remove !== undefined;
  },
];

/** Repairs that were tried: for values by path, for properties by name. */
class Tried {
  readonly #counts = new Map<object, Map<string, number>>();

  /**
   * Makes the next repair that changes the copy, and returns it. One property is repaired once for all of its problems of
   * a round, and so is an owner that was restored.
   */
  repair(position: Position, round: number): Repair | undefined {
    const { owner, path, property } = position;
    const counts = this.#countsOf(owner);
    if (counts.get('restored') === round) return undefined;
    const ofValue = this.#next(position, `value ${path.join('.')}`, valueRepairs);
    if (ofValue !== undefined) return ofValue;
    const key = property.join('.');
    if (counts.get(`round ${key}`) === round) return undefined;
    counts.set(`round ${key}`, round);
    const repair = this.#next(position, `property ${key}`, propertyRepairs);
    if (repair === restoreOwner) counts.set('restored', round);
    return repair;
  }

  #countsOf(owner: object): Map<string, number> {
    const counts = this.#counts.get(owner) ?? new Map<string, number>();
    this.#counts.set(owner, counts);
    return counts;
  }

  #next(position: Position, key: string, repairs: readonly Repair[]): Repair | undefined {
    const counts = this.#countsOf(position.owner);
    const from = counts.get(key) ?? 0;
    const found = repairs.findIndex((repair, index) => index >= from && repair(position));
    counts.set(key, found < 0 ? repairs.length : found + 1);
    return repairs[found];
  }
}

/** Texts in which a binding may lose its formats, or all of it. */
const shortenedNames = new Set([...textNames, 'alt']);

function shortenBindings({ owner, path, variables }: Position): boolean {
  const text = valueAt(owner, path);
  const name = path.findLast((step) => typeof step === 'string');
  if (typeof text !== 'string' || variables === undefined || !shortenedNames.has(String(name)))
    return false;
  const shortened = text.replace(bindingPattern, (binding, written: string) => {
    const source = written.trim();
    if (bindingProblem(source, variables) === undefined) return binding;
    const bound = variableOf(source, variables);
    return bindingProblem(bound, variables) === undefined ? `{{${bound}}}` : '';
  });
  return shortened !== text && setAt(owner, path, shortened);
}

/** Sets the value at a path to that of the last valid document, which may have none. */
function restore(owner: Parts, before: Parts | undefined, path: Path): boolean {
  if (before === undefined || path.length === 0) return false;
  const [now, earlier] = [valueAt(owner, path), valueAt(before, path)];
  if (JSON.stringify(now) === JSON.stringify(earlier)) return false;
  return setAt(owner, path, structuredClone(earlier));
}

/** Restores all properties, apart from the box of a layer, and from layers and variables, which have their own repairs. */
function restoreOwner({ owner, before }: Position): boolean {
  if (before === undefined) return false;
  const kept = Object.fromEntries(
    ['layers', 'variables'].flatMap((name) => (name in owner ? [[name, owner[name]]] : [])),
  );
  const box = Object.entries(boxOf(owner)).filter(([name]) => Object.hasOwn(boxOf(before), name));
  const next = { ...structuredClone(before), ...Object.fromEntries(box), ...kept };
  if (JSON.stringify(next) === JSON.stringify(owner)) return false;
  for (const name of Object.keys(owner)) delete owner[name];
  Object.assign(owner, next);
  return true;
}

function valueAt(owner: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Parts)[step]
        : undefined,
    owner,
  );
}

/** Sets a value; undefined removes a property or an item. Returns whether there is such a part. */
function setAt(owner: Parts, path: Path, value: unknown): boolean {
  const step = path.at(-1);
  const holder = valueAt(owner, path.slice(0, -1));
  if (step === undefined || typeof holder !== 'object' || holder === null) return false;
  if (value !== undefined) (holder as Parts)[step] = value;
  else if (!Object.hasOwn(holder, step)) return false;
  else if (Array.isArray(holder)) holder.splice(Number(step), 1);
  else delete (holder as Parts)[step];
  return true;
}
