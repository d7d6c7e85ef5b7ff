/** Edits a record of names and values, such as the features of a font. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { recordLabel } from './labels.ts';
import { initialValue } from './values.ts';
import type { FieldKind } from './schema-fields.ts';
import { head, toolButton } from './structured.tsx';
import type { StructuredProps } from './structured.tsx';

/** Each name has a row. A field adds a name. */
export function RecordField(
  props: StructuredProps & { kind: Extract<FieldKind, { type: 'record' }> },
): VNode {
  const { target, field, path, kind, change, row } = props;
  const [name, setName] = useState('');
  const read = target.read(path);
  const value = (typeof read === 'object' && read !== null ? read : {}) as Record<string, unknown>;
  const names = Object.keys(value);
  const isName = new RegExp(kind.pattern).test(name) && !names.includes(name);
  const add = (): void => {
    if (!isName) return;
    change({ ...value, [name]: kind.item.kind.type === 'number' ? 1 : initialValue(kind.item) });
    setName('');
  };
  const remove = (gone: string): void => {
    const rest = names.filter((each) => each !== gone).map((each) => [each, value[each]]);
    change(rest.length === 0 ? undefined : Object.fromEntries(rest));
  };
  return (
    <>
      {head(field, null)}
      {names.map((each) => (
        <div class="p-with-tool" key={each}>
          {row({ ...kind.item, name: each, label: recordLabel(each) }, [...path, each])}
          {toolButton('minus', `Remove ${each}`, () => remove(each))}
        </div>
      ))}
      {names.length >= kind.most ? null : (
        <div class="p-add-name">
          <input
            type="text"
            aria-label={`${field.label}: name to add`}
            title={field.hint}
            placeholder="Name to add"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add();
            }}
          />
          <button type="button" class="p-small" disabled={!isName} onClick={add}>
            Add
          </button>
        </div>
      )}
    </>
  );
}
