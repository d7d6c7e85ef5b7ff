/** Frames of an edited text that show its bindings as they are written. */
import { effect, untracked } from '@preact/signals';
import type { Template } from '#language/schema/template.ts';
import type { TextLayer } from '#language/schema/text.ts';
import { createFrames, drawLoaded, momentOf } from '../../state/frames.ts';
import { findLayer } from '../../state/layers.ts';
import type { CanvasState } from '../canvas-state.ts';
import { textOf, textTarget } from '../text/editable-text.ts';

/** Requests the frames while a text with bindings is edited, until the returned function is called. */
export function followTyping({ editor, editing, typing }: CanvasState): () => void {
  const { client } = editor.service;
  const frames = createFrames(drawLoaded(client), globalThis);
  /** Number of the last frame that shows an earlier edit, or bindings that are gone. */
  let before = 0;
  /** The edited text with its bindings, if it has some. */
  const bound = (): TextLayer | undefined => {
    const id = editing.value?.id;
    const document = editor.document.value;
    const layer = id === undefined ? undefined : findLayer(document, id);
    if (layer?.type !== 'text') return undefined;
    const isText = editing.value?.isText === true;
    const target = textTarget(document, layer, isText, editor.values.peek());
    return target.kind === 'text' && textOf(layer).includes('{{') ? layer : undefined;
  };
  const ends = [
    effect(() => {
      const layer = bound();
      const document = editor.document.value;
      if (layer === undefined) {
        before = frames.asked.peek();
        typing.value = undefined;
        return;
      }
      const shown = withShownBindings(document, layer);
      const moment = momentOf(editor);
      const copy = async (): Promise<Template> => {
        const valid = await editor.validCopy();
        return valid === document ? shown : withShownBindings(valid, layer);
      };
      untracked(() => frames.ask(shown, editor.values.value, moment, copy));
    }),
    effect(() => {
      const frame = frames.frame.value;
      typing.value = frame !== undefined && frame.number > before ? frame : undefined;
    }),
    () => frames.close(),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Unicode word joiner, which is invisible. Between two braces it prevents a binding. */
const wordJoiner = '\u2060';

/** Copy of the document that shows the bindings of a text as they are written in `edited`, finished or not. */
export function withShownBindings(document: Template, edited: TextLayer): Template {
  const shown = structuredClone(document);
  const layer = findLayer(shown, edited.id);
  if (layer?.type !== 'text') return shown;
  const written = edited.spans ?? [edited];
  for (const [index, part] of (layer.spans ?? [layer]).entries()) {
    const text = written[index]?.text ?? part.text ?? '';
    part.text = text.replaceAll('{{', `{${wordJoiner}{`).replaceAll('}}', `}${wordJoiner}}`);
  }
  return shown;
}
