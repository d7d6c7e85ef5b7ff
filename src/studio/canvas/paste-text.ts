/** Pastes clipboard text as a text layer, with bold, italic, underline, strike and colour of styled text. */
import type { TextSpan } from '#language/schema/text.ts';
import { addDrawnLayer } from '../panels/layers/new-layers.ts';
import type { Editor } from '../state/editor.ts';
import { findLayer, numberOf } from '../state/layers.ts';
import { middleInSight } from './canvas-state.ts';
import { pasteLayers } from './clipboard.ts';
import { textLengthMax } from './text/editable-text.ts';
import { insideCanvas } from './geometry.ts';
import type { Point } from './geometry.ts';
import { selectAdded } from './gestures/select-added.ts';

/** Maximum number of spans of a text layer, as in the schema. */
const spansMax = 50;

export interface PasteOptions {
  /** HTML of the same text, with its styles. */
  html?: string | undefined;
  /** Point of the canvas for the middle of the top edge. Default: the middle of the visible part. */
  at?: Point | undefined;
}

/** Adds the layers or words of a text and selects them. False if the text has neither. */
export function pasteText(
  editor: Editor,
  text: string,
  { html = '', at }: PasteOptions = {},
): boolean {
  if (pasteLayers(editor, text, at)) return true;
  const parts = html === '' ? [] : partsOfHtml(html);
  // Some programs copy only HTML.
  const words = text.trim() === '' ? parts.map((part) => part.text).join('') : text;
  const plain = words.replaceAll(/\r\n?/g, '\n').trim().slice(0, textLengthMax);
  if (plain === '') return false;
  const { x, y } = at ?? middleInSight(editor);
  let id = '';
  editor.change('Paste text', (draft) => {
    id = addDrawnLayer(draft, 'text');
    const layer = findLayer(draft, id);
    if (layer?.type !== 'text') return;
    layer.height = 'hug';
    delete layer.verticalAlign;
    delete layer.align;
    delete layer.fontWeight;
    const width = numberOf(layer.width);
    Object.assign(layer, insideCanvas(draft, { x: x - width / 2, y, width, height: 0 }));
    if (hasStyles(parts)) {
      layer.spans = parts;
      delete layer.text;
    } else layer.text = plain;
  });
  selectAdded(editor, [id]);
  return true;
}

/** Moves style declarations to `data-style`: the CSP of the page refuses styles and would report each. */
function withoutStyles(html: string): string {
  const unstyled = html.replaceAll(/<style[^>]*>[^]*?<\/style>/gi, '');
  return unstyled.replaceAll(/<[a-z][^>]*>/gi, (tag) =>
    tag.replaceAll(/\sstyle\s*=/gi, ' data-style='),
  );
}

type SpanLook = Omit<TextSpan, 'text'>;

/** Elements that begin a new line. */
const blocks =
  'address, article, aside, blockquote, dd, div, dl, dt, figure, footer, h1, h2, h3, h4, h5, h6, header, li, main, nav, ol, p, pre, section, table, tr, ul';

/** Elements whose text is not visible. */
const unseen = 'script, style, head, template, title';

/** Whether parts have styles, and fit into the limits of a layer. */
export function hasStyles(parts: readonly TextSpan[]): boolean {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const isStyled = parts.some((part) => Object.keys(part).length > 1);
  return isStyled && parts.length <= spansMax && length <= textLengthMax;
}

/** Parses HTML into spans with their looks. Runs no scripts, loads nothing and keeps no elements. */
export function partsOfHtml(html: string): TextSpan[] {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  const spans: TextSpan[] = [];
  const add = (text: string, look: SpanLook): void => {
    const last = spans.at(-1);
    const { text: _, ...lookBefore } = last ?? { text: '' };
    if (last !== undefined && JSON.stringify(lookBefore) === JSON.stringify(look))
      last.text += text;
    else if (text !== '') spans.push({ text, ...look });
  };
  const isAtLineStart = (): boolean => /(^|\n)$/.test(spans.at(-1)?.text ?? '');
  const walk = (node: Node, look: SpanLook, isPre: boolean): void => {
    if (node instanceof Text) {
      const text = isPre ? node.data : node.data.replaceAll(/[ \t\r\n]+/g, ' ');
      add(isAtLineStart() && !isPre ? text.trimStart() : text, look);
    }
    if (!(node instanceof Element) || node.matches(unseen)) return;
    if (node.matches('br')) add('\n', look);
    const isBlock = node.matches(blocks);
    if (isBlock && spans.length > 0 && !isAtLineStart()) add('\n', look);
    const inner = lookWithin(node, look);
    for (const child of node.childNodes) walk(child, inner, isPre || node.matches('pre'));
    if (isBlock && spans.length > 0 && !isAtLineStart()) add('\n', look);
  };
  walk(body, {}, false);
  const last = spans.at(-1);
  if (last !== undefined) last.text = last.text.trimEnd();
  return spans.filter(({ text }) => text !== '');
}

/** The look inside an element, from its name and its style. The style has priority. */
function lookWithin(element: Element, around: SpanLook): SpanLook {
  const style = styleOf(element);
  const weight =
    style.get('font-weight') ?? (element.matches('b, strong, h1, h2, h3, th') ? 'bold' : '');
  const slant = style.get('font-style') ?? (element.matches('i, em, cite') ? 'italic' : '');
  const lines = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
  const look: SpanLook = { ...around };
  // NaN without a number, which keeps the inherited weight.
  const weightNumber = Number.parseFloat(weight);
  if (weight === 'normal' || weightNumber < 600) delete look.fontWeight;
  if (/^(bold|bolder)$/.test(weight) || weightNumber >= 600) look.fontWeight = 700;
  if (slant === 'normal') delete look.fontStyle;
  if (slant === 'italic' || slant === 'oblique') look.fontStyle = 'italic';
  if (lines.includes('underline') || element.matches('u, ins')) look.underline = true;
  if (lines.includes('line-through') || element.matches('s, del, strike')) look.strike = true;
  const color = hexOf(style.get('color') ?? element.getAttribute('color') ?? '');
  if (color !== undefined) look.fill = color;
  return inOrder(look);
}

/** The look with its properties in a fixed order, so that equal looks have equal JSON. */
function inOrder({ fontWeight, fontStyle, underline, strike, fill }: SpanLook): SpanLook {
  return {
    ...(fontWeight === undefined ? {} : { fontWeight }),
    ...(fontStyle === undefined ? {} : { fontStyle }),
    ...(underline === undefined ? {} : { underline }),
    ...(strike === undefined ? {} : { strike }),
    ...(fill === undefined ? {} : { fill }),
  };
}

function styleOf(element: Element): Map<string, string> {
  const declarations = (element.getAttribute('data-style') ?? '').split(';');
  return new Map(
    declarations.flatMap((declaration) => {
      const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(declaration) ?? [];
      return name === undefined || value === undefined
        ? []
        : [[name.toLowerCase(), value.toLowerCase()] as const];
    }),
  );
}

/** A CSS colour as `#rrggbb`. Undefined if it is invalid, relative to other styles, or transparent. */
function hexOf(color: string): string | undefined {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null || color === '' || !CSS.supports('color', color)) return undefined;
  if (/inherit|currentcolor|initial|unset|revert|var\(/.test(color)) return undefined;
  context.fillStyle = color;
  const { fillStyle } = context;
  return typeof fillStyle === 'string' && fillStyle.startsWith('#') ? fillStyle : undefined;
}
