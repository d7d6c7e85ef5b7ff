/** When a layer shows: lines that ask about variables, all of which must hold. */
import type { TargetedEvent, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Editor } from '../../state/editor.ts';
import { conditionLines, conditionsOf, operatorWords } from './conditions.ts';
import type { ConditionLine, Operator } from './conditions.ts';
import type { ControlProps } from './number.tsx';
import type { FieldKind } from './schema-fields.ts';
import { toolButton } from './structured.tsx';

type Kind = Extract<FieldKind, { type: 'conditions' }>;

/** The lines, and a button for another. */
export function ConditionsField({
  id,
  kind,
  value,
  change,
  editor,
  isMixed,
}: ControlProps<Kind> & { editor: Editor; isMixed: boolean }): VNode {
  const visit = useRef(0);
  const { variables } = editor.document.value;
  const lines = conditionLines(value);
  const [first] = variables;
  if (first === undefined) {
    return <p class="p-note">Shows always. Conditions ask about variables: add one first.</p>;
  }
  const write = (next: readonly ConditionLine[], gesture?: string): void =>
    change(conditionsOf(next), gesture);
  const set = (index: number, part: Partial<ConditionLine>, gesture?: string): void =>
    write(
      lines.map((line, at) => (at === index ? { ...line, ...part } : line)),
      gesture,
    );
  const add = (): void => write([...lines, { variable: first.name, operator: 'set', operand: '' }]);
  return (
    <div class="p-conditions" id={id}>
      {isMixed ? <p class="p-note">The layers differ; a new condition is set for all.</p> : null}
      {lines.map((line, index) => (
        <div class="p-condition" key={index}>
          <select
            aria-label={`Condition ${index + 1}: variable`}
            value={line.variable}
            onChange={(event) => set(index, { variable: valueOf(event) })}
          >
            {variables.map(({ name }) => (
              <option value={name} selected={name === line.variable}>
                {name}
              </option>
            ))}
          </select>
          <select
            aria-label={`Condition ${index + 1}: question`}
            value={line.operator}
            onChange={(event) => set(index, { operator: valueOf(event) as Operator })}
          >
            {Object.entries(operatorWords).map(([word, told]) => (
              <option value={word} selected={word === line.operator}>
                {told}
              </option>
            ))}
          </select>
          {toolButton('minus', `Remove condition ${index + 1}`, () =>
            write(lines.toSpliced(index, 1)),
          )}
          {operandOf(line, index, visit, set)}
        </div>
      ))}
      {lines.length >= kind.most ? null : (
        <button type="button" class="p-small" onClick={add}>
          {lines.length === 0 ? 'Show only when…' : 'And when…'}
        </button>
      )}
    </div>
  );
}

function operandOf(
  line: ConditionLine,
  index: number,
  visit: { current: number },
  set: (index: number, part: Partial<ConditionLine>, gesture?: string) => void,
): VNode | null {
  const { operator, operand } = line;
  if (operator === 'set' || operator === 'empty') return null;
  const shared = {
    'aria-label': `Condition ${index + 1}: compared with`,
    value: operand,
    onFocus: () => {
      visit.current += 1;
    },
    onInput: (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set(index, { operand: valueOf(event) }, `condition:${index}:${visit.current}`),
  };
  if (operator === 'oneOf') {
    return <textarea rows={3} placeholder="One text a line" {...shared} />;
  }
  return <input type="text" {...shared} />;
}

function valueOf(
  event: TargetedEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>,
): string {
  return event.currentTarget.value;
}
