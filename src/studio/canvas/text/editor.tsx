/** Edits a text on the canvas: a field of the same font over the rendered letters. */
import type { VNode, ComponentChildren } from 'preact';
import { useEffect, useRef, useLayoutEffect, useState } from 'preact/hooks';
import type { TextLayer } from '#language/schema/text.ts';
import type { Editor } from '../../state/editor.ts';
import type { CanvasState, View, Size } from '../canvas-state.ts';
import {
  fieldKind,
  readTarget,
  spansToEdit,
  textTarget,
  writeTarget,
  loadFace,
  fieldStyle,
  sizeRatio,
} from './editable-text.ts';
import type { TextTarget } from './editable-text.ts';
import { boundsOf } from '../geometry.ts';
import type { Rect } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { SpanField } from './span-field.tsx';
import { toScreen, placeBeside } from '../canvas-state.ts';

/** The field for the layer that is being edited, if there is one. */
export function TextEditor({ state }: { state: CanvasState }): VNode | null {
  const { editing, positions, editor } = state;
  const position = positions.value.find(({ id }) => id === editing.value?.id);
  if (position?.layer.type !== 'text') return null;
  const isText = editing.value?.isText === true;
  const target = textTarget(editor.document.value, position.layer, isText);
  return (
    <TextField
      key={`${position.id} ${isText}`}
      state={state}
      position={position}
      layer={position.layer}
      target={target}
    />
  );
}

interface TextFieldProps {
  state: CanvasState;
  position: LayerGeometry;
  layer: TextLayer;
  target: TextTarget;
}

function TextField({ state, position, layer, target }: TextFieldProps): VNode {
  const { editor, editing, view, window } = state;
  // What was one variable alone may be typed into something else: what the field is for stays.
  const { current: first } = useRef(target);
  useEffect(() => () => editor.endGesture(), []);
  // A field that another one has replaced is left, too, and ends nothing.
  const { current: edited } = useRef(editing.value);
  const finish = (): void => {
    if (editing.value === edited) editing.value = undefined;
  };
  const reported = state.shown.value?.report.layers.find(({ id }) => id === position.id)?.text;
  const kind = fieldKind(layer);
  const { zoom } = view.value;
  const typed = readTarget(editor, layer, first);
  const shared = {
    editor,
    label: first.variable === undefined ? 'Text' : `Sample value of ${first.variable.name}`,
    write: (text: string): void => writeTarget(editor, position.id, first, text),
    finish,
  };
  const style = kind === 'plain' ? fieldStyle(layer, position, reported, zoom) : {};
  const plain = <PlainField {...shared} layer={layer} style={style} value={typed} />;
  const scale = sizeRatio(layer, reported) * zoom;
  const spans = spansToEdit(layer, first, typed);
  const over =
    kind === 'spans' ? (
      <SpanField {...shared} layer={layer} spans={spans} scale={scale} />
    ) : (
      kind === 'plain' && plain
    );
  const editText = (): void => {
    editing.value = { id: position.id, isText: true };
  };
  const { name } = first.variable ?? {};
  const hasAside = kind === 'aside' || name !== undefined;
  return (
    <div class="text-editor" data-over={kind !== 'aside'}>
      <div class="text-box" style={boxStyle(position, view.value)}>
        {over}
      </div>
      {hasAside && (
        <TextAside box={screenBounds(position, view.value)} window={window.value}>
          {kind === 'aside' && plain}
          {name !== undefined && <SampleNote name={name} editText={editText} />}
        </TextAside>
      )}
    </div>
  );
}

function boxStyle({ seen }: LayerGeometry, view: View): Record<string, string> {
  const at = toScreen(view, seen);
  return {
    transform: `translate(${at.x}px, ${at.y}px) rotate(${seen.rotation}deg)`,
    width: `${seen.width * view.zoom}px`,
    height: `${seen.height * view.zoom}px`,
  };
}

/** What the layer takes of the window, turned or not. */
function screenBounds({ seen }: LayerGeometry, view: View): Rect {
  const bounds = boundsOf([seen]) ?? seen;
  const { zoom } = view;
  return { ...toScreen(view, bounds), width: bounds.width * zoom, height: bounds.height * zoom };
}

interface PlainFieldProps {
  editor: Editor;
  layer: TextLayer;
  style: Record<string, string>;
  label: string;
  value: string;
  write: (typed: string) => void;
  finish: () => void;
}

function PlainField(props: PlainFieldProps): VNode {
  const { editor, layer, style, label, value, write, finish } = props;
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    fieldRef.current?.focus();
    fieldRef.current?.select();
  }, []);
  useEffect(() => void loadFace(editor.service, layer), [layer.fontFamily, layer.fontWeight]);
  return (
    <textarea
      ref={fieldRef}
      aria-label={label}
      spellcheck={false}
      maxlength={8000}
      style={style}
      value={value}
      onInput={(event) => write(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        finish();
        // The keys go on working on the layer.
        fieldRef.current?.closest<HTMLElement>('.canvas-window')?.focus();
      }}
    />
  );
}

function SampleNote({ name, editText }: { name: string; editText: () => void }): VNode {
  return (
    <p class="text-note">
      Sample value of <code>{name}</code>: each link brings its own
      <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={editText}>
        Edit the text
      </button>
    </p>
  );
}

// Beside the edited text: where typed text goes, and the field for text that cannot be edited on the image.

/** Holds `children` beside `box`, both in screen pixels of the window. */
function TextAside({
  box,
  window,
  children,
}: {
  box: Rect;
  window: Size;
  children?: ComponentChildren;
}): VNode {
  const asideRef = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current: element } = asideRef;
    if (element === null) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    if (width !== size.width || height !== size.height) setSize({ width, height });
  });
  const { x, y } = placeBeside(box, size, window);
  const transform = `translate(${x}px, ${y}px)`;
  return (
    <div class="text-aside" ref={asideRef} style={{ transform }}>
      {children}
    </div>
  );
}
