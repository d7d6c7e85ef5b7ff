/** The bar that aligns and distributes the selected layers. */
import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { IconButton } from '../../icons.tsx';
import type { CanvasState } from '../canvas-state.ts';
import { alignSelected, distributeSelected } from '../commands.ts';
import type { Alignment } from '../edit-layers.ts';
import { Bar } from './bar.tsx';

const alignments: ReadonlyArray<readonly [Alignment, name: string, path: string]> = [
  ['left', 'Align left', 'M2.5 2v12M5.5 5.5h8M5.5 10.5h5'],
  ['center', 'Align centres', 'M8 2v12M3.5 5.5h9M5.5 10.5h5'],
  ['right', 'Align right', 'M13.5 2v12M2.5 5.5h8M5.5 10.5h5'],
  ['top', 'Align top', 'M2 2.5h12M5.5 5.5v8M10.5 5.5v5'],
  ['middle', 'Align middles', 'M2 8h12M5.5 3.5v9M10.5 5.5v5'],
  ['bottom', 'Align bottom', 'M2 13.5h12M5.5 2.5v8M10.5 5.5v5'],
];

const distributions: ReadonlyArray<readonly ['x' | 'y', name: string, path: string]> = [
  ['x', 'Equal gaps across', 'M2.5 2.5v11M13.5 2.5v11M8 4.5v7'],
  ['y', 'Equal gaps down', 'M2.5 2.5h11M2.5 13.5h11M4.5 8h7'],
];

/** Bar of a selection with at least one layer that has a position. */
export function AlignBar({ state }: { state: CanvasState }): VNode {
  const { editor, selected } = state;
  const { value: count } = useComputed(
    () => selected.value.filter(({ layer }) => layer.x !== undefined).length,
  );
  const to = count === 1 ? ' on the canvas' : '';
  return (
    <Bar label="Align" className="align-bar">
      {alignments.map(([alignment, name, path]) => (
        <IconButton
          key={alignment}
          name={name + to}
          path={path}
          run={() => alignSelected(editor, alignment)}
        />
      ))}
      {count < 3
        ? null
        : distributions.map(([axis, name, path]) => (
            <IconButton
              key={axis}
              name={name}
              path={path}
              run={() => distributeSelected(editor, axis)}
            />
          ))}
    </Bar>
  );
}
