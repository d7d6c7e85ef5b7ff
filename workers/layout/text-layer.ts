/** Lays out a text layer: runs with their positions. Plain data, no pixels. */
import type { TextLayer } from '#language/schema/text.ts';
import type { RenderWarning } from '#wire/render-job.ts';
import type { DisplayContent, Rect } from '../display-list.ts';
import type { Scene } from '../bind-scene.ts';
import type { Line } from '../text/lines/break-lines.ts';
import type { MeasuredParagraph } from '../text/measured-paragraph.ts';
import { breakLines } from '../text/lines/break-lines.ts';
import { countLines, widthTolerance } from '../text/measured-paragraph.ts';
import type { LineSlack, TextBounds } from '../text/lines/fit-text.ts';
import {
  countLinesThatFit,
  fitRatio,
  linesMax,
  linesToBreak,
  slacksOf,
} from '../text/lines/fit-text.ts';
import { tabsAtRatio, tabsWithin } from '../text/tabs.ts';
import { plainSample } from '../text/lines/metrics.ts';
import { truncateLines } from '../text/lines/fit-text.ts';
import { joiner } from '../text/joining.ts';
import { layoutPathText } from './path-text.ts';
import type { PlacedText } from './place-line.ts';
import { linesBox, placeLines } from './place-lines.ts';
import type { PreparedText } from './layer-paragraphs.ts';
import { prepareText } from './layer-paragraphs.ts';
import { withTextFacts } from './text-facts.ts';
import { fontSizes } from './text-spans.ts';

const partingJoiners = new RegExp(`^${joiner}|${joiner}$`, 'g');

/** A laid out text: its content to paint, and the warnings for the designer. */
export interface TextLayout {
  content: DisplayContent;
  /** Font size after shrinking, design pixels. */
  fontSize: number;
  lines: number;
  /** The text of each visible line, in logical order; empty along a path. */
  lineTexts: string[];
  /** The text that is laid out, after binding: an alternative, or the text of the layer. */
  text: string;
  warnings: RenderWarning[];
}

/** Wider than any text, in design pixels: lines end only at line breaks. */
export const unlimitedWidth = 1e9;

/**
 * Lays out the first of the layer's texts that fits its box at the font size, else the last, by `overflow`. `textScale`
 * is the upper bound of the factor on a font size that shrinks. `prepared` is only for a layer without alternatives.
 * Bounded as `layoutOne`: a layer has at most five texts, each laid out at most twice.
 */
export function layoutText(
  layer: TextLayer,
  box: Rect,
  scene: Scene,
  textScale = 1,
  prepared?: PreparedText,
): TextLayout {
  if (layer.alternatives === undefined) return layoutOne(layer, box, scene, textScale, prepared);
  const texts = candidatesOf(layer);
  const last = texts.pop() ?? layer;
  for (const candidate of texts) {
    const layout = layoutWhole(candidate, box, scene);
    if (layout === undefined) continue;
    return textScale < 1 ? layoutOne(candidate, box, scene, textScale) : layout;
  }
  return layoutOne(last, box, scene, textScale);
}

/** Returns the layer once for each of its texts: first with its text, then with each alternative. */
export function candidatesOf({ alternatives = [], ...layer }: TextLayer): TextLayer[] {
  const plain = { ...layer };
  delete plain.spans;
  return [layer, ...alternatives.map((text) => ({ ...plain, text }))];
}

/** Returns the layout of a text that fits the box at its font size without a cut word; undefined for other texts. */
function layoutWhole(layer: TextLayer, box: Rect, scene: Scene): TextLayout | undefined {
  const shrinking: TextLayer = { ...layer, overflow: 'shrink' };
  delete shrinking.minSize;
  const layout = layoutOne(shrinking, box, scene, 1);
  const isCut = layout.warnings.some(({ code }) => cutCodes.has(code));
  if (isCut || layout.fontSize !== fontSizes(layer).fontSize) return undefined;
  return layer.overflow === undefined || layer.overflow === 'shrink'
    ? layout
    : layoutOne(layer, box, scene, 1);
}

const cutCodes: ReadonlySet<string> = new Set(['TEXT_OVERFLOWS', 'TEXT_TRUNCATED']);

/**
 * Breaks, fits and positions the layer's text in its box. Text that does not fit is shrunk, cut with an ellipsis,
 * clipped or left to overflow, by `overflow`. Warns if a part of the text is not visible. Bounded by the limits of
 * text-spans.ts: a layout of any text takes less than 50 ms.
 */
function layoutOne(
  layer: TextLayer,
  box: Rect,
  scene: Scene,
  textScale: number,
  prepared = prepareText(layer, scene),
): TextLayout {
  const { text } = prepared;
  const warnings = [...prepared.warnings];
  if (layer.path !== undefined) {
    const placed = layoutPathText(layer, box, prepared.measured(), warnings);
    return withTextFacts({ ...placed, lines: 1, lineTexts: [], text, warnings });
  }
  const { fontSize } = fontSizes(layer);
  const { placed, lines, ratio, problems } = placeText(
    { layer, box, canvasHeight: scene.height, textScale },
    prepared,
  );
  warnings.push(...problems);
  const content: DisplayContent = {
    kind: 'text',
    backgrounds: placed.backgrounds,
    runs: placed.runs,
    lines: placed.rules,
    box: placed.box,
    clips: layer.overflow === 'clip',
    stroke: layer.stroke,
    ...(textScale < 1 ? { textScale } : {}),
  };
  const lineTexts = lines.map(textOf).filter((line) => line.trim() !== '');
  const fitted = { fontSize: fontSize * ratio, lines: lines.length, lineTexts };
  return withTextFacts({ content, ...fitted, text, warnings });
}

/** Returns the text of a line as written, without the joiners that keep the contextual forms of a split word. */
function textOf({ pieces }: Line): string {
  const text = pieces.map((piece) => piece.text).join('');
  return text.replace(partingJoiners, '');
}

/** Lines with their positions, and the missing part of the text. */
interface FittedText {
  placed: PlacedText;
  lines: Line[];
  ratio: number;
  problems: RenderWarning[];
}

/**
 * Fits the text and positions its first line by letters such as d. Neighbouring texts then have one baseline and one
 * size for all values. Higher letters (Ế) may exceed a tight box. If the layer's clip or the canvas would cut these
 * letters, the line moves down and becomes smaller.
 */
function placeText(
  setting: TextSetting,
  { paragraphs, measured, measuredPlain }: PreparedText,
): FittedText {
  const { layer } = setting;
  const isPlain = paragraphs.every(({ highSample }) => highSample === plainSample);
  const clips = layer.overflow === 'clip' || layer.clip !== undefined;
  if (isPlain || clips) return fitText(setting, measured());
  const fitted = fitText(setting, measuredPlain());
  return isInkCut(fitted) ? fitText(setting, measured()) : fitted;
}

/** A text layer, and the bounds of its lines. */
interface TextSetting {
  layer: TextLayer;
  box: Rect;
  /** Design pixels. */
  canvasHeight: number;
  /** Upper bound of the factor on a font size that shrinks. */
  textScale: number;
}

function fitText(
  { layer, box, canvasHeight, textScale }: TextSetting,
  paragraphs: readonly MeasuredParagraph[],
): FittedText {
  const { fontSize, smallest } = fontSizes(layer);
  const bounds = boundsOf(layer, linesBox(layer, box));
  const measured = paragraphs.map((each) => tabsWithin(each, bounds.width));
  const fitting = fitRatio(measured, bounds, fontSize, smallest);
  const ratio = Math.min(fitting, Math.max(textScale, smallest / fontSize));
  const problems: RenderWarning[] = [];
  const lines = fitLines(layer, measured, bounds, ratio, problems);
  return { placed: placeLines(layer, box, lines, ratio, canvasHeight), lines, ratio, problems };
}

/** Whether letters of the first line exceed the top of the canvas, but a d would not. */
function isInkCut({ placed: { top }, lines: [first], ratio }: FittedText): boolean {
  if (first === undefined) return false;
  const { paragraph } = first;
  const line = { ...first, paragraph: { ...paragraph, highSample: paragraph.sample } };
  const { plain, least, ink } = slacksOf(line, ratio);
  const isCut = ({ slackAbove }: LineSlack): boolean => top + slackAbove < 0;
  return !isCut(plain) && isCut(least) && isCut(ink());
}

function boundsOf(layer: TextLayer, box: Rect): TextBounds {
  const open = layer.overflow === 'grow' || layer.overflow === 'visible';
  return {
    width: box.width,
    height: open ? Infinity : box.height,
    // A visible text is never cut.
    maxLines: layer.overflow === 'visible' ? Infinity : (layer.maxLines ?? Infinity),
  };
}

function fitLines(
  layer: TextLayer,
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
  warnings: RenderWarning[],
): Line[] {
  const broken = breakAtRatio(layer, paragraphs, bounds, ratio);
  const lines =
    layer.wrap === false ? cutWideLines(layer, broken, bounds, ratio, warnings) : broken;
  const fitting = countLinesThatFit(lines, bounds, ratio);
  if (fitting === lines.length) return lines;
  const clips = layer.overflow === 'clip';
  // One line is always drawn. If it is the whole text, nothing is cut.
  const isWhole = lines.length === 1;
  const held =
    fitting === 0
      ? 'a line of it is higher than the box'
      : `the layer holds ${fitting} of its lines`;
  warnings.push({
    code: clips || isWhole ? 'TEXT_OVERFLOWS' : 'TEXT_TRUNCATED',
    layer: layer.id,
    detail: `the text does not fit: ${held}`,
  });
  if (clips) return lines.slice(0, Math.min(bounds.maxLines, linesMax));
  return isWhole ? lines : truncateLines(lines, fitting, bounds.width, ratio);
}

/** Ends lines that are wider than the box with an ellipsis, unless the text is clipped or may leave its box. */
function cutWideLines(
  layer: TextLayer,
  lines: readonly Line[],
  bounds: TextBounds,
  ratio: number,
  warnings: RenderWarning[],
): Line[] {
  const { overflow = 'shrink' } = layer;
  const isWide = (line: Line): boolean => line.width > bounds.width + widthTolerance;
  if (overflow === 'visible' || overflow === 'grow' || !lines.some(isWide)) return [...lines];
  warnings.push({
    code: overflow === 'clip' ? 'TEXT_OVERFLOWS' : 'TEXT_TRUNCATED',
    layer: layer.id,
    detail: 'the text does not fit: a line of it is wider than the box',
  });
  if (overflow === 'clip') return [...lines];
  return lines.flatMap((line) =>
    isWide(line) ? truncateLines([line], 1, bounds.width, ratio) : line,
  );
}

/** Breaks one line more than can be shown, to find out whether there is more text. */
export function breakAtRatio(
  layer: TextLayer,
  paragraphs: readonly MeasuredParagraph[],
  bounds: TextBounds,
  ratio: number,
): Line[] {
  // The position of clipped text also depends on its invisible lines.
  const most = layer.overflow === 'clip' ? linesMax + 1 : linesToBreak(paragraphs, bounds, ratio);
  const lines = breakLines(
    paragraphs,
    layer.wrap === false ? unlimitedWidth : bounds.width,
    ratio,
    most,
  );
  if (layer.wrap === false) return lines;
  if (layer.balance !== true || lines.length === 1) return lines;
  const width = balancedWidth(paragraphs, bounds.width, ratio);
  const balanced = breakLines(paragraphs, width, ratio, most);
  // Rounding may add a line: balancing must not.
  return balanced.length > lines.length ? lines : balanced;
}

/** Returns the narrowest width, to a design pixel, that needs no more lines than the full width. */
function balancedWidth(
  paragraphs: readonly MeasuredParagraph[],
  width: number,
  ratio: number,
): number {
  const tabbed = paragraphs.map((paragraph) => tabsAtRatio(paragraph, ratio));
  const most = countLines(tabbed, width / ratio);
  let low = width / 4;
  let high = width;
  while (high - low > 1) {
    const middle = (low + high) / 2;
    const { lines, cutsWord } = countLines(tabbed, middle / ratio);
    if (lines <= most.lines && !(cutsWord && !most.cutsWord)) high = middle;
    else low = middle;
  }
  // Kerning can make the exact lines slightly wider than the sums of the search.
  return Math.min(width, high + 1);
}
