/** The style of the field in which a text is edited: the browser's letters exactly over those of the picture. */
import type { PreviewReport } from '../../../client/platen-client.ts';
import type { TextLayer, TextSpan } from '#language/schema/text.ts';
import type { Place } from '../places.ts';
import type { Service } from '../../state/service.ts';

export type ReportedText = NonNullable<PreviewReport['layers'][number]['text']>;

/** Defaults of the format. */
const fontSizeDefault = 16;
const lineHeightDefault = 1.2;

/** Inline style in screen pixels of a field for a text of one look; `zoom` is screen pixels a design pixel. */
export function fieldStyle(
  layer: TextLayer,
  { seen }: Place,
  reported: ReportedText | undefined,
  zoom: number,
): Record<string, string> {
  const scale = sizeRatio(layer, reported) * zoom;
  const lineHeight = lineHeightOf(layer, layer, scale);
  const top = topOf(layer, seen.height * zoom, lineHeight, reported?.lines.length ?? 1);
  return {
    ...letterStyle(layer, layer, scale),
    ...blockStyle(layer),
    paddingTop: `${Math.max(0, top)}px`,
    marginTop: `${Math.min(0, top)}px`,
    height: `calc(100% + ${Math.max(0, -top)}px)`,
  };
}

/** Inline style of the block that spans stand in. */
export function blockStyle(layer: TextLayer): Record<string, string> {
  return {
    textAlign: layer.align ?? 'start',
    textWrap: layer.balance === true ? 'balance' : '',
    direction: layer.direction === 'auto' ? '' : (layer.direction ?? ''),
  };
}

/** Inline style of the letters of one span; `scale` is screen pixels a design pixel of what is drawn after a shrink. */
export function letterStyle(
  layer: TextLayer,
  span: Omit<TextSpan, 'text'>,
  scale: number,
): Record<string, string> {
  const look = lookOf(layer, span);
  const spacing = (value: unknown): string => `${numberOr(value, 0) * scale}px`;
  return {
    fontFamily: `"${faceName(look)}", sans-serif`,
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
    caretColor: typeof look.fill === 'string' && look.fill.startsWith('#') ? look.fill : '',
  };
}

/** A layer as if all of it looked like one of its spans. */
export function lookOf(layer: TextLayer, { ...look }: Omit<TextSpan, 'text'>): TextLayer {
  return { ...layer, ...look };
}

/** How much of its font size a text is drawn at after a shrink. */
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

/** Where the first line begins below the box's top, screen pixels. */
function topOf(layer: TextLayer, height: number, lineHeight: number, lines: number): number {
  const free = height - lines * lineHeight;
  return { top: 0, middle: free / 2, bottom: free }[layer.verticalAlign ?? 'top'];
}

/** A number of the document; what a variable sets counts as `standard`. */
function numberOr(value: unknown, standard: number): number {
  return typeof value === 'number' ? value : standard;
}

// The fonts of the service, registered with the browser: the caret and the glyphs stay aligned.

/** Faces that were asked for, by their names; each once. */
const faces = new Map<string, Promise<void>>();

/** Faces that a tab keeps; further ones are shown in the browser's own font. */
const facesMax = 60;

/** The name under which a layer's font is known to the page; no font of the machine is called so. */
function faceName(layer: TextLayer): string {
  const { family, weight, style } = faceOf(layer);
  return `platen ${family} ${weight} ${style}`.replaceAll(/["\\]/g, '');
}

/** Loads the font of a layer. Resolves, never rejects: without it the field shows the browser's own font. */
export function loadFace(service: Service, layer: TextLayer): Promise<void> {
  const name = faceName(layer);
  const known = faces.get(name);
  if (known !== undefined || faces.size >= facesMax) return known ?? Promise.resolve();
  const loading = load(service, layer, name).catch(() => void faces.delete(name));
  faces.set(name, loading);
  return loading;
}

async function load(service: Service, layer: TextLayer, name: string): Promise<void> {
  const { family, weight, style } = faceOf(layer);
  const query = new URLSearchParams({ family, weight: String(weight), style });
  const response = await service.load(`/studio/fonts?${query.toString()}`);
  if (!response.ok) throw new Error(`The font ${family} is not there.`);
  // Of the weight of the file: the browser makes nothing bolder.
  const face = new FontFace(name, await response.arrayBuffer(), { weight: '1 1000', style });
  document.fonts.add(await face.load());
}

function faceOf({ fontFamily, fontWeight, fontStyle }: TextLayer): {
  family: string;
  weight: number;
  style: string;
} {
  const first = Array.isArray(fontFamily) ? fontFamily[0] : fontFamily;
  return {
    family: first ?? 'Inter',
    weight: typeof fontWeight === 'number' ? fontWeight : 400,
    style: fontStyle === 'italic' ? 'italic' : 'normal',
  };
}
