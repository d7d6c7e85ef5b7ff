/** What editing a text layer in place changes: its text, or the sample value of the one variable that it shows. */
import type { Template, Variable } from '#language/schema/template.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import type { Editor } from '../../state/editor.ts';
import { findLayer } from '../../state/layers.ts';

/** Where typed text goes. */
export interface TextTarget {
  kind: 'text' | 'sample';
  /** The variable of a sample. */
  variable?: Variable;
}

/** Of a text that is nothing but `{{name}}` the sample value is edited, unless it `isText` that was asked for. */
export function textTarget(document: Template, layer: TextLayer, isText: boolean): TextTarget {
  const name = /^\s*\{\{([^{}]+)\}\}\s*$/.exec(textOf(layer))?.[1]?.trim();
  const variable = document.variables.find((each) => each.name === name);
  if (!isText && variable?.type === 'text') return { kind: 'sample', variable };
  return { kind: 'text' };
}

/** All that a layer's text says, its spans joined. */
export function textOf({ text, spans }: Pick<TextLayer, 'text' | 'spans'>): string {
  return spans === undefined ? (text ?? '') : spans.map((span) => span.text).join('');
}

export function readTarget(editor: Editor, layer: TextLayer, { variable }: TextTarget): string {
  if (variable === undefined) return textOf(layer);
  return String(editor.values.value[variable.name] ?? variable.value);
}

/** Takes typed text; all of one stay in the field is one step. */
export function writeTarget(
  editor: Editor,
  id: string,
  { variable }: TextTarget,
  typed: string,
): void {
  if (variable !== undefined) {
    editor.changeSample(variable.name, typed, `sample:${variable.name}`);
    return;
  }
  editor.change(
    'Edit the text',
    (draft) => {
      const layer = findLayer(draft, id);
      if (layer?.type !== 'text') return;
      if (layer.spans === undefined) layer.text = typed;
      else layer.spans = typeIntoSpans(layer.spans, typed);
    },
    `text:${id}`,
  );
}

/**
 * Spans that say `typed` together: what was typed belongs to the span in which it begins, and the others keep their look.
 * A span of which nothing is left goes.
 */
export function typeIntoSpans(spans: readonly TextSpan[], typed: string): TextSpan[] {
  const before = textOf({ spans: [...spans] });
  const shorter = Math.min(before.length, typed.length);
  let start = 0;
  while (start < shorter && before[start] === typed[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === typed.at(-1 - end)) end += 1;
  const removedTo = before.length - end;
  const inserted = typed.slice(start, typed.length - end);
  // What replaces letters takes their look; what is only added takes that of the letter before it.
  const reach = removedTo > start ? start + 1 : start;
  let from = 0;
  let isInserted = false;
  const next = spans.map((span) => {
    const to = from + span.text.length;
    const head = span.text.slice(0, Math.max(0, start - from));
    const tail = span.text.slice(Math.max(0, removedTo - from));
    const takes = !isInserted && reach <= to;
    isInserted ||= takes;
    from = to;
    return { ...span, text: head + (takes ? inserted : '') + tail };
  });
  const kept = next.filter(({ text }) => text !== '');
  return kept.length > 0 ? kept : next.slice(0, 1);
}

/** Joins nothing and shows nothing (Unicode, word joiner): it keeps two braces from being a binding. */
const wordJoiner = '\u2060';

/** The document with the bindings of one text shown as they are written, so that what is typed is what is seen. */
export function withShownBindings(document: Template, id: string): Template {
  const shown = structuredClone(document);
  const layer = findLayer(shown, id);
  if (layer?.type !== 'text') return shown;
  for (const part of layer.spans ?? [layer]) {
    part.text =
      part.text?.replaceAll('{{', `{${wordJoiner}{`).replaceAll('}}', `}${wordJoiner}}`) ?? '';
  }
  return shown;
}

/**
 * The field that a text is edited in. `plain` and `spans` lie over the picture, whose letters stand for theirs: one look
 * for all, or spans and lines as only page content has them. `aside`: no browser sets it in the same lines.
 */
export function fieldKind(layer: TextLayer): 'plain' | 'spans' | 'aside' {
  const { path, spans, balance, align, linePill, overflow } = layer;
  if (path !== undefined || linePill !== undefined || overflow === 'ellipsis') return 'aside';
  return spans !== undefined || balance === true || align === 'justify' ? 'spans' : 'plain';
}

/** What a field over the picture shows: the text in its looks, or the sample value in the look of its variable. */
export function spansToEdit(layer: TextLayer, { variable }: TextTarget, typed: string): TextSpan[] {
  if (variable === undefined) return layer.spans ?? [{ text: layer.text ?? '' }];
  const own = layer.spans?.find(({ text }) => text.includes('{{'));
  return [{ ...own, text: typed }];
}
