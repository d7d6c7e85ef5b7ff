/** Computes the points at which the contrast of letters is sampled, on a line or along a path. */
import type { DisplayContent, FontSetting, Rect } from './display-list.ts';
import { rotateBounds, unionRects } from './paint/bounds.ts';
import { placedGlyphs } from './paint/path-positions.ts';
import type { PathTextContent } from './paint/path-positions.ts';

export type TextContent = (DisplayContent & { kind: 'text' }) | PathTextContent;

export function isText(content: DisplayContent): content is TextContent {
  return content.kind === 'text' || content.kind === 'path-text';
}

/** Letters of one colour and font. Points are in design pixels of the layer, before its rotation. */
export interface Letters {
  fill: string;
  font: FontSetting;
  points: readonly (readonly [x: number, y: number])[];
}

/** Columns of sample points across a run, and across a letter on a path; each column has `rows` points. */
const columns = 24;
const columnsOfGlyph = 4;
const rows = 4;

/** Height of capitals, as a share of the font size. Most of a letter is between the baseline and this height. */
const capitalHeight = 0.7;

const known = new WeakMap<TextContent, readonly Letters[]>();

/** Returns the letters of plain colours, and caches them for each content. */
export function lettersOf(content: TextContent): readonly Letters[] {
  let letters = known.get(content);
  if (letters === undefined) {
    letters = content.kind === 'text' ? lettersOfRuns(content) : lettersOfPath(content);
    known.set(content, letters);
  }
  return letters;
}

function lettersOfRuns({ runs }: DisplayContent & { kind: 'text' }): Letters[] {
  return runs.flatMap(({ fill, font, x, y, width }) => {
    if (typeof fill !== 'string') return [];
    return { fill, font, points: pointsIn(columns, width, font.size, x, y) };
  });
}

/** Letters on a path of one colour and font count as one: a speck below one of them hides no text. */
function lettersOfPath(content: PathTextContent): Letters[] {
  const byLook = new Map<string, Letters & { points: [number, number][] }>();
  for (const [{ fill, font, width, text }, { x, y, angle }] of placedGlyphs(content)) {
    if (typeof fill !== 'string' || text.trim() === '') continue;
    const look = `${fill} ${font.css}`;
    let letters = byLook.get(look);
    if (letters === undefined) byLook.set(look, (letters = { fill, font, points: [] }));
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (const [along, across] of pointsIn(columnsOfGlyph, width, font.size)) {
      const dx = along - width / 2;
      letters.points.push([x + dx * cos - across * sin, y + dx * sin + across * cos]);
    }
  }
  return [...byLook.values()];
}

/** Returns points of a box as high as capitals. The baseline is its lower edge and begins at `x` and `y`. */
function pointsIn(
  count: number,
  width: number,
  fontSize: number,
  x = 0,
  y = 0,
): [x: number, y: number][] {
  const points: [number, number][] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < count; column += 1) {
      const dy = -fontSize * capitalHeight * ((row + 0.5) / rows);
      points.push([x + (width * (column + 0.5)) / count, y + dy]);
    }
  }
  return points;
}

/** Returns a box around all letters, of any colour. */
export function lettersBounds(content: TextContent): Rect {
  return unionRects(letterBoxes(content));
}

function letterBoxes(content: TextContent): Rect[] {
  if (content.kind === 'text') {
    return content.runs.map(({ x, y, width, font }) => boxAt(x, y, width, font.size));
  }
  return Array.from(placedGlyphs(content), ([{ width, font }, { x, y, angle }]) => {
    // A letter rotates around the middle of its baseline.
    const box = boxAt(x - width / 2, y, width, font.size);
    const pivot = { x: x - width / 2, y: y - box.height, width, height: 2 * box.height };
    return rotateBounds(box, pivot, (angle * 180) / Math.PI);
  });
}

function boxAt(x: number, y: number, width: number, fontSize: number): Rect {
  const height = fontSize * capitalHeight;
  return { x, y: y - height, width, height };
}

/** Returns the text with a box of one colour instead of its letters. */
export function filledContent(content: TextContent, fill: string): TextContent {
  if (content.kind === 'text') {
    const rect = unionRects([content.box, ...letterBoxes(content)]);
    const backgrounds = [...content.backgrounds, { rect, cornerRadius: 0, fill }];
    return { ...content, backgrounds, runs: [], lines: [] };
  }
  const size = Math.max(0, ...content.glyphs.map(({ font }) => font.size));
  const band = { start: 0, end: content.width, top: -size * capitalHeight, bottom: 0 };
  const backgrounds = [...content.backgrounds, { ...band, cornerRadius: 0, fill }];
  return { ...content, backgrounds, glyphs: [], lines: [] };
}

/** Returns a text without its letters, underlines and strikes: only the backgrounds remain. */
export function withoutLetters(content: TextContent): TextContent {
  return content.kind === 'text'
    ? { ...content, runs: [], lines: [] }
    : { ...content, glyphs: [], lines: [] };
}
