/** First actions in the middle of a canvas without layers. */
import type { VNode } from 'preact';
import { icon } from '../../icons.tsx';
import { imageFiles } from '../../state/service.ts';
import type { CanvasState } from '../canvas-state.ts';
import { drawInSight } from '../gestures/draw.ts';
import { takeFiles } from '../gestures/paste.ts';

/** Shown on a canvas without layers while the tool is `select` and no image is uploaded. */
export function EmptyCanvas({ state }: { state: CanvasState }): VNode | null {
  const { tool, uploading } = state;
  if (tool.value !== 'select' || uploading.value !== undefined) return null;
  return (
    <div class="canvas-bar empty-canvas" role="group" aria-label="Begin with">
      <button type="button" class="p-small" onClick={() => drawInSight(state, 'text')}>
        {icon('text')} Add text
      </button>
      <label class="p-small p-file">
        {icon('image')} Upload image
        <input
          type="file"
          class="quiet"
          accept={imageFiles}
          multiple
          aria-label="Upload image: choose files"
          onChange={({ currentTarget: { files } }) => takeFiles(state, [...(files ?? [])])}
        />
      </label>
      <span class="soft">or drop a design here</span>
    </div>
  );
}
