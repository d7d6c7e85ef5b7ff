/** The repeat of a stack: a list, the items at most, the layer that follows them, and the display of an empty list. */
import type { TargetedEvent, VNode } from 'preact';
import type { StackLayer } from '#language/schema/layers.ts';
import type { ListVariable, Template } from '#language/schema/template.ts';
import { behindFrame } from '../behind-frame.ts';
import { findLayer, nameOf } from '../../state/layers.ts';
import { itemScopes } from '../../state/list-items.ts';
import { addVariable } from '../variables/variables.ts';
import type { FieldKind } from './schema-fields.ts';
import { head } from './structured.tsx';
import type { StructuredProps } from './structured.tsx';

/** The option that creates a list. No variable has such a name. */
const newList = '{new}';

/** Selects the list, and shows the other fields once a list is chosen. */
export function RepeatField(
  props: StructuredProps & { kind: Extract<FieldKind, { type: 'repeat' }> },
): VNode {
  const { target, field, path, kind, id, row } = props;
  const { editor, ids } = target;
  const document = behindFrame(editor).document.value;
  const scopes = itemScopes(document);
  const isInner = ids.some((each) => scopes.has(each));
  const lists = document.variables.filter((each) => each.type === 'list');
  const chosen = target.read([...path, 'list']);
  const list = lists.find(({ name }) => name === chosen);
  const choose = (name: string): void =>
    editor.change(name === '' ? 'End the repeat' : 'Repeat a list', (draft) => {
      const from = name === newList ? addVariable(draft, 'items', 'list', '') : name;
      for (const stack of stacksOf(draft, ids)) {
        if (from === '') delete stack.repeat;
        else stack.repeat = { ...stack.repeat, list: from };
      }
    });
  const hintOf = (name: string): string =>
    kind.fields.find((each) => each.name === name)?.hint ?? '';
  const max = kind.fields.find(({ name }) => name === 'max');
  if (isInner) {
    return (
      <>
        {head(field, null)}
        <p class="p-note">A stack around it repeats a list, and an item has no lists.</p>
      </>
    );
  }
  return (
    <>
      {head(field, null)}
      <div class="p-inside">
        {choice(
          { id: `${id}-list`, name: 'list', label: 'List', hint: hintOf('list') },
          list?.name ?? '',
          [
            ['', typeof chosen === 'symbol' ? 'Mixed' : 'None'],
            ...lists.map(({ name }) => [name, name] as const),
            [newList, 'New list…'],
          ],
          choose,
        )}
        {list === undefined ? null : (
          <>
            {max === undefined ? null : row(max, [...path, 'max'])}
            <MoreField {...props} hint={hintOf('more')} />
            <WhenEmptyField {...props} list={list} />
          </>
        )}
      </div>
    </>
  );
}

function stacksOf(document: Template, ids: readonly string[]): StackLayer[] {
  return ids.flatMap((id) => {
    const layer = findLayer(document, id);
    return layer?.type === 'stack' ? [layer] : [];
  });
}

/** Selects the layer that follows the items if the list has more items than are drawn. Null for several stacks. */
function MoreField({ target, path, id, hint }: StructuredProps & { hint: string }): VNode | null {
  const { editor, ids } = target;
  const [stack, ...others] = stacksOf(behindFrame(editor).document.value, ids);
  if (stack === undefined || others.length > 0) return null;
  const more = target.read([...path, 'more']);
  const choose = (chosen: string): void =>
    editor.change('Choose the layer for the rest', (draft) => {
      for (const { repeat } of stacksOf(draft, ids)) {
        if (repeat === undefined) continue;
        if (chosen === '') delete repeat.more;
        else repeat.more = chosen;
      }
    });
  const options = stack.layers.map((layer) => [layer.id, nameOf(layer)] as const);
  return choice(
    { id: `${id}-more`, name: 'more', label: 'Then, if more', hint },
    typeof more === 'string' ? more : '',
    [['', 'nothing'], ...options],
    choose,
  );
}

/** Sets what an empty list shows. The variable has this property, so it applies to all stacks that repeat the list. */
function WhenEmptyField({ target, id, list }: StructuredProps & { list: ListVariable }): VNode {
  const choose = (chosen: string): void =>
    target.editor.change('Change when empty', (draft) => {
      const stored = draft.variables.find(({ name }) => name === list.name);
      if (stored === undefined) return;
      if (chosen === 'empty') stored.whenEmpty = chosen;
      else delete stored.whenEmpty;
    });
  const hint = `of the variable ${list.name}: what a link without items shows`;
  return choice(
    { id: `${id}-empty`, name: 'whenEmpty', label: 'If empty', hint },
    list.whenEmpty ?? 'default',
    [
      ['default', 'the default items'],
      ['empty', 'nothing'],
    ],
    choose,
  );
}

interface ChoiceRow {
  id: string;
  name: string;
  label: string;
  hint: string;
}

function choice(
  { id, name, label, hint }: ChoiceRow,
  value: string,
  options: ReadonlyArray<readonly [value: string, words: string]>,
  choose: (value: string) => void,
): VNode {
  return (
    <div class="p-row p-fixed" data-field={name}>
      <label for={id} title={hint}>
        {label}
      </label>
      <div class="p-control">
        <select
          id={id}
          value={value}
          onChange={(event: TargetedEvent<HTMLSelectElement>) => choose(event.currentTarget.value)}
        >
          {options.map(([each, words]) => (
            <option value={each} selected={each === value}>
              {words}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
