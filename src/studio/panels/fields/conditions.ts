/** Takes a layer's conditions apart into lines of a form, and puts them together again. */

/** What a line asks of a value. */
export type Operator =
  | 'equals'
  | 'notEquals'
  | 'set'
  | 'empty'
  | 'oneOf'
  | 'greaterThan'
  | 'lessThan';

/** One line: a variable, a question and what it is compared with, as a person writes it. */
export interface ConditionLine {
  variable: string;
  operator: Operator;
  /** Of `oneOf` one text a line; of `set` and `empty` nothing. */
  operand: string;
}

/** The operators by the words of the form. */
export const operatorWords: Readonly<Record<Operator, string>> = {
  equals: 'is',
  notEquals: 'is not',
  set: 'is filled in',
  empty: 'is empty',
  oneOf: 'is one of',
  greaterThan: 'is above',
  lessThan: 'is below',
};

/** A condition as the document has it. */
type Written = Record<string, unknown>;

/** Whether lines can say all of a `visibleWhen`: one with `all`, `any`, `not` or `ignoreCase` is edited as JSON. */
export function hasLines(value: unknown): boolean {
  const conditions = (Array.isArray(value) ? value : [value ?? {}]) as unknown[];
  return conditions.every(
    (condition) =>
      typeof condition === 'object' &&
      condition !== null &&
      ['all', 'any', 'not', 'ignoreCase'].every((name) => !Object.hasOwn(condition, name)),
  );
}

/** The lines of a layer's `visibleWhen`, one for each question. */
export function conditionLines(value: unknown): ConditionLine[] {
  const conditions = (Array.isArray(value) ? value : [value]) as unknown[];
  return conditions.flatMap((condition) => {
    if (typeof condition !== 'object' || condition === null) return [];
    const { variable, ...questions } = condition as Written;
    return Object.entries(questions).map(([name, operand]) =>
      lineOf(typeof variable === 'string' ? variable : '', name, operand),
    );
  });
}

function lineOf(variable: string, name: string, operand: unknown): ConditionLine {
  if (name === 'set')
    return { variable, operator: operand === false ? 'empty' : 'set', operand: '' };
  const text = Array.isArray(operand) ? operand.join('\n') : String(operand);
  return { variable, operator: name as Operator, operand: text };
}

/**
 * `visibleWhen` of these lines: questions to the same variable in one condition where they differ; undefined for no
 * line. What should be a number and is none stays a text, for the service to refuse.
 */
export function conditionsOf(lines: readonly ConditionLine[]): unknown {
  const conditions: Written[] = [];
  for (const { variable, operator, operand } of lines) {
    const name = operator === 'empty' ? 'set' : operator;
    const open = conditions.find((each) => each['variable'] === variable && !(name in each));
    const condition = open ?? { variable };
    if (open === undefined) conditions.push(condition);
    condition[name] = writtenOperand(operator, operand);
  }
  return conditions.length > 1 ? conditions : conditions[0];
}

function writtenOperand(operator: Operator, operand: string): unknown {
  switch (operator) {
    case 'set':
      return true;
    case 'empty':
      return false;
    case 'oneOf':
      return operand.split('\n');
    case 'greaterThan':
    case 'lessThan':
      return operand.trim() === '' || Number.isNaN(Number(operand)) ? operand : Number(operand);
    default:
      return operand;
  }
}
