/** The style of the field in which a text is edited: the browser's letters exactly over those of the picture. */
import type { PreviewReport } from '../../client/platen-client.ts';
import type { TextLayer } from '#shared/text-schemas.ts';
import { faceName } from './font-faces.ts';
import type { Place } from './places.ts';

type ReportedText = NonNullable<PreviewReport['layers'][number]['text']>;

/** Defaults of the format. */
const fontSizeDefault = 16;
const lineHeightDefault = 1.2;

/** Inline style in screen pixels; `zoom` is screen pixels a design pixel. */
export function fieldStyle(
  layer: TextLayer,
  { seen }: Place,
  reported: ReportedText | undefined,
  zoom: number,
): Record<string, string> {
  const fontSize = (reported?.fontSize ?? numberOr(layer.fontSize, fontSizeDefault)) * zoom;
  const ratio = (reported?.fontSize ?? 0) / numberOr(layer.fontSize, fontSizeDefault) || 1;
  const lineHeight = numberOr(layer.lineHeight, lineHeightDefault) * fontSize;
  const spacing = (value: unknown): string => `${numberOr(value, 0) * ratio * zoom}px`;
  const top = topOf(layer, seen.height * zoom, lineHeight, reported?.lines.length ?? 1);
  return {
    fontFamily: `"${faceName(layer)}", sans-serif`,
    fontSize: `${fontSize}px`,
    fontStyle: layer.fontStyle ?? 'normal',
    fontWeight: String(numberOr(layer.fontWeight, 400)),
    lineHeight: `${lineHeight}px`,
    letterSpacing: spacing(layer.letterSpacing),
    wordSpacing: spacing(layer.wordSpacing),
    textAlign: layer.align ?? 'start',
    direction: layer.direction === 'auto' ? '' : (layer.direction ?? ''),
    paddingTop: `${Math.max(0, top)}px`,
    marginTop: `${Math.min(0, top)}px`,
    height: `calc(100% + ${Math.max(0, -top)}px)`,
    caretColor: typeof layer.fill === 'string' && layer.fill.startsWith('#') ? layer.fill : '',
  };
}

/** Where the first line begins below the box's top, screen pixels. */
function topOf(layer: TextLayer, height: number, lineHeight: number, lines: number): number {
  const free = height - lines * lineHeight;
  return { top: 0, middle: free / 2, bottom: free }[layer.verticalAlign ?? 'top'];
}

/** A number of the document; what a variable sets counts as `standard`. */
function numberOr(value: unknown, standard: number): number {
  return typeof value === 'number' ? value : standard;
}
