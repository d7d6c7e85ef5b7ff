/** Editing of a text on the canvas: its target (the text, or a value of its variable), and the style of the field. */
import { changeDefault } from '../../panels/variables/variable-default.ts';
import { linkText } from '../../panels/variables/variables.ts';
import type { Template } from '#language/schema/template.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import { isTaken } from '../../panels/variables/taken-values.ts';
import type { Editor, Values } from '../../state/editor.ts';
import { findLayer } from '../../state/layers.ts';
import type { PreviewReport } from '../../../client/platen-client.ts';
import type { Service } from '../../state/service.ts';
import { linkedSpans, writeLinkedSpans } from './span-links.ts';

/** Maximum length of a text in UTF-16 units, as in the schema. */
export const textLengthMax = 8000;

/** Target of typed text. */
export interface TextTarget {
  kind: 'text' | 'sample' | 'default';
  /** The name of the variable whose sample value or default is edited. */
  name?: string;
}

/**
 * Target of an edit. A text that is only `{{name}}` edits the value that the canvas shows: the sample value, or the
 * default if there is none. With `isText`, the text itself is edited.
 */
export function textTarget(
  document: Template,
  layer: TextLayer,
  isText: boolean,
  values: Values,
): TextTarget {
  const name = /^\s*\{\{([^{}]+)\}\}\s*$/.exec(textOf(layer))?.[1]?.trim() ?? '';
  const variable = document.variables.find((each) => each.name === name);
  if (isText || variable?.type !== 'text') return { kind: 'text' };
  const isSample = variable.from !== undefined || values[name] !== undefined;
  return { kind: isSample ? 'sample' : 'default', name };
}

/** The whole text of a layer, with its spans joined. */
export function textOf({ text, spans }: Pick<TextLayer, 'text' | 'spans'>): string {
  return spans === undefined ? (text ?? '') : spans.map((span) => span.text).join('');
}

export function readTarget(
  editor: Editor,
  layer: TextLayer,
  { kind, name = '' }: TextTarget,
): string {
  if (kind === 'text') return textOf(layer);
  const sample = kind === 'sample' ? editor.values.value[name] : undefined;
  const variable = editor.document.value.variables.find((each) => each.name === name);
  return String(sample ?? (variable === undefined ? '' : linkText(variable)));
}

/**
 * Writes typed text to its target. Edits without a pause are one history step until `endGesture`. `adjust` changes the
 * layer in the same step.
 */
export function writeTarget(
  editor: Editor,
  id: string,
  target: TextTarget,
  typed: string,
  adjust: (layer: TextLayer) => void = () => undefined,
): void {
  if (target.kind !== 'text') return writeValue(editor, target, typed);
  editor.change(
    'Edit the text',
    (draft) => {
      const layer = findLayer(draft, id);
      if (layer?.type !== 'text') return;
      typeInto(layer, typed);
      adjust(layer);
    },
    `text:${id}`,
  );
}

/** Writes a sample value or a default, unless links would refuse it. */
function writeValue(editor: Editor, { kind, name = '' }: TextTarget, typed: string): void {
  const variable = editor.document.value.variables.find((each) => each.name === name);
  if (variable?.type !== 'text' || !isTaken(variable, typed)) return;
  if (kind === 'sample') return editor.changeSample(name, typed, `sample:${name}`);
  changeDefault(editor, name, typed, `default:${name}`);
}

/** Makes `typed` the text of a layer. */
export function typeInto(layer: TextLayer, typed: string): void {
  if (layer.spans === undefined) layer.text = typed;
  else writeLinkedSpans(layer, typeIntoSpans(linkedSpans(layer), typed));
}

/** The part in which two texts differ, in UTF-16 indexes: it ends at `removedTo` before and at `insertedTo` after. */
export function difference(
  before: string,
  after: string,
): { start: number; removedTo: number; insertedTo: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { start, removedTo: before.length - end, insertedTo: after.length - end };
}

/**
 * Spans whose joined text is `typed`. The inserted text belongs to the span in which it begins. Other spans keep their
 * look; empty spans are removed.
 */
export function typeIntoSpans<Span extends TextSpan>(
  spans: readonly Span[],
  typed: string,
): Span[] {
  const { start, removedTo, insertedTo } = difference(textOf({ spans: [...spans] }), typed);
  const inserted = typed.slice(start, insertedTo);
  // A replacement takes the look of the replaced letters. An insertion takes that of the letter before it.
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

/** Whether a text is edited beside the image, because a browser would lay out its lines differently. */
export function isEditedAside(layer: TextLayer): boolean {
  const { path, linePill, overflow, hyphenate, paragraphSpacing = 0, tabStops } = layer;
  const breaksAlone = overflow === 'ellipsis' || hyphenate === true;
  const isApart = paragraphSpacing !== 0 || tabStops !== undefined;
  return path !== undefined || linePill !== undefined || breaksAlone || isApart;
}

/** Spans for the field over the image: the text with its looks, or a value with the look of its binding. */
export function spansToEdit(layer: TextLayer, { kind }: TextTarget, typed: string): TextSpan[] {
  if (kind === 'text') return layer.spans ?? [{ text: layer.text ?? '' }];
  const bound = layer.spans?.find(({ text }) => text.includes('{{'));
  return [{ ...bound, text: typed }];
}

// The style of the field: the browser's letters exactly over those of the image.

export type ReportedText = NonNullable<PreviewReport['layers'][number]['text']>;

/** Defaults of the schema: font size in design pixels, and line height as a multiple of it. */
const fontSizeDefault = 16;
const lineHeightDefault = 1.2;

/** CSS values of `text-spacing-trim` for `punctuationTrim`. */
const trims = { none: 'space-all', adjacent: 'normal', start: 'trim-start' };

/**
 * Inline style of the block that contains the spans. With `auto`, the first strong character of each paragraph decides
 * its direction, as in the image; `dir="auto"` would take that of the first paragraph for all.
 */
export function blockStyle(layer: TextLayer): Record<string, string> {
  const { direction = 'auto' } = layer;
  return {
    textAlign: layer.align ?? 'start',
    lineBreak: layer.lineBreak ?? 'strict',
    textSpacingTrim: trims[layer.punctuationTrim ?? 'none'],
    textWrap: layer.balance === true ? 'balance' : '',
    direction: direction === 'auto' ? '' : direction,
    unicodeBidi: direction === 'auto' ? 'plaintext' : '',
  };
}

/**
 * Inline style of the letters of a span. `scale` is screen pixels per design pixel, including a shrink. `fallbacks` are
 * the families after its own.
 */
export function letterStyle(
  layer: TextLayer,
  span: Omit<TextSpan, 'text'>,
  scale: number,
  fallbacks: readonly string[],
): Record<string, string> {
  const look = lookOf(layer, span);
  const { fill = '#000000' } = look;
  const families = facesOf(look, fallbacks).map(({ name }) => `"${name}", `);
  const spacing = (value: unknown): string => `${numberOr(value, 0) * scale}px`;
  return {
    fontFamily: `${families.join('')}sans-serif`,
    fontSize: `${numberOr(look.fontSize, fontSizeDefault) * scale}px`,
    fontStyle: look.fontStyle ?? 'normal',
    fontWeight: String(numberOr(look.fontWeight, 400)),
    fontFeatureSettings: Object.entries(look.fontFeatures ?? {})
      .map(([tag, value]) => `"${tag}" ${value}`)
      .join(', '),
    lineHeight: `${lineHeightOf(layer, look, scale)}px`,
    letterSpacing: spacing(look.letterSpacing),
    wordSpacing: spacing(look.wordSpacing),
    textTransform: look.transform ?? 'none',
    caretColor: typeof fill === 'string' && fill.startsWith('#') ? fill : '',
  };
}

/** The layer with the look of one of its spans. */
export function lookOf(layer: TextLayer, { ...look }: Omit<TextSpan, 'text'>): TextLayer {
  return { ...layer, ...look };
}

/** Ratio of the rendered font size to the designed one. Below 1 after a shrink. */
export function sizeRatio(layer: TextLayer, reported: ReportedText | undefined): number {
  return (reported?.fontSize ?? 0) / numberOr(layer.fontSize, fontSizeDefault) || 1;
}

function lineHeightOf(
  layer: TextLayer,
  { fontSize }: Pick<TextLayer, 'fontSize'>,
  scale: number,
): number {
  return (
    numberOr(layer.lineHeight, lineHeightDefault) * numberOr(fontSize, fontSizeDefault) * scale
  );
}

/** A number of the document, or `standard` if a variable sets it. */
function numberOr(value: unknown, standard: number): number {
  return typeof value === 'number' ? value : standard;
}

// The fonts of the service, registered with the browser: the caret and the glyphs stay aligned.

/** Names of the font faces that are loaded or loading. */
const faces = new Set<string>();

/** Maximum number of faces of a tab. Further faces show as the browser's default font. */
const facesMax = 60;

/** Returns the families that are searched after those of a layer or a span, in the order of the renderer. */
export function fallbacksOf(
  { fonts }: Pick<Template, 'fonts'>,
  { fontFamily }: TextLayer,
  reported: ReportedText | undefined,
): string[] {
  const standard = fontFamily === undefined ? ['Inter'] : [];
  return [...(fonts ?? standard), ...(reported?.fallbackFonts ?? [])];
}

/** A font file of the service. */
interface Face {
  family: string;
  weight: number;
  style: string;
  /** Its name in the page. The prefix prevents conflicts with local fonts. */
  name: string;
}

/** Returns the faces of a look, in the order in which letters are searched. */
function facesOf(
  { fontFamily, fontWeight, fontStyle }: TextLayer,
  fallbacks: readonly string[],
): Face[] {
  const weight = numberOr(fontWeight, 400);
  const style = fontStyle === 'italic' ? 'italic' : 'normal';
  const families = new Set([fontFamily ?? [], ...fallbacks].flat());
  return Array.from(families, (family) => {
    const name = `platen ${family} ${weight} ${style}`.replaceAll(/["\\]/g, '');
    return { family, weight, style, name };
  });
}

/** Loads the fonts of a look. After a failure the field shows the next font of the list. */
export function loadFaces(service: Service, look: TextLayer, fallbacks: readonly string[]): void {
  for (const face of facesOf(look, fallbacks)) {
    if (faces.has(face.name) || faces.size >= facesMax) continue;
    faces.add(face.name);
    load(service, face).catch(() => faces.delete(face.name));
  }
}

async function load(service: Service, { family, weight, style, name }: Face): Promise<void> {
  const query = new URLSearchParams({ family, weight: String(weight), style });
  const response = await service.load(`/studio/fonts?${query.toString()}`);
  if (!response.ok) throw new Error(`The font ${family} is not there.`);
  // The file has the right weight. The wide range keeps the browser from synthesizing a bolder one.
  const face = new FontFace(name, await response.arrayBuffer(), { weight: '1 1000', style });
  document.fonts.add(await face.load());
}
