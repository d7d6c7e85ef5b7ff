/** The layers as a tree, the top one first: select, order, rename, hide, lock, group and add. */
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { isParent } from '#language/layer-tree.ts';
import { groupSelected, ungroupSelected } from '../../canvas/commands.ts';
import { measuredBoxes } from '../../canvas/layer-geometry.ts';
import { findLayer, flattenLayers, moveLayers, removeLayers } from '../../state/layers.ts';
import type { Drop, LayerPosition } from '../../state/layers.ts';
import type { Point } from '../../canvas/geometry.ts';
import { later } from '../../later-part.tsx';
import { asksForMenu } from '../../wording.ts';
import { AddMenu } from './add-menu.tsx';
import { dragRows, dropOn, groupsAround, matchingPositions } from './order.ts';
import type { Over } from './order.ts';
import { LayerRow } from './row.tsx';
import { pressTreeKey } from './tree-keys.ts';
import { toolButton } from '../fields/structured.tsx';

const LayerMenu = later((code) => code.LayerMenu);

/** The target of a drag, and the position of the line that shows it. */
interface Hover {
  id: string;
  side: 'above' | 'below' | 'inside';
  drop: Drop;
}

/** Number of layers from which the search field is shown. */
const searchedFrom = 8;

export function LayersPanel({ editor }: { editor: Editor }): VNode {
  const count = flattenLayers(behindFrame(editor).document.value).length;
  const [query, setQuery] = useState('');
  return (
    <section class="panel p-layers" aria-label="Layers">
      <header class="p-panel-head">
        <h2>{countOf(count)}</h2>
        <span class="p-panel-tools">
          <SelectionTools editor={editor} />
          <AddMenu editor={editor} />
        </span>
        {count < searchedFrom && query === '' ? null : (
          <input
            type="search"
            class="p-layer-search"
            aria-label="Search the layers"
            placeholder="Search"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        )}
      </header>
      {count === 0 ? (
        <p class="p-note p-empty">Nothing here yet. Add a text or an image.</p>
      ) : (
        <Tree editor={editor} query={query.trim().toLowerCase()} />
      )}
    </section>
  );
}

function Tree({ editor, query }: { editor: Editor; query: string }): VNode {
  const selection = editor.selection.value;
  const tree = useRef<HTMLDivElement>(null);
  const { closed, toggle } = useGroups(editor, tree);
  const [renaming, setRenaming] = useState<string | undefined>(undefined);
  const [hover, setHover] = useState<Hover | undefined>(undefined);
  const [menu, setMenu] = useState<Point | undefined>(undefined);
  const positions = matchingPositions(behindFrame(editor).document.value, closed, query);
  const shown = positions.map(({ layer }) => layer.id);
  const focusable = selection.findLast((id) => shown.includes(id)) ?? shown[0];
  const focusRow = (id: string): void => {
    editor.selection.value = [id];
    tree.current?.querySelector<HTMLElement>(`[data-layer="${id}"]`)?.focus();
  };
  const openMenu = (event: Event, at?: Point): void => {
    const row = (event.target as Element).closest<HTMLElement>('[data-layer]');
    const id = row?.dataset['layer'];
    if (row === null || id === undefined) return;
    event.preventDefault();
    if (!selection.includes(id)) focusRow(id);
    const { left, bottom } = row.getBoundingClientRect();
    setMenu(at ?? { x: left + 40, y: bottom });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const id = (event.target as HTMLElement).dataset['layer'];
    if (id === undefined) return;
    if (asksForMenu(event)) return openMenu(event);
    const context = { editor, shown, focusRow, rename: setRenaming };
    if (!pressTreeKey(event, id, { ...context, toggle: (isClosed) => toggle(id, isClosed) }))
      return;
    event.preventDefault();
    event.stopPropagation();
  };
  const row = (position: LayerPosition): VNode => (
    <LayerRow
      key={position.layer.id}
      editor={editor}
      position={position}
      isSelected={selection.includes(position.layer.id)}
      isFocusable={position.layer.id === focusable}
      isClosed={closed.has(position.layer.id)}
      isRenaming={renaming === position.layer.id}
      hover={hover?.id === position.layer.id ? hover.side : undefined}
      select={(id, event) => selectRow(editor, shown, id, event)}
      toggle={() => toggle(position.layer.id)}
      rename={setRenaming}
      startDrag={(press, id) => startDrag(press, id, { editor, tree: tree.current, setHover })}
    />
  );
  return (
    <>
      <div
        ref={tree}
        class="p-tree"
        role="tree"
        aria-label="Layers, the top one first"
        aria-multiselectable="true"
        onKeyDown={onKeyDown}
        onContextMenu={(event) => openMenu(event, { x: event.clientX, y: event.clientY })}
      >
        {positions.map(row)}
      </div>
      {menu === undefined ? null : (
        <LayerMenu editor={editor} screen={menu} at={undefined} close={() => setMenu(undefined)} />
      )}
    </>
  );
}

interface Groups {
  /** Ids of groups whose layers are not listed. */
  closed: ReadonlySet<string>;
  toggle: (id: string, isClosed?: boolean) => void;
}

/** Opens the groups that hide the selection, and scrolls to the selection. */
function useGroups({ document, selection }: Editor, tree: RefObject<HTMLElement | null>): Groups {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const hiding = selection.value.flatMap((id) => groupsAround(document.peek(), id));
    if (hiding.some((id) => closed.has(id))) {
      setClosed(new Set([...closed].filter((id) => !hiding.includes(id))));
    }
    tree.current?.querySelector('.p-selected')?.scrollIntoView({ block: 'nearest' });
  }, [selection.value]);
  const toggle = (id: string, isClosed = !closed.has(id)): void => {
    const others = [...closed].filter((each) => each !== id);
    setClosed(new Set(isClosed ? [...others, id] : others));
  };
  return { closed, toggle };
}

function selectRow(
  { document, selection }: Editor,
  shown: readonly string[],
  id: string,
  held: HeldKeys,
): void {
  const next = new Set(selectionAfter(selection.value, shown, id, held));
  const inOrder = flattenLayers(document.value).map(({ layer }) => layer.id);
  selection.value = inOrder.filter((each) => next.has(each));
}

interface DragContext {
  editor: Editor;
  tree: HTMLElement | null;
  setHover: (hover: Hover | undefined) => void;
}

/** Drags the selected layers, or only the pressed layer if it is not selected. */
function startDrag(press: PointerEvent, id: string, { editor, tree, setHover }: DragContext): void {
  const selection = editor.selection.peek();
  const moving = selection.includes(id) ? selection : [id];
  const find = (over: Over | undefined): Hover | undefined =>
    over === undefined ? undefined : hoverOf(editor, moving, over);
  const drop = (over: Over | undefined): void => {
    const found = find(over);
    setHover(undefined);
    if (found === undefined) return;
    const boxes = measuredBoxes(editor);
    editor.change('Order layers', (draft) => {
      moveLayers(draft, moving, found.drop.group, found.drop.index, boxes);
    });
  };
  dragRows(press, tree, (over) => setHover(find(over)), drop);
}

function countOf(count: number): string {
  return count === 1 ? '1 layer' : `${count} layers`;
}

/** Buttons to group, stack, ungroup and delete the selected layers. */
function SelectionTools({ editor }: { editor: Editor }): VNode | null {
  const ids = editor.selection.value;
  if (ids.length === 0) return null;
  const remove = (): void => editor.change('Delete', (draft) => removeLayers(draft, ids));
  return (
    <>
      {toolButton('group', 'Group the selected layers', () => groupSelected(editor))}
      {toolButton('stack', 'Stack the selected layers', () => groupSelected(editor, 'stack'))}
      {ids.some(isOpenable(editor))
        ? toolButton('ungroup', 'Ungroup', () => ungroupSelected(editor))
        : null}
      {toolButton('trash', 'Delete the selected layers', remove)}
    </>
  );
}

/** Returns a test for layers that can be ungrouped. */
function isOpenable(editor: Editor): (id: string) => boolean {
  const { document } = behindFrame(editor);
  return (id) => {
    const layer = findLayer(document.value, id);
    return layer !== undefined && isParent(layer);
  };
}

type HeldKeys = Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>;

function selectionAfter(
  selection: readonly string[],
  shown: readonly string[],
  id: string,
  { shiftKey, ctrlKey, metaKey }: HeldKeys,
): string[] {
  if (ctrlKey || metaKey) {
    return selection.includes(id) ? selection.filter((each) => each !== id) : [...selection, id];
  }
  const anchor = selection.at(-1);
  if (!shiftKey || anchor === undefined) return [id];
  const [from, to] = [shown.indexOf(anchor), shown.indexOf(id)];
  if (from < 0) return [id];
  const between = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return [...new Set([...between, anchor])];
}

function hoverOf(editor: Editor, moving: readonly string[], { id, part }: Over): Hover | undefined {
  const drop = dropOn(editor.document.peek(), moving, id, part);
  if (drop === undefined) return undefined;
  if (drop.group === id) return { id, drop, side: 'inside' };
  return { id, drop, side: part < 0.5 ? 'above' : 'below' };
}
