/** Bar of the selected list: arranges its items, edits its sample items, and enters the layers of an item. */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { StackLayer } from '#language/schema/layers.ts';
import { Popover } from '../../dialog.tsx';
import { icon, IconButton } from '../../icons.tsx';
import { SampleItems } from '../../panels/variables/item-table.tsx';
import { findLayer } from '../../state/layers.ts';
import type { CanvasState } from '../canvas-state.ts';
import { focusCanvas } from '../../panels/parts.ts';
import { enterSelected } from '../gestures/keys.ts';
import { Bar } from '../tools/bar.tsx';
import { Beside, screenBounds } from '../tools/beside.tsx';
import { selectedList } from './selected-list.ts';
import type { SelectedList } from './selected-list.ts';

interface Arrangement {
  name: string;
  path: string;
  look: Pick<StackLayer, 'direction' | 'wrap'>;
}

const arrangements: readonly Arrangement[] = [
  { name: 'Items below each other', path: 'M3 2.5h10v3H3zM3 10.5h10v3H3z', look: {} },
  {
    name: 'Items side by side',
    path: 'M2.5 3h3v10h-3zM10.5 3h3v10h-3z',
    look: { direction: 'row' },
  },
  {
    name: 'Items in lines',
    path: 'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4z',
    look: { direction: 'row', wrap: true },
  },
];

/** Gap round a list for its handles, screen pixels. */
const handlesPx = 34;

export function ListBar({ state }: { state: CanvasState }): VNode | null {
  const { editing, carried } = state;
  const isBusy = editing.value !== undefined || carried.value !== undefined;
  const list = isBusy ? undefined : selectedList(state);
  return list === undefined ? null : <Tools key={list.position.id} state={state} list={list} />;
}

function Tools({ state, list }: { state: CanvasState; list: SelectedList }): VNode {
  const { editor } = state;
  const { position, stack, variable } = list;
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const arrange = ({ name, look }: Arrangement): void =>
    editor.change(name, (draft) => {
      const changed = findLayer(draft, position.id);
      if (changed?.type !== 'stack') return;
      delete changed.direction;
      delete changed.wrap;
      Object.assign(changed, look);
    });
  const index = editor.document.value.variables.findIndex(({ name }) => name === variable.name);
  return (
    <>
      <Beside
        className="list-aside"
        box={screenBounds(position, state.view.value)}
        window={state.window.value}
        gapPx={handlesPx}
      >
        <Bar label="List" className="list-bar">
          {arrangements.map((each) => (
            <IconButton
              key={each.name}
              name={each.name}
              path={each.path}
              isOn={isSame(stack, each.look)}
              run={() => arrange(each)}
            />
          ))}
          <IconButton
            name="Edit the layers of an item"
            path="M3 13l.7-3L10.500 3.200l2.300 2.300L6 12.300zM9 4.700l2.300 2.300"
            run={() => {
              enterSelected(state);
              // The bar disappears with the selection. The focus returns to the canvas for its keys.
              focusCanvas();
            }}
          />
          <button
            ref={anchor}
            type="button"
            class="list-items"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {icon('list')} Items
          </button>
        </Bar>
      </Beside>
      {isOpen && anchor.current !== null && (
        <Popover
          anchor={anchor.current}
          label={`Sample items of ${variable.name}`}
          close={() => setOpen(false)}
        >
          <div class="panel">
            <SampleItems editor={editor} variable={variable} index={index} />
          </div>
        </Popover>
      )}
    </>
  );
}

function isSame(stack: StackLayer, { direction, wrap }: Arrangement['look']): boolean {
  const isRow = stack.direction === 'row';
  return isRow === (direction === 'row') && (isRow && stack.wrap === true) === (wrap === true);
}
