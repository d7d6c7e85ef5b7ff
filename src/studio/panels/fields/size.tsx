/** A width or a height: a number, the size of the content (hug), or the remaining space of the stack (fill). */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Template } from '#language/schema/template.ts';
import { tidyNumber } from '../../canvas/geometry.ts';
import { measuredBoxes } from '../../canvas/layer-geometry.ts';
import { fixSizes, keepPosition, sizeModes } from '../../state/layer-sizes.ts';
import type { SizeMode } from '../../state/layer-sizes.ts';
import { findPosition, settleIn } from '../../state/layers.ts';
import { isRatioLocked, lockRatio } from '../../state/ratio-locks.ts';
import { behindFrame } from '../behind-frame.ts';
import type { Target } from '../target.ts';
import type { ControlProps } from './number.tsx';
import { NumberField } from './number.tsx';
import type { FieldKind } from './schema-fields.ts';
import { Toggle } from './simple.tsx';
import { showNumber } from './values.ts';

interface SizeProps extends ControlProps<Extract<FieldKind, { type: 'size' }>> {
  target: Target;
  name: string;
  label: string;
  isMixed: boolean;
}

const modeNames: Readonly<Record<SizeMode, string>> = { fixed: 'Fixed', hug: 'Hug', fill: 'Fill' };

/** Shows the number, and the mode if there is a choice. With hug and fill, the placeholder is the measured size. */
export function SizeField(props: SizeProps): VNode {
  const { kind, target, name, label, value, isMixed, change } = props;
  const modes = sizeModesOf(target);
  const mode = modeOf(value);
  const size = name === 'width' ? 'width' : 'height';
  const found = measuredBoxes(behindFrame(target.editor)).get(target.ids[0] ?? '')?.[size];
  const isFound = !isMixed && mode !== 'fixed' && found !== undefined;
  const placeholder = isFound
    ? showNumber(kind.number, Math.round(found * 10) / 10)
    : props.placeholder;
  const resize = (next: unknown, gesture?: string): void => {
    // A side of 0 has no ratio from which the other could return.
    const isKept = typeof next === 'number' && next > 0 && isRatioLocked(target.editor, target.ids);
    if (isKept) resizeBoth(target, size, next, gesture);
    else change(next, gesture);
  };
  const number = (
    <NumberField {...props} change={resize} kind={kind.number} placeholder={placeholder} />
  );
  if (modes.length === 1) return number;
  return (
    <span class="p-size">
      {number}
      <select
        aria-label={`${label}: fixed, hug or fill`}
        value={isMixed ? '' : mode}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          if (chosen === 'fixed') fix(target, size);
          else change(chosen);
        }}
      >
        {isMixed ? (
          <option value="" disabled>
            Mixed
          </option>
        ) : null}
        {modes.map((each) => (
          <option value={each} selected={!isMixed && each === mode}>
            {modeNames[each]}
          </option>
        ))}
      </select>
    </span>
  );
}

function modeOf(value: unknown): SizeMode {
  return value === 'hug' || value === 'fill' ? value : 'fixed';
}

/** Returns the size modes that all layers of the target allow. */
export function sizeModesOf({ editor, ids }: Target): SizeMode[] {
  const lists = ids.flatMap((id) => {
    const position = findPosition(behindFrame(editor).document.value, id);
    return position === undefined ? [] : [sizeModes(position.layer, position.group)];
  });
  const [first = ['fixed'], ...others] = lists;
  return first.filter((mode) => others.every((list) => list.includes(mode)));
}

/** Sets one side of each layer, and scales the other side to keep the ratio. */
function resizeBoth(
  { editor, ids }: Target,
  size: 'width' | 'height',
  to: number,
  gesture: string | undefined,
): void {
  const boxes = measuredBoxes(editor);
  const other = size === 'width' ? 'height' : 'width';
  const recipe = (draft: Template): void => {
    for (const id of ids) {
      const position = findPosition(draft, id);
      const box = boxes.get(id);
      if (position === undefined || box === undefined) continue;
      const { layer } = position;
      keepPosition(layer, box, () => {
        layer[size] = to;
        const isNumber = typeof layer[other] === 'number' && box[size] > 0;
        if (isNumber) layer[other] = tidyNumber((box[other] * to) / box[size]);
      });
      settleIn(draft, position, boxes);
    }
  };
  editor.change(`Change ${size}`, recipe, gesture);
}

/** Sets whether the sides keep their ratio, here and on the canvas. */
export function RatioRow({ target }: { target: Target }): VNode {
  const id = useId();
  return (
    <div class="p-row">
      <label for={id} title="The other side follows, here and on the canvas">
        Keep ratio
      </label>
      <Toggle
        id={id}
        isOn={isRatioLocked(target.editor, target.ids)}
        change={(isOn) => lockRatio(target.editor, target.ids, isOn)}
      />
    </div>
  );
}

/** Sets a side of each layer to its measured size. */
function fix({ editor, ids }: Target, size: 'width' | 'height'): void {
  const boxes = measuredBoxes(editor);
  editor.change(`Fix ${size}`, (draft) => {
    for (const id of ids) {
      const position = findPosition(draft, id);
      if (position === undefined) continue;
      fixSizes(position.layer, boxes.get(id), [size]);
      settleIn(draft, position, boxes);
    }
  });
}
