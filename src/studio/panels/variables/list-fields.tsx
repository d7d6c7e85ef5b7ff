/** The fields of a list variable and its sample items, as a table that is edited in place. */
import type { TargetedEvent, VNode } from 'preact';
import type { ListField, ListVariable } from '#language/schema/template.ts';
import { icon } from '../../icons.tsx';
import { toolButton } from '../fields/structured.tsx';

interface ListFieldsProps {
  variable: ListVariable;
  /** Writes fields and items in one step. */
  change: (label: string, part: Pick<ListVariable, 'fields' | 'value'>, gesture?: string) => void;
}

const fieldTypes: readonly ListField['type'][] = [
  'text',
  'number',
  'date',
  'image',
  'color',
  'boolean',
];

/** A default of each type: the service refuses others. */
const plainest: Readonly<Record<ListField['type'], string>> = {
  text: '',
  number: '0',
  date: '',
  image: '',
  color: '#000000',
  boolean: 'true',
};

/** A column for each field, a row for each item. */
export function ListFields({ variable, change }: ListFieldsProps): VNode {
  const { fields, value: items } = variable;
  const setItem = (index: number, name: string, text: string): void => {
    const value = items.map((item, at) => (at === index ? { ...item, [name]: text } : item));
    change('Change item', { fields, value }, `item:${index}:${name}`);
  };
  return (
    <div class="p-list-items">
      <FieldLines variable={variable} change={change} />
      <span class="p-note">Items</span>
      {items.map((item, index) => (
        <div class="p-list-item" key={index}>
          {fields.map(({ name }) => (
            <input
              key={name}
              type="text"
              aria-label={`Item ${index + 1}: ${name}`}
              placeholder={name}
              value={String(item[name] ?? '')}
              onInput={(event) => setItem(index, name, textOf(event))}
            />
          ))}
          {toolButton('trash', `Delete item ${index + 1}`, () =>
            change('Delete item', { fields, value: items.filter((_, at) => at !== index) }),
          )}
        </div>
      ))}
      <button
        type="button"
        class="p-add"
        onClick={() => change('Add item', { fields, value: [...items, sampleItem(fields)] })}
      >
        {icon('plus')} Item
      </button>
    </div>
  );
}

/** The names and types of the fields. */
function FieldLines({ variable: { fields, value: items }, change }: ListFieldsProps): VNode {
  const set = (index: number, field: ListField): void => {
    const before = fields[index]?.name ?? '';
    const next = fields.map((each, at) => (at === index ? field : each));
    const value = items.map((item) => renamed(item, before, field.name));
    change('Change field', { fields: next, value });
  };
  const add = (): void => {
    const name = freeName(fields);
    change('Add field', { fields: [...fields, { name, type: 'text', value: '' }], value: items });
  };
  return (
    <>
      <span class="p-note">Fields</span>
      {fields.map((field, index) => (
        <div class="p-list-item" key={index}>
          <input
            type="text"
            aria-label={`Field ${index + 1}: name`}
            value={field.name}
            onChange={(event) => set(index, { ...field, name: textOf(event).trim() })}
          />
          <select
            aria-label={`Field ${index + 1}: type`}
            value={field.type}
            onChange={(event) => {
              const type = textOf(event) as ListField['type'];
              set(index, { ...field, type, value: plainest[type] });
            }}
          >
            {fieldTypes.map((type) => (
              <option value={type} selected={type === field.type}>
                {type}
              </option>
            ))}
          </select>
          {fields.length === 1
            ? null
            : toolButton('trash', `Delete field ${field.name}`, () =>
                change('Delete field', {
                  fields: fields.filter((each) => each !== field),
                  value: items.map((item) => withoutField(item, field.name)),
                }),
              )}
        </div>
      ))}
      <button type="button" class="p-add" onClick={add}>
        {icon('plus')} Field
      </button>
    </>
  );
}

type Item = ListVariable['value'][number];

function renamed(item: Item, from: string, to: string): Item {
  const entries = Object.entries(item).map(([name, value]) => [name === from ? to : name, value]);
  return Object.fromEntries(entries) as Item;
}

function withoutField(item: Item, field: string): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== field));
}

function freeName(fields: readonly ListField[]): string {
  const taken = new Set(fields.map(({ name }) => name));
  let count = fields.length + 1;
  while (taken.has(`field${count}`)) count += 1;
  return `field${count}`;
}

function sampleItem(fields: readonly ListField[]): Item {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

function textOf(event: TargetedEvent<HTMLInputElement | HTMLSelectElement>): string {
  return event.currentTarget.value;
}
