/** The settings of one variable, below the value that the preview shows for it. */
import type { TargetedEvent, VNode } from 'preact';
import { useId } from 'preact/hooks';
import type {
  ListVariable,
  ScalarVariable,
  Variable,
  VariableType,
} from '#language/schema/template.ts';
import type { Editor } from '../../state/editor.ts';
import { wordOf } from '../fields/labels.ts';
import { problemAt } from '../fields/values.ts';
import { problemWords } from '../../problem-words.ts';
import { VariableSample } from './sample.tsx';
import { valueControl } from './value-control.tsx';
import { later } from '../../later-part.tsx';
import { NameField, settingRow } from './name-field.tsx';
import { linkText, newList, valueAs } from './variables.ts';

const types: readonly VariableType[] = [
  'text',
  'image',
  'color',
  'number',
  'boolean',
  'date',
  'list',
];

const ListFields = later((code) => code.ListFields);
const TableSourceFields = later((code) => code.TableSourceFields);

interface VariableFieldsProps {
  editor: Editor;
  variable: Variable;
  index: number;
  isOpen: boolean;
}

type AllParts = Partial<Record<keyof ScalarVariable | keyof ListVariable, unknown>>;

/** Shows the sample value, and the settings if the variable is open. */
export function VariableFields({ editor, variable, index, isOpen }: VariableFieldsProps): VNode {
  const path = `variables[${index}]`;
  const refusal = editor.frameError.value ?? editor.refusal.value;
  const problem = problemAt(refusal, path);
  const set = (label: string, part: AllParts, gesture?: string): void =>
    editor.changeWhole(
      label,
      (draft) => {
        const stored = draft.variables[index] as Record<string, unknown> | undefined;
        if (stored === undefined) return;
        Object.assign(stored, part);
        for (const [name, value] of Object.entries(part))
          if (value === undefined) delete stored[name];
      },
      gesture,
    );
  return (
    <div class="p-variable-fields">
      <VariableSample editor={editor} variable={variable} />
      {isOpen ? <Settings editor={editor} variable={variable} index={index} set={set} /> : null}
      {problem === undefined ? null : (
        <p class="p-problem" role="alert">
          {problemWords(problem, editor.document.value)}
        </p>
      )}
    </div>
  );
}

interface SettingsProps extends Omit<VariableFieldsProps, 'isOpen'> {
  set: (label: string, part: AllParts, gesture?: string) => void;
}

function Settings({ editor, variable, index, set }: SettingsProps): VNode {
  const { type, whenEmpty, name } = variable;
  const id = useId();
  const setType = (next: string): void => {
    const chosen = next as VariableType;
    const before = linkText(variable);
    const { value, fields } =
      chosen === 'list' ? newList(name) : { value: valueAs(chosen, before), fields: undefined };
    const part: AllParts = { type: chosen, value, fields };
    if (chosen !== 'text') part.maxLength = undefined;
    if (chosen !== 'number') Object.assign(part, { min: undefined, max: undefined });
    set('Change type', part);
    const { [name]: _, ...rest } = editor.values.value;
    editor.values.value = rest;
  };
  return (
    <>
      <NameField editor={editor} variable={variable} />{' '}
      {settingRow(
        `${id}-type`,
        'Type',
        <select id={`${id}-type`} value={type} onChange={(event) => setType(valueOf(event))}>
          {types.map((word) => (
            <option value={word} selected={word === type}>
              {wordOf('type', word)}
            </option>
          ))}
        </select>,
      )}
      <TableSourceFields
        editor={editor}
        variable={variable}
        change={(from) => set('Change table', { from })}
      />
      <DefaultField editor={editor} variable={variable} index={index} set={set} />
      {settingRow(
        `${id}-empty`,
        'When empty',
        <select
          id={`${id}-empty`}
          value={whenEmpty ?? 'default'}
          onChange={(event) => {
            const chosen = valueOf(event);
            set('Change when empty', { whenEmpty: chosen === 'default' ? undefined : chosen });
          }}
        >
          <option value="default" selected={whenEmpty !== 'empty'}>
            Show the default
          </option>
          <option value="empty" selected={whenEmpty === 'empty'}>
            Show nothing
          </option>
        </select>,
      )}
      {variable.type === 'text'
        ? numberRow(`${id}-most`, 'Longest', variable.maxLength, '2000', 'maxLength', set)
        : null}
      {variable.type === 'number'
        ? numberRow(`${id}-min`, 'Smallest', variable.min, 'any', 'min', set)
        : null}
      {variable.type === 'number'
        ? numberRow(`${id}-max`, 'Largest', variable.max, 'any', 'max', set)
        : null}
    </>
  );
}

/** Edits the default; for a list, its fields and items. */
function DefaultField({ editor, variable, index, set }: SettingsProps): VNode {
  const id = useId();
  if (variable.type === 'list')
    return <ListFields editor={editor} variable={variable} index={index} />;
  const { name, value } = variable;
  return settingRow(
    id,
    'Default',
    valueControl({
      editor,
      id,
      label: `Default of ${name}`,
      timeLabel: `Time of the default of ${name}`,
      variable,
      value,
      placeholder: '',
      change: (next) => set('Change default', { value: next }, `default:${index}`),
    }),
  );
}

function numberRow(
  id: string,
  label: string,
  value: number | undefined,
  placeholder: string,
  name: 'maxLength' | 'min' | 'max',
  set: SettingsProps['set'],
): VNode {
  return settingRow(
    id,
    label,
    <input
      id={id}
      type="text"
      inputmode="decimal"
      value={value ?? ''}
      placeholder={placeholder}
      onChange={(event) => {
        const text = valueOf(event).trim();
        const number = Number(text);
        // Text that is no number is written unchanged, so that the service reports it.
        const next = text === '' ? undefined : Number.isNaN(number) ? text : number;
        set(`Change ${label.toLowerCase()}`, { [name]: next });
      }}
    />,
  );
}

function valueOf(event: TargetedEvent<HTMLInputElement | HTMLSelectElement>): string {
  return event.currentTarget.value;
}
