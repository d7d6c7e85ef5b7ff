/** Edits a text where it stands: a field of the same font over the picture, whose letters are the service's own. */
import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { TextLayer } from '#shared/text-schemas.ts';
import type { CanvasState } from './canvas-state.ts';
import { isPlainText, readTarget, textTarget, writeTarget } from './editable-text.ts';
import type { TextTarget } from './editable-text.ts';
import { loadFace } from './font-faces.ts';
import type { Place } from './places.ts';
import { fieldStyle } from './text-style.ts';
import { toScreen } from './view.ts';

/** The field for the layer that is being edited, if there is one. */
export function TextEditor({ state }: { state: CanvasState }): VNode | null {
  const { editing, places, editor } = state;
  const place = places.value.find(({ id }) => id === editing.value?.id);
  if (place?.layer.type !== 'text') return null;
  const isText = editing.value?.isText === true;
  const target = textTarget(editor.document.value, place.layer, isText);
  return html`<${TextField}
    key=${`${place.id} ${isText}`}
    state=${state}
    place=${place}
    layer=${place.layer}
    target=${target}
  />`;
}

interface TextFieldProps {
  state: CanvasState;
  place: Place;
  layer: TextLayer;
  target: TextTarget;
}

function TextField({ state, place, layer, target }: TextFieldProps): VNode {
  const { editor, editing, view } = state;
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  // What was one variable alone may be typed into something else: what the field is for stays.
  const { current: first } = useRef(target);
  useEffect(() => {
    fieldRef.current?.focus();
    fieldRef.current?.select();
    return () => editor.endGesture();
  }, []);
  useEffect(() => void loadFace(editor.service, layer), [layer.fontFamily, layer.fontWeight]);
  const finish = (): void => {
    if (editing.value?.id === place.id) editing.value = undefined;
  };
  const report = state.shown.value?.report.layers.find(({ id }) => id === place.id);
  const isOver = isPlainText(layer);
  const { zoom } = view.value;
  const at = toScreen(view.value, place.seen);
  const size = { width: place.seen.width * zoom, height: place.seen.height * zoom };
  const boxStyle = {
    transform: `translate(${at.x}px, ${at.y}px) rotate(${place.seen.rotation}deg)`,
    width: `${size.width}px`,
    height: `${size.height}px`,
  };
  return html`<div class="text-editor" data-over=${isOver} style=${boxStyle}>
    <textarea
      ref=${fieldRef}
      aria-label=${first.variable === undefined ? 'Text' : `Sample value of ${first.variable.name}`}
      spellcheck="false"
      maxlength="8000"
      style=${isOver ? fieldStyle(layer, place, report?.text, zoom) : {}}
      value=${readTarget(editor, layer, first)}
      onInput=${(event: Event) =>
        writeTarget(editor, place.id, first, (event.target as HTMLTextAreaElement).value)}
      onBlur=${finish}
      onKeyDown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        finish();
        // The keys go on working on the layer.
        fieldRef.current?.closest<HTMLElement>('.canvas-window')?.focus();
      }}
    ></textarea>
    ${
      first.variable === undefined
        ? null
        : html`<p class="text-note">
            Sample value of <code>${first.variable.name}</code>: each link brings its own
            <button
              type="button"
              onMouseDown=${(event: Event) => event.preventDefault()}
              onClick=${() => {
                editing.value = { id: place.id, isText: true };
              }}
            >
              Edit the text
            </button>
          </p>`
    }
  </div>`;
}
