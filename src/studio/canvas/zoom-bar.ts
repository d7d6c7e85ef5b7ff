/** The bar at the canvas's corner that says how large the picture is shown, and changes it. */
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { stepZoom } from './canvas-state.ts';
import type { CanvasState } from './canvas-state.ts';
import { IconButton } from '../icon-button.ts';

export function ZoomBar({ state }: { state: CanvasState }): VNode {
  const { editor, view } = state;
  const { zoom } = view.value;
  const percent = `${Math.round(zoom * 100)} %`;
  const zoomTo = (next: number) => (): void => {
    editor.zoom.value = next;
  };
  return html`<div class="canvas-bar zoom-bar" role="toolbar" aria-label="Zoom">
    <${IconButton} name="Smaller" path="M3.5 8h9" run=${() => stepZoom(editor, -1)} />
    <button
      type="button"
      class="zoom-value"
      aria-label=${`Shown at ${percent}: show at 100 %`}
      title="100 %"
      onClick=${zoomTo(1)}
    >
      ${percent}
    </button>
    <${IconButton} name="Larger" path="M3.5 8h9M8 3.5v9" run=${() => stepZoom(editor, 1)} />
    <${IconButton}
      name="Fit into the window"
      path="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"
      run=${zoomTo(0)}
    />
  </div>`;
}
