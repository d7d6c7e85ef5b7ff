/** Conditions of a layer or a span as the form edits them: questions about variables, each with an operand. */
import { wholeBinding } from '#language/bind/bindings.ts';
import type { Conditions } from '#language/bind/conditions.ts';
import type { Condition, VariableCondition } from '#language/schema/layer-base.ts';
import type { VariableType } from '#language/schema/template.ts';
import { hintOf } from '../fields/labels.ts';
import { asNode, nodesOf, propertiesOf, resolve } from '../fields/schema-node.ts';
import type { SchemaNode } from '../fields/schema-node.ts';

/** The bounds of conditions in the template language. */
export interface ConditionsKind {
  type: 'conditions';
  /** Conditions at most that must all hold. */
  most: number;
  /** Conditions of a group at most. */
  innerMost: number;
  /** Levels of groups that may be nested. */
  levels: number;
  /** Descriptions from the schema, by property of a condition. */
  hints: Readonly<Record<string, string>>;
}

/** A variable that conditions may test: of the template, or a field of an item. */
export interface AskedVariable {
  name: string;
  type: VariableType;
}

/** The test of a value. `empty` is `set: false` in the document. */
export type Operator = Exclude<keyof VariableCondition, 'variable' | 'ignoreCase'> | 'empty';

/** One test of a condition, without its variable. */
export interface Question {
  operator: Operator;
  /** For `oneOf` one text per line; empty for `set` and `empty`. */
  operand: string;
}

const plainWords: Readonly<Record<Operator, string>> = {
  set: 'is filled in',
  empty: 'is empty',
  equals: 'is',
  notEquals: 'is not',
  oneOf: 'is one of',
  greaterThan: 'is above',
  lessThan: 'is below',
};
const dateWords: Readonly<Partial<Record<Operator, string>>> = {
  greaterThan: 'is after',
  lessThan: 'is before',
};

/** Returns the operators that a type of variable allows, with their labels. */
export function operatorsOf(type: VariableType): [operator: Operator, words: string][] {
  const all = Object.keys(plainWords) as Operator[];
  const isOrdered = type === 'number' || type === 'date' || type === 'text';
  return all
    .filter((operator) => {
      if (operator === 'set' || operator === 'empty') return true;
      if (operator === 'greaterThan' || operator === 'lessThan') return isOrdered;
      return type !== 'list' && (operator !== 'oneOf' || type !== 'boolean');
    })
    .map((operator) => [
      operator,
      (type === 'date' ? dateWords[operator] : undefined) ?? plainWords[operator],
    ]);
}

/** Whether a condition compares text, so that it may ignore case. */
export function comparesLetters(condition: VariableCondition, type: VariableType): boolean {
  const { equals, notEquals, oneOf } = condition;
  return type === 'text' && [equals, notEquals, oneOf].some((each) => each !== undefined);
}

/** Returns the questions of a condition, all of which must hold. */
export function questionsOf(condition: VariableCondition): Question[] {
  const { variable: _, ignoreCase: __, ...asked } = condition;
  return Object.entries(asked).map(([name, operand]) => {
    if (name === 'set') return { operator: operand === false ? 'empty' : 'set', operand: '' };
    const text = Array.isArray(operand) ? operand.join('\n') : String(operand);
    return { operator: name as Operator, operand: text };
  });
}

/** Builds the condition of a variable from questions. Leaves out questions that the variable's type does not allow. */
export function conditionOf(
  { name, type }: AskedVariable,
  questions: readonly Question[],
  ignoresCase: boolean,
): VariableCondition {
  const allowed = new Set(operatorsOf(type).map(([operator]) => operator));
  const written = questions
    .filter(({ operator }) => allowed.has(operator))
    .map(({ operator, operand }) => [
      operator === 'empty' ? 'set' : operator,
      writtenOperand(operator, operand, type),
    ]);
  const asked = written.length === 0 ? { set: true } : (Object.fromEntries(written) as object);
  const condition: VariableCondition = { variable: name, ...asked };
  return ignoresCase && comparesLetters(condition, type)
    ? { ...condition, ignoreCase: true }
    : condition;
}

function writtenOperand(operator: Operator, operand: string, type: VariableType): unknown {
  switch (operator) {
    case 'set':
      return true;
    case 'empty':
      return false;
    case 'oneOf':
      return operand.split('\n');
    case 'greaterThan':
    case 'lessThan': {
      // Text that is no number stays text, so that the service reports it.
      const isNumber = type !== 'date' && operand.trim() !== '' && !Number.isNaN(Number(operand));
      return isNumber ? Number(operand) : operand;
    }
    default:
      return operand;
  }
}

/** Returns the initial operand of a question. */
export function firstOperand(operator: Operator, type: VariableType): string {
  const isOrder = operator === 'greaterThan' || operator === 'lessThan';
  if (isOrder) return type === 'date' ? 'today' : '0';
  return type === 'boolean' && operator !== 'set' && operator !== 'empty' ? 'true' : '';
}

/** Returns the variable whose binding is the whole operand; undefined for other operands. */
export function comparedVariable(
  operand: string,
  variables: readonly AskedVariable[],
): string | undefined {
  const name = wholeBinding(operand);
  return variables.some((each) => each.name === name) ? name : undefined;
}

// Groups: `all`, `any` and `not` over other conditions.

export type Join = 'all' | 'any' | 'not';

export const joinWords: Readonly<Record<Join, string>> = {
  all: 'All of these hold',
  any: 'At least one holds',
  not: 'This does not hold',
};

/** Reads a group; undefined for a condition on a variable. */
export function groupOf(condition: Condition): { join: Join; inner: Condition[] } | undefined {
  if ('all' in condition) return { join: 'all', inner: condition.all };
  if ('any' in condition) return { join: 'any', inner: condition.any };
  return 'not' in condition ? { join: 'not', inner: [condition.not] } : undefined;
}

/** Builds a group for the document. `not` takes only the first condition. */
export function joined(join: Join, inner: readonly Condition[]): Condition {
  const group = join === 'not' ? { not: inner[0] } : { [join]: inner };
  // The form offers no deeper groups than the schema has.
  return group as Condition;
}

/** `visibleWhen` as a list of conditions that must all hold. */
export function conditionList(value: unknown): Condition[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  return list.filter((each): each is Condition => typeof each === 'object' && each !== null);
}

/** Converts the list to `visibleWhen`: an array of several conditions, one alone, or undefined for none. */
export function writtenList(list: readonly Condition[]): Conditions {
  return list.length > 1 ? [...list] : list[0];
}

// The bounds of the form, from the schema.

/** Returns the bounds for a property whose schema has these branches. */
export function conditionsKind(
  schema: SchemaNode,
  branches: readonly SchemaNode[],
  most: number,
): ConditionsKind {
  const question = branches.find((branch) => 'variable' in propertiesOf(branch)) ?? {};
  const all = groupIn(schema, branches);
  const hints = Object.entries(propertiesOf(question)).map(([name, node]) => {
    const { description } = resolve(schema, asNode(node));
    return [name, hintOf(name, typeof description === 'string' ? description : '')];
  });
  return {
    type: 'conditions',
    most,
    innerMost: Number(all?.['maxItems'] ?? 1),
    levels: levelsOf(schema, branches),
    hints: Object.fromEntries(hints) as Record<string, string>,
  };
}

/** Returns the schema of the list that `all` joins; undefined if groups are not allowed. */
function groupIn(schema: SchemaNode, branches: readonly SchemaNode[]): SchemaNode | undefined {
  const group = branches.find((branch) => 'all' in propertiesOf(branch));
  return group && resolve(schema, asNode(propertiesOf(group)['all']));
}

function levelsOf(schema: SchemaNode, branches: readonly SchemaNode[]): number {
  const items = groupIn(schema, branches)?.['items'];
  if (items === undefined) return 0;
  const inner = resolve(schema, asNode(items));
  return (
    1 +
    levelsOf(
      schema,
      nodesOf(inner['anyOf']).map((branch) => resolve(schema, branch)),
    )
  );
}
