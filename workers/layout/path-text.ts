/** Lays out a text along a path: each grapheme with its position on it, in visual order. */
import type { TextLayer } from '#language/schema/text.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DisplayContent, PathBand, PathGlyph, Rect } from '../display-list.ts';
import type { MeasuredParagraph } from '../text/measured-paragraph.ts';
import { splitGraphemes } from '../text/emoji.ts';
import { hasJoinedScript, joiner, joinsAt } from '../text/joining.ts';
import { metricsOf } from '../text/lines/fit-text.ts';
import type { SetPiece } from '../text/lines/width.ts';
import { lineWidth, pieceWidth, setPieces } from '../text/lines/width.ts';
import { pathLength } from '../text/measure.ts';
import { outlineRun } from '../text/outlines.ts';
import type { Piece } from '../text/paragraphs.ts';
import { slicePieces } from '../text/paragraphs.ts';
import { fontAt } from '../text/style.ts';
import { textWidthEm } from '../text/text-width.ts';
import { truncateLines } from '../text/lines/fit-text.ts';
import { backgroundStripe, ruleStripes, underlineInks } from './stripes.ts';
import { fontSizes } from './text-spans.ts';

/** Rounding tolerance in design pixels: a text may exceed its path by this without counting as longer. */
const roundingPx = 0.01;

/** Matches between lam and alef, which form one glyph although they are two graphemes. */
const lamAlef = /(?<=\u0644\p{M}*)(?=[\u0622\u0623\u0625\u0627])/u;

/**
 * Lays out the first paragraph along the layer's path, as plain data. If the layer shrinks, the text shrinks to the
 * path's length. If that does not suffice, an ellipsis ends the text. Warns if text is missing. Text that grows or is
 * visible keeps all its letters, which continue straight at the ends of the path.
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
  const length = pathLength(data);
  const whole = paragraph ? slicePieces(paragraph, 0, paragraph.text.length) : [];
  const wholeWidth = lineWidth(whole);
  const ratio = wholeWidth > length ? Math.max(smallest / fontSize, length / wholeWidth) : 1;
  const overhang = wholeWidth * ratio - length;
  const goesOn = layer.overflow === 'visible' || layer.overflow === 'grow';
  const isLong = overhang > roundingPx && !goesOn;
  const cuts = isLong && layer.overflow !== 'clip';
  const pieces = cuts && paragraph ? cutPieces(paragraph, whole, length, ratio) : whole;
  const { set, width } = setPieces(pieces);
  if (paragraphs.length > 1 || isLong) {
    const isCut = cuts && paragraphs.length === 1;
    warnings.push({
      code: isCut ? 'TEXT_TRUNCATED' : 'TEXT_OVERFLOWS',
      layer: layer.id,
      detail:
        paragraphs.length > 1
          ? 'only the first line of a text follows a path'
          : `the text is ${Math.ceil(overhang)} pixels longer than its path`,
    });
  }
  const bands = set.map((one) => pieceBands(one, ratio, layer.stroke?.width ?? 0));
  const content: DisplayContent = {
    kind: 'path-text',
    data,
    box,
    backgrounds: [
      ...pillBand(layer, paragraph, set, width, ratio),
      ...bands.flatMap(({ background }) => background),
    ],
    glyphs: set.flatMap((one) => pieceGlyphs(one, ratio)),
    lines: bands.flatMap(({ rules }) => rules),
    width: width * ratio,
    align: pathAlign(layer, paragraph?.direction === 'rtl'),
    goesOn,
    stroke: layer.stroke,
  };
  return { content, fontSize: fontSize * ratio };
}

/** Returns the pieces of a paragraph that fit on a path with an ellipsis. */
function cutPieces(
  paragraph: MeasuredParagraph,
  pieces: Piece[],
  length: number,
  ratio: number,
): Piece[] {
  const end = paragraph.text.length;
  const width = lineWidth(pieces) * ratio;
  const line = { pieces, start: 0, end, width, paragraph, endsParagraph: true, cutsWord: false };
  return truncateLines([line], 1, length, ratio)[0]?.pieces ?? [];
}

/** Returns the background, underline and strike of a piece. */
function pieceBands(
  { piece, x, width }: SetPiece,
  ratio: number,
  strokeWidth: number,
): { background: PathBand[]; rules: PathBand[] } {
  if (width <= 0) return { background: [], rules: [] };
  const along = { start: x * ratio, end: (x + width) * ratio };
  const size = piece.style.size * ratio;
  const spacing = piece.face.letterSpacingEm * size;
  const inks = underlineInks(piece, size, along.start, spacing);
  const background = backgroundStripe(piece, size, along);
  const rules = ruleStripes(piece, size, along, inks, strokeWidth);
  return {
    background: background === undefined ? [] : [{ ...background, cornerRadius: 0 }],
    rules: rules.map((stripe) => ({ ...stripe, cornerRadius: 0 })),
  };
}

/** Returns the pill of the only line, as long as its text with the padding at both ends. */
function pillBand(
  { linePill }: TextLayer,
  paragraph: MeasuredParagraph | undefined,
  set: readonly SetPiece[],
  width: number,
  ratio: number,
): PathBand[] {
  const pieces = set.map(({ piece }) => piece);
  const isBlank = pieces.every(({ text }) => text.trim() === '');
  if (linePill === undefined || paragraph === undefined || isBlank) return [];
  const { paddingX = 0, paddingY = 0, cornerRadius = 0, fill } = linePill;
  const { ascent, descent } = metricsOf({ pieces, paragraph }, ratio);
  const start = -paddingX;
  const end = width * ratio + paddingX;
  return [{ start, end, top: -ascent - paddingY, bottom: descent + paddingY, cornerRadius, fill }];
}

/** Returns the alignment of the text on the path: 0 at its start, 1 at its end. */
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

/** Returns the graphemes of a piece from left to right, kerned, with joined letters in their contextual forms. */
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
  // If the form of a grapheme depends on several neighbours, the sum of widths differs slightly from the piece.
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
