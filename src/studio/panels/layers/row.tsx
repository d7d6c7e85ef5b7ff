/** One layer in the tree: its kind, name and warnings, and the buttons to lock and hide it. */
import type { TargetedEvent, VNode } from 'preact';
import { isParent } from '#language/layer-tree.ts';
import type { Layer } from '#language/schema/layers.ts';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { zeroSizeWarning } from '../../state/layer-sizes.ts';
import type { LayerPosition } from '../../state/layers.ts';
import { findLayer, idsWithin, nameOf } from '../../state/layers.ts';
import { toggleLocked } from '../../canvas/commands.ts';
import { RowMark } from '../../comments/marks.tsx';
import { icon } from '../../icons.tsx';
import { LayerThumbnail } from './layer-thumbnail.tsx';
import { wholeBinding } from '../variables/variables.ts';

export interface LayerRowProps {
  editor: Editor;
  position: LayerPosition;
  isSelected: boolean;
  /** The one row that Tab reaches. */
  isFocusable: boolean;
  isClosed: boolean;
  isRenaming: boolean;
  /** Where a drop would put the dragged layer, relative to this row. */
  hover: 'above' | 'below' | 'inside' | undefined;
  select: (id: string, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }) => void;
  toggle: () => void;
  rename: (id: string | undefined) => void;
  startDrag: (press: PointerEvent, id: string) => void;
}

/** A tree item. A click selects it, a double click renames it, a drag moves it. */
export function LayerRow(props: LayerRowProps): VNode {
  const { editor, position, isSelected, isFocusable, isClosed, isRenaming, hover } = props;
  const { layer, depth } = position;
  const isGroup = isParent(layer);
  const isHidden = !visibilityOf(editor, layer);
  const isLocked = editor.locked.value.has(layer.id);
  const name = nameOf(layer);
  return (
    <div
      class={`p-layer ${isSelected ? 'p-selected' : ''} ${isHidden ? 'p-hidden' : ''} ${hover === undefined ? '' : `p-drop-${hover}`}`}
      role="treeitem"
      data-layer={layer.id}
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={isGroup ? !isClosed : undefined}
      aria-label={name}
      tabindex={isFocusable ? 0 : -1}
      style={{ paddingLeft: `${6 + depth * 16}px` }}
      onPointerDown={(event) => {
        if (event.button === 0 && (event.target as Element).closest('button, input') === null)
          props.startDrag(event, layer.id);
      }}
      onClick={(event) => {
        if ((event.target as Element).closest('button, input') === null)
          props.select(layer.id, event);
      }}
      onDblClick={(event) => {
        if ((event.target as Element).closest('button, input') === null) props.rename(layer.id);
      }}
    >
      {isGroup ? (
        <button
          type="button"
          class={`p-tool p-twist ${isClosed ? '' : 'p-twisted'}`}
          tabindex={-1}
          aria-label={`${isClosed ? 'Open' : 'Close'} ${name}`}
          onClick={props.toggle}
        >
          {icon('open')}
        </button>
      ) : (
        <span class="p-twist" />
      )}
      <LayerThumbnail editor={editor} layer={layer} />
      {isRenaming ? (
        <NameInput editor={editor} layer={layer} end={() => props.rename(undefined)} />
      ) : (
        <span class="p-layer-name" dir="auto" title={name}>
          {name}
        </span>
      )}
      <RowMark editor={editor} layer={layer.id} name={name} isFocusable={isFocusable} />
      <Warnings editor={editor} layer={layer} isClosed={isClosed} />
      {toggleButton({
        isOn: isLocked,
        icon: isLocked ? 'lock' : 'lock-open',
        label: `${isLocked ? 'Unlock' : 'Lock'} ${name}`,
        isFocusable,
        run: () => toggleLocked(editor, [layer.id]),
      })}
      {toggleButton({
        isOn: isHidden,
        icon: isHidden ? 'eye-off' : 'eye',
        label: `${isHidden ? 'Show' : 'Hide'} ${name}`,
        isFocusable,
        run: () => toggleVisible(editor, layer.id, isHidden),
      })}
    </div>
  );
}

interface ToggleButton {
  isOn: boolean;
  icon: string;
  label: string;
  /** Whether Tab reaches the button, which is so only in the focusable row. */
  isFocusable: boolean;
  run: () => void;
}

function toggleButton({ isOn, icon: name, label, isFocusable, run }: ToggleButton): VNode {
  return (
    <button
      type="button"
      class={`p-tool p-layer-toggle ${isOn ? 'p-on' : ''}`}
      tabindex={isFocusable ? 0 : -1}
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={run}
    >
      {icon(name)}
    </button>
  );
}

/** Whether the layer is visible; for a bound property, by its sample value. */
function visibilityOf(editor: Editor, { visible }: Layer): boolean {
  const name = wholeBinding(visible);
  if (name === undefined) return visible ?? true;
  const variable = behindFrame(editor).document.value.variables.find((each) => each.name === name);
  const value = editor.values.value[name];
  if (value !== undefined) return value === true || value === 'true';
  return variable?.value !== 'false';
}

function toggleVisible(editor: Editor, id: string, isHidden: boolean): void {
  editor.change(isHidden ? 'Show' : 'Hide', (draft) => {
    const layer = findLayer(draft, id);
    if (layer === undefined) return;
    if (isHidden) delete layer.visible;
    else layer.visible = false;
  });
}

/** Warnings of the newest frame about a layer, and of a size that is 0. A closed group includes the warnings of its layers. */
function Warnings({
  editor,
  layer,
  isClosed,
}: {
  editor: Editor;
  layer: Layer;
  isClosed: boolean;
}): VNode | null {
  const { document, frame } = behindFrame(editor);
  const reported = frame.value?.report.layers ?? [];
  const ids = isClosed ? idsWithin(layer) : [layer.id];
  const texts = new Set(
    ids.flatMap((id) => {
      const within = findLayer(document.value, id);
      const zeroSize = within === undefined ? undefined : zeroSizeWarning(within);
      const warnings = reported.filter((each) => each.id === id).flatMap((each) => each.warnings);
      return [
        ...warnings.map(({ detail }) => detail),
        ...(zeroSize === undefined ? [] : [zeroSize]),
      ];
    }),
  );
  if (texts.size === 0) return null;
  const label = [...texts].join('\n');
  return (
    <span class="p-warning" role="img" aria-label={`Warning: ${label}`} title={label}>
      {icon('warning')}
    </span>
  );
}

/** Longest name that a layer may have (`name` of the schema). */
const nameLengthMax = 200;

function NameInput({
  editor,
  layer,
  end,
}: {
  editor: Editor;
  layer: Layer;
  end: () => void;
}): VNode {
  const keep = (event: TargetedEvent<HTMLInputElement>): void => {
    const name = event.currentTarget.value.trim();
    end();
    if (name === nameOf(layer)) return;
    editor.change('Rename', (draft) => {
      const draftLayer = findLayer(draft, layer.id);
      if (draftLayer === undefined) return;
      if (name === '') delete draftLayer.name;
      else draftLayer.name = name;
    });
  };
  return (
    <input
      type="text"
      class="p-rename"
      aria-label={`Name of ${nameOf(layer)}`}
      maxlength={nameLengthMax}
      value={nameOf(layer)}
      ref={(input: HTMLInputElement | null) => {
        if (input === null || document.activeElement === input) return;
        input.focus();
        input.select();
      }}
      onBlur={keep}
      onKeyDown={(event) => {
        event.stopPropagation();
        const input = event.currentTarget;
        if (event.key === 'Escape') input.value = nameOf(layer);
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        const row = input.closest<HTMLElement>('[data-layer]');
        input.blur();
        row?.focus();
      }}
    />
  );
}
