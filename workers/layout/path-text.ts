/** Lays the letters of a text along a path: each grapheme with its place on it, in reading order on the paper. */
import type { TextLayer } from '#shared/text-schemas.ts';
import type { RenderWarning } from '#shared/render-job.ts';
import type { DisplayContent, PathGlyph, Rect } from '../display-list.ts';
import type { MeasuredParagraph } from '../text/measured-paragraph.ts';
import { splitGraphemes } from '../text/emoji.ts';
import { hasJoinedScript, joiner, joinsAt } from '../text/joining.ts';
import type { SetPiece } from '../text/line-width.ts';
import { pieceWidth, setPieces } from '../text/line-width.ts';
import { pathLength } from '../text/measure.ts';
import { outlineRun } from '../text/outlines.ts';
import { slicePieces } from '../text/paragraphs.ts';
import { fontAt } from '../text/style.ts';
import { textWidthEm } from '../text/text-width.ts';
import { fontSizes } from './text-spans.ts';

/** Lam and alef are one letter shape together, whatever a grapheme is elsewhere. */
const lamAlef = /(?<=\u0644\p{M}*)(?=[\u0622\u0623\u0625\u0627])/u;

/**
 * Lays the first paragraph along the layer's path, shrunk to its length when the layer shrinks. Plain data. Letters
 * that reach over an end of the path are left out, with a warning.
 */
export function layoutPathText(
  layer: TextLayer,
  box: Rect,
  paragraphs: readonly MeasuredParagraph[],
  warnings: RenderWarning[],
): { content: DisplayContent; fontSize: number } {
  const { fontSize, smallest } = fontSizes(layer);
  const data = layer.path ?? '';
  const [paragraph] = paragraphs;
  const pieces = paragraph ? slicePieces(paragraph, 0, paragraph.text.length) : [];
  const { set, width } = setPieces(pieces);
  const length = pathLength(data);
  const fitting = width > length ? Math.max(smallest / fontSize, length / width) : 1;
  const glyphs = set.flatMap((one) => pieceGlyphs(one, fitting));
  const missing = width * fitting - length;
  // A hundredth of a pixel is rounding.
  if (missing > 0.01 || paragraphs.length > 1) {
    const detail =
      paragraphs.length > 1
        ? 'only the first line of a text follows a path'
        : `the text is ${Math.ceil(missing)} pixels longer than its path; what stands over is left out`;
    warnings.push({ code: 'TEXT_OVERFLOWS', layer: layer.id, detail });
  }
  const rtl = paragraph?.direction === 'rtl';
  const content: DisplayContent = {
    kind: 'path-text',
    data,
    box,
    glyphs,
    width: width * fitting,
    align: pathAlign(layer, rtl),
    stroke: layer.stroke,
  };
  return { content, fontSize: fontSize * fitting };
}

/** Where the text lies on the path: 0 at its start, 1 at its end. */
function pathAlign({ align = 'start' }: TextLayer, rtl: boolean): number {
  switch (align) {
    case 'center':
      return 0.5;
    case 'left':
      return 0;
    case 'right':
      return 1;
    case 'end':
      return rtl ? 0 : 1;
    default:
      return rtl ? 1 : 0;
  }
}

/** The graphemes of a piece from left to right, kerned, joined letters in the shapes they have in their word. */
function pieceGlyphs({ piece, x }: SetPiece, ratio: number): PathGlyph[] {
  const { face, style, level } = piece;
  const rtl = level % 2 === 1;
  const parts = shapedGraphemes(piece.text);
  const widths = parts.map(({ shown }, index) => {
    const next = parts[index + 1];
    if (next === undefined || face.kind === 'emoji') return textWidthEm(face, shown);
    return textWidthEm(face, shown + next.shown) - textWidthEm(face, next.shown);
  });
  const width = pieceWidth(piece);
  const sum = widths.reduce((total, one) => total + one, 0);
  // Shapes that lean on more than one neighbour add up to a little more or less than the piece.
  const scale = sum === 0 ? 0 : width / sum;
  const gap = face.letterSpacingEm * style.size;
  const size = style.size * ratio;
  const font = {
    css: fontAt(face, size),
    size,
    features: face.features,
    variations: face.variations,
    letterSpacing: 0,
  };
  const glyphs: PathGlyph[] = [];
  let offset = 0;
  for (const [index, { shown }] of parts.entries()) {
    const advance = (widths[index] ?? 0) * scale;
    const letters = Math.max(0, advance - gap);
    const left = rtl ? width - offset - advance : offset;
    offset += advance;
    if (shown.trim() === '') continue;
    const middle = (x + left + letters / 2) * ratio;
    const direction = rtl ? 'rtl' : 'ltr';
    const outlines = outlineRun(face, shown, direction, 0);
    glyphs.push({
      text: shown,
      offset: middle,
      width: letters * ratio,
      font,
      direction,
      fill: style.fill,
      ...(outlines === undefined ? {} : { glyphs: outlines }),
    });
  }
  return glyphs;
}

function shapedGraphemes(text: string): { shown: string }[] {
  if (!hasJoinedScript(text)) return splitGraphemes(text).map((shown) => ({ shown }));
  let offset = 0;
  const graphemes: string[] = [];
  for (const grapheme of splitGraphemes(text)) {
    const last = graphemes.at(-1);
    if (last !== undefined && lamAlef.test(last + grapheme))
      graphemes[graphemes.length - 1] += grapheme;
    else graphemes.push(grapheme);
  }
  return graphemes.map((grapheme) => {
    const start = offset;
    offset += grapheme.length;
    const before = joinsAt(text, start) ? joiner : '';
    const after = joinsAt(text, offset) ? joiner : '';
    return { shown: before + grapheme + after };
  });
}
