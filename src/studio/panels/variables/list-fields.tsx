/** The fields of a list variable and its sample items, edited in place. */
import type { TargetedEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { templateLimits } from '#language/limits/template-limits.ts';
import type { ListField, ListVariable } from '#language/schema/template.ts';
import { icon } from '../../icons.tsx';
import { wordOf } from '../fields/labels.ts';
import { toolButton } from '../fields/structured.tsx';
import { readValue } from '../values/read-value.ts';
import { changeList, SampleItems } from './item-table.tsx';
import type { ChangeList, ListProps } from './item-table.tsx';
import { renameField, valueAs } from './variables.ts';

const fieldTypes: readonly ListField['type'][] = [
  'text',
  'number',
  'date',
  'image',
  'color',
  'boolean',
];

const { listFieldsMax } = templateLimits;

/** The fields with their types, and below them the items. */
export function ListFields(props: ListProps): VNode {
  return (
    <div class="p-list-items">
      <FieldLines {...props} change={changeList(props)} />
      <span class="p-note">Items</span>
      <SampleItems {...props} />
    </div>
  );
}

/** A line for each field, and a button to add one. */
function FieldLines(props: ListProps & { change: ChangeList }): VNode {
  const { variable, change } = props;
  const { fields } = variable;
  const add = (): void =>
    change('Add field', (list) => {
      list.fields.push({ name: freeName(list.fields), type: 'text', value: '' });
    });
  return (
    <>
      <span class="p-note">Fields</span>
      {fields.map((_, at) => (
        <FieldLine key={at} {...props} at={at} />
      ))}
      {fields.length >= listFieldsMax ? null : (
        <button type="button" class="p-add" onClick={add}>
          {icon('plus')} Field
        </button>
      )}
    </>
  );
}

/** Edits the name and the type of a field. A new name also changes the bindings of layers. */
function FieldLine({
  editor,
  variable,
  index,
  at,
  change,
}: ListProps & { at: number; change: ChangeList }): VNode | null {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const field = variable.fields[at];
  if (field === undefined) return null;
  const { name, type } = field;
  const rename = (to: string): void => {
    const found = nameProblem(variable.fields, name, to);
    setProblem(found);
    if (found !== undefined || to === name) return;
    editor.changeWhole('Rename field', (draft) => {
      const list = draft.variables[index];
      if (list?.type === 'list') renameField(draft, list, name, to);
    });
  };
  const setType = (next: ListField['type']): void => {
    const { lang } = editor.document.value;
    const convert = (text: string): string => valueAs(next, readValue(next, text, lang) ?? text);
    change('Change type of field', (list) => {
      list.fields[at] = { name, type: next, value: convert(field.value) };
      for (const item of list.value) {
        if (item[name] !== undefined) item[name] = convert(String(item[name]));
      }
    });
  };
  const remove = (list: ListVariable): void => {
    list.fields.splice(at, 1);
    for (const item of list.value) delete item[name];
  };
  return (
    <>
      <div class="p-list-item">
        <input
          type="text"
          aria-label={`Field ${at + 1}: name`}
          maxlength={64}
          value={name}
          aria-invalid={problem !== undefined}
          onChange={(event) => rename(textOf(event).trim())}
        />
        <select
          aria-label={`Field ${at + 1}: type`}
          value={type}
          onChange={(event) => setType(textOf(event) as ListField['type'])}
        >
          {fieldTypes.map((each) => (
            <option value={each} selected={each === type}>
              {wordOf('type', each)}
            </option>
          ))}
        </select>
        {variable.fields.length === 1
          ? null
          : toolButton('trash', `Delete field ${name}: layers keep its first value`, () =>
              change('Delete field', remove),
            )}
      </div>
      {problem === undefined ? null : (
        <p class="p-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

/** Returns the problem with a field's new name; undefined if the name is valid. */
function nameProblem(fields: readonly ListField[], from: string, to: string): string | undefined {
  if (to === '' || /[{}|.]/.test(to))
    return 'Write 1 to 64 characters without {, }, | and a point.';
  const isTaken = to !== from && fields.some(({ name }) => name === to);
  return isTaken ? `There is a field ${to} already. Choose another name.` : undefined;
}

function freeName(fields: readonly ListField[]): string {
  const taken = new Set(fields.map(({ name }) => name));
  let count = fields.length + 1;
  while (taken.has(`field${count}`)) count += 1;
  return `field${count}`;
}

function textOf(event: TargetedEvent<HTMLInputElement | HTMLSelectElement>): string {
  return event.currentTarget.value;
}
