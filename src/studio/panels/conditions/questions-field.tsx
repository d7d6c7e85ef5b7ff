/** The form of one condition on a variable: its questions, each with an operand. */
import type { TargetedEvent, VNode } from 'preact';
import type { VariableCondition } from '#language/schema/layer-base.ts';
import {
  comparedVariable,
  comparesLetters,
  conditionOf,
  firstOperand,
  operatorsOf,
  questionsOf,
} from './conditions.ts';
import type { AskedVariable, ConditionsKind, Operator, Question } from './conditions.ts';
import { toolButton } from '../fields/structured.tsx';

/** Properties that all parts of the form share. */
export interface ConditionsForm {
  kind: ConditionsKind;
  /** Variables that conditions may test; at least one. */
  variables: readonly AskedVariable[];
  /** Number of the visit of a field: all text typed in one visit is one undo step. */
  visit: { current: number };
}

interface QuestionsProps {
  form: ConditionsForm;
  condition: VariableCondition;
  /** `2.1` is the first condition of the second group. */
  number: string;
  change: (condition: VariableCondition, gesture?: string) => void;
  /** Removes the condition. */
  tool: VNode | null;
}

/** Selects the variable, and edits its questions. */
export function QuestionsField({ form, condition, number, change, tool }: QuestionsProps): VNode {
  const { variables, kind } = form;
  const declared = variables.find(({ name }) => name === condition.variable);
  const variable = declared ?? { name: condition.variable, type: 'text' as const };
  const { ignoreCase = false } = condition;
  const questions = questionsOf(condition);
  const write = (next: readonly Question[], gesture?: string, ignores = ignoreCase): void =>
    change(conditionOf(variable, next, ignores), gesture);
  const setVariable = (name: string): void => {
    const chosen = variables.find((each) => each.name === name) ?? variable;
    change(conditionOf(chosen, chosen.type === variable.type ? questions : [], ignoreCase));
  };
  return (
    <div class="p-condition" role="group" aria-label={`Condition ${number}`}>
      <div class="p-with-tool">
        <select
          aria-label={`Condition ${number}: variable`}
          title={kind.hints['variable']}
          value={variable.name}
          onChange={(event) => setVariable(textOf(event))}
        >
          {declared === undefined ? <option value={variable.name}>{variable.name}</option> : null}
          {variables.map(({ name }) => (
            <option value={name} selected={name === variable.name}>
              {name}
            </option>
          ))}
        </select>
        {tool}
      </div>
      <QuestionLines
        form={form}
        variable={variable}
        questions={questions}
        number={number}
        write={write}
      />
      {comparesLetters(condition, variable.type) ? (
        <label class="p-check" title={kind.hints['ignoreCase']}>
          <input
            type="checkbox"
            checked={ignoreCase}
            onChange={(event) => write(questions, undefined, event.currentTarget.checked)}
          />{' '}
          Capitals do not matter
        </label>
      ) : null}
    </div>
  );
}

interface QuestionLinesProps {
  form: ConditionsForm;
  variable: AskedVariable;
  questions: readonly Question[];
  number: string;
  write: (questions: readonly Question[], gesture?: string) => void;
}

/** A line for each question, and a button for one more. */
function QuestionLines({ form, variable, questions, number, write }: QuestionLinesProps): VNode {
  const operators = operatorsOf(variable.type);
  const isFree = (operator: Operator): boolean =>
    !questions.some((asked) => asked.operator === operator || isTwin(operator, asked));
  const next = operators.map(([operator]) => operator).find(isFree);
  const hasMore = next !== undefined && variable.type !== 'list' && variable.type !== 'boolean';
  return (
    <>
      {questions.map((question, index) => (
        <QuestionView
          key={index}
          form={form}
          variable={variable}
          question={question}
          operators={operators.filter(
            ([operator]) =>
              operator === question.operator || isFree(operator) || isTwin(operator, question),
          )}
          number={number}
          change={(changed, gesture) => write(questions.with(index, changed), gesture)}
          remove={questions.length === 1 ? undefined : () => write(questions.toSpliced(index, 1))}
        />
      ))}
      {hasMore ? (
        <button
          type="button"
          class="p-link"
          onClick={() =>
            write([...questions, { operator: next, operand: firstOperand(next, variable.type) }])
          }
        >
          …and also
        </button>
      ) : null}
    </>
  );
}

/** `set` and `empty` are one property: either can become the other. */
function isTwin(operator: Operator, question: Question): boolean {
  const twins: readonly Operator[] = ['set', 'empty'];
  return twins.includes(operator) && twins.includes(question.operator);
}

interface QuestionProps {
  form: ConditionsForm;
  variable: AskedVariable;
  question: Question;
  operators: readonly (readonly [operator: Operator, words: string])[];
  number: string;
  change: (question: Question, gesture?: string) => void;
  remove: (() => void) | undefined;
}

/** Edits the operator and the operand of a question. */
function QuestionView(props: QuestionProps): VNode {
  const { form, variable, question, operators, number, change, remove } = props;
  const setOperator = (operator: Operator): void => {
    const isSame = isOrder(operator) === isOrder(question.operator) && question.operand !== '';
    const operand = isSame ? question.operand : firstOperand(operator, variable.type);
    change({ operator, operand });
  };
  return (
    <>
      <div class="p-with-tool">
        <select
          aria-label={`Condition ${number}: question`}
          title={form.kind.hints[question.operator === 'empty' ? 'set' : question.operator]}
          value={question.operator}
          onChange={(event) => setOperator(textOf(event) as Operator)}
        >
          {operators.map(([operator, words]) => (
            <option value={operator} selected={operator === question.operator}>
              {words}
            </option>
          ))}
        </select>
        {remove === undefined
          ? null
          : toolButton('minus', `Remove this question of condition ${number}`, remove)}
      </div>
      {question.operator === 'set' || question.operator === 'empty' ? null : <Operand {...props} />}
    </>
  );
}

/** Returns the fixed operands: yes and no for a boolean; today and now, times of the render, for a date. */
function wordsFor(
  operator: Operator,
  { type }: AskedVariable,
): ReadonlyArray<readonly [word: string, words: string]> {
  if (type === 'boolean') {
    return [
      ['true', 'yes'],
      ['false', 'no'],
    ];
  }
  return type === 'date' && isOrder(operator)
    ? [
        ['today', 'today'],
        ['now', 'now'],
      ]
    : [];
}

function isOrder(operator: Operator): boolean {
  return operator === 'greaterThan' || operator === 'lessThan';
}

function Operand({ form, variable, question, number, change }: QuestionProps): VNode {
  const { operator, operand } = question;
  const typed = {
    'aria-label': `Condition ${number}: compared with`,
    value: operand,
    onFocus: () => {
      form.visit.current += 1;
    },
    onInput: (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change({ operator, operand: textOf(event) }, `condition:${number}:${form.visit.current}`),
  };
  if (operator === 'oneOf') {
    return <textarea rows={3} placeholder="One text a line" {...typed} />;
  }
  const words = wordsFor(operator, variable);
  const others = form.variables.filter(
    ({ name, type }) => name !== variable.name && type !== 'list',
  );
  const other = comparedVariable(operand, others);
  const isWord = words.some(([word]) => word === operand);
  const shown = other === undefined ? (isWord ? operand : valueOption) : `{{${other}}}`;
  const choose = (chosen: string): void =>
    change({
      operator,
      operand: chosen === valueOption ? plainOperand(operator, variable) : chosen,
    });
  return (
    <div class="p-operand">
      <select
        aria-label={`Condition ${number}: compared with what`}
        value={shown}
        onChange={(event) => choose(textOf(event))}
      >
        {variable.type === 'boolean' ? null : (
          <option value={valueOption} selected={shown === valueOption}>
            this value
          </option>
        )}
        {words.map(([word, meaning]) => (
          <option value={word} selected={word === shown}>
            {meaning}
          </option>
        ))}
        {others.map(({ name }) => (
          <option value={`{{${name}}}`} selected={name === other}>
            {`{{${name}}}`}
          </option>
        ))}
      </select>
      {shown === valueOption && variable.type !== 'boolean' ? (
        <input type="text" placeholder={placeholders[variable.type]} {...typed} />
      ) : null}
    </div>
  );
}

/** The option for a typed value. No binding and no word has this form. */
const valueOption = '{value}';

const placeholders: Readonly<Record<string, string>> = { date: '2026-12-31', color: '#ff0000' };

/** Returns an initial value that the variable's type allows. */
function plainOperand(operator: Operator, { type }: AskedVariable): string {
  if (!isOrder(operator)) return '';
  return type === 'date' ? '2026-12-31' : '0';
}

function textOf(
  event: TargetedEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>,
): string {
  return event.currentTarget.value;
}
