/** The bar of the canvas's tools. */
import type { VNode } from 'preact';
import { icon } from '../../icons.tsx';
import type { CanvasState } from '../canvas-state.ts';
import { Bar } from './bar.tsx';
import { tools } from './tools.ts';

export function ToolBar({ state }: { state: CanvasState }): VNode {
  return (
    <Bar label="Tools" className="tool-bar">
      {tools.map(({ tool, name, key }) => (
        <button
          type="button"
          key={tool}
          class="icon"
          aria-label={name}
          aria-keyshortcuts={key}
          aria-pressed={state.tool.value === tool}
          title={`${name} (${key})`}
          onClick={() => (state.tool.value = tool)}
        >
          {icon(tool)}
        </button>
      ))}
    </Bar>
  );
}
