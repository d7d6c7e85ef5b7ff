/** The canvas: the image of the template as the service renders it, with handles over it. */
import { batch, computed, effect, untracked, useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Editor } from '../state/editor.ts';
import { scaleShown } from '../state/frames.ts';
import { createCanvasState, fitView, keepInSight, stepZoom, zoomAt } from './canvas-state.ts';
import type { CanvasState, View } from './canvas-state.ts';
import { watchClipboard, watchImages } from './gestures/paste.ts';
import { followFrames } from './stage/follow-frames.ts';
import { keepAids } from './guides/aids.ts';
import { Overlay } from './overlay.tsx';
import { watchPointer } from './gestures/pointer.ts';
import { Stage } from './stage/stage.ts';
import { TextEditor } from './text/editor.tsx';
import { behindFrame } from '../panels/behind-frame.ts';
import { Bar } from './tools/bar.tsx';
import { areaClearOfBars } from './tools/bars.ts';
import { ToolBar } from './tools/tool-bar.tsx';
import { IconButton } from '../icons.tsx';
import { later } from '../later-part.tsx';

/** The canvas of an open template; it fills its parent. */
export function Canvas({ editor }: { editor: Editor }): VNode {
  const state = useMemo(() => createCanvasState(editor), [editor]);
  const windowRef = useRef<HTMLDivElement>(null);
  const stageRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current: element } = windowRef;
    const { current: sheet } = stageRef;
    if (element === null || sheet === null) return undefined;
    const ends = [
      watchWindow(state, element),
      followZoom(state),
      followScale(state),
      endCrop(state),
      effect(() => keepAids(editor.uid, state.aids.value)),
      placeSheet(state, sheet),
      followFrames(state, new Stage(sheet, state.staged)),
      watchPointer(state, element),
      watchClipboard(editor),
      watchImages(state, element),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [state]);
  const { hasRulers } = state.aids.value;
  const isEmpty = useComputed(() => editor.document.value.layers.length === 0).value;
  const hasAlignBar = useComputed(() => isAligned(state)).value;
  return (
    <div class="canvas">
      <div
        class="canvas-window"
        ref={windowRef}
        tabindex={0}
        role="application"
        onFocusOut={() => behindFrame(editor).renderNow()}
        aria-label="Image: select layers with the pointer, move them with the arrow keys"
        data-tool={state.isSpaceDown.value ? 'hand' : state.tool.value}
        data-drop={state.dropTarget.value === 'canvas'}
      >
        <div class="canvas-sheet" ref={stageRef} />
        {hasRulers ? <Guides state={state} /> : null}
        <Overlay state={state} />
        <OfList state={state} part={ListHandles} />
        <Movements state={state} />
        <TextEditor state={state} />
        <Hint state={state} />
      </div>
      {hasRulers ? <Rulers state={state} /> : null}
      {isEmpty ? <EmptyCanvas state={state} /> : null}
      <UploadNote state={state} />
      <CanvasMenu state={state} />
      {hasAlignBar ? <AlignBar state={state} /> : null}
      <OfList state={state} part={ListBar} />
      <ToolBar state={state} />
      <ZoomBar state={state} />
    </div>
  );
}

interface PartProps {
  state: CanvasState;
}

const AlignBar = later((code) => code.AlignBar);
const EmptyCanvas = later((code) => code.EmptyCanvas);
const Guides = later((code) => code.Guides);
const Rulers = later((code) => code.Rulers);
const ListHandles = later((code) => code.ListHandles);
const ListBar = later((code) => code.ListBar);
const LayerMenu = later((code) => code.LayerMenu);
const MovementPath = later((code) => code.MovementPath);

/** Whether a layer with a position is selected, and no text is edited. */
function isAligned({ selected, editing }: CanvasState): boolean {
  return editing.value === undefined && selected.value.some(({ layer }) => layer.x !== undefined);
}

/** Renders `part` while a repeating stack is the only selected layer. */
function OfList({ state, part: Part }: PartProps & { part: typeof ListBar }): VNode | null {
  const [position, ...others] = state.selected.value;
  const isList = position?.layer.type === 'stack' && position.layer.repeat !== undefined;
  return isList && others.length === 0 ? <Part state={state} /> : null;
}

/** Path of the selected layer, in a template with an animation of type `motion`. */
function Movements({ state }: PartProps): VNode | null {
  const isMotion = state.editor.document.value.animation?.type === 'motion';
  return isMotion ? <MovementPath state={state} /> : null;
}

/** The text of a gesture beside the pointer. */
function Hint({ state }: { state: CanvasState }): VNode | null {
  const hint = state.hint.value;
  if (hint === undefined) return null;
  const { x, y, zoom } = state.view.value;
  const left = `${x + hint.at.x * zoom + 16}px`;
  const top = `${y + hint.at.y * zoom + 18}px`;
  return (
    <output class="canvas-hint" style={{ left, top }}>
      {hint.text}
    </output>
  );
}

function CanvasMenu({ state }: { state: CanvasState }): VNode | null {
  const menu = state.menu.value;
  if (menu === undefined) return null;
  return <LayerMenu editor={state.editor} {...menu} close={() => (state.menu.value = undefined)} />;
}

/** Upload progress of an image. */
function UploadNote({ state }: { state: CanvasState }): VNode | null {
  const uploading = state.uploading.value;
  if (uploading === undefined) return null;
  const { name, part } = uploading;
  return (
    <p class="canvas-bar upload-note" role="status">
      <span>Uploading {name}</span>
      <progress max="1" value={part} aria-label={`Upload of ${name}`} />
    </p>
  );
}

function watchWindow({ window }: CanvasState, element: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    window.value = { width: element.clientWidth, height: element.clientHeight };
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** Updates the view from `editor.zoom`: 0 fits the image, other values zoom about the middle of the window. */
function followZoom({ editor, view, window, aids }: CanvasState): () => void {
  const hasRulers = computed(() => aids.value.hasRulers);
  return effect(() => {
    const zoom = editor.zoom.value;
    const { width, height } = editor.document.value;
    const size = window.value;
    const area = areaClearOfBars(size, hasRulers.value);
    if (size.width === 0) return;
    untracked(() => {
      const image = { width, height };
      if (zoom === 0) {
        const fitted = fitView(area, { x: 0, y: 0, ...image }, 1);
        // Most changes of the document keep its size.
        if (!isSameView(fitted, view.value)) view.value = fitted;
        return;
      }
      if (zoom === view.value.zoom) return;
      const middle = { x: size.width / 2, y: size.height / 2 };
      const zoomed = keepInSight(zoomAt(view.value, zoom, middle), size, image);
      batch(() => {
        view.value = zoomed;
        editor.zoom.value = zoomed.zoom;
      });
    });
  });
}

function isSameView(one: View, other: View): boolean {
  return one.x === other.x && one.y === other.y && one.zoom === other.zoom;
}

/** Ends a crop when the selection changes. */
function endCrop({ cropping, editor }: CanvasState): () => void {
  return effect(() => {
    const [id, ...others] = editor.selection.value;
    if (others.length > 0 || id !== cropping.peek()?.id) cropping.value = undefined;
  });
}

/** Sets the scale of preview images from the zoom and the device pixel ratio. */
function followScale({ editor, view, window }: CanvasState): () => void {
  return effect(() => {
    const isSeen = window.value.width > 0;
    const devicePixels = view.value.zoom * devicePixelRatio;
    if (isSeen) editor.previewScale.value = scaleShown(editor.document.value, devicePixels);
  });
}

/** Zoom from which the pixels of an image are shown as squares. */
const squaresMin = 3;

function placeSheet({ editor, view }: CanvasState, sheet: HTMLElement): () => void {
  return effect(() => {
    const { x, y, zoom } = view.value;
    const { width, height } = editor.document.value;
    sheet.style.transform = `translate(${x}px, ${y}px)`;
    sheet.style.width = `${width * zoom}px`;
    sheet.style.height = `${height * zoom}px`;
    sheet.style.imageRendering = zoom >= squaresMin ? 'pixelated' : 'auto';
  });
}

// The bar at the corner of the canvas that shows and changes the zoom.

function ZoomBar({ state }: { state: CanvasState }): VNode {
  const { editor, view } = state;
  const { zoom } = view.value;
  const percent = `${Math.round(zoom * 100)} %`;
  const zoomTo = (next: number) => (): void => {
    editor.zoom.value = next;
  };
  return (
    <Bar label="Zoom" className="zoom-bar">
      <IconButton name="Smaller" path="M3.5 8h9" run={() => stepZoom(editor, -1)} />
      <button
        type="button"
        class="zoom-value"
        aria-label={`Shown at ${percent}: show at 100 %`}
        title="100 %"
        onClick={zoomTo(1)}
      >
        {percent}
      </button>
      <IconButton name="Larger" path="M3.5 8h9M8 3.5v9" run={() => stepZoom(editor, 1)} />
      <IconButton
        name="Fit into the window"
        path="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"
        run={zoomTo(0)}
      />
    </Bar>
  );
}
