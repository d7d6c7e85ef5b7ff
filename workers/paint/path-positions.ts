/** Computes the positions of the letters of a text on a path. */
import type { Path2D } from 'skia-canvas';
import type { DisplayContent, PathGlyph } from '../display-list.ts';
import { toPath } from './geometry.ts';

export type PathTextContent = DisplayContent & { kind: 'path-text' };

/** A position on a path, and the path's direction there in radians. */
export interface PathPosition {
  x: number;
  y: number;
  angle: number;
}

/** Returns the path of a text, and the distance from the start of the path to the start of the text. */
export function textPath({ box, data, width, align }: PathTextContent): {
  path: Path2D;
  start: number;
} {
  const rect = { ...box, width: 0, height: 0 };
  const path = toPath({ kind: 'path', rect, data, scaleX: 1, scaleY: 1 });
  return { path, start: (path.length - width) * align };
}

/** Yields the letters that are drawn, each with the middle of its baseline. */
export function* placedGlyphs(
  content: PathTextContent,
): Generator<[glyph: PathGlyph, position: PathPosition]> {
  const { path, start } = textPath(content);
  for (const glyph of content.glyphs) {
    const distance = start + glyph.offset;
    if (!content.goesOn && (distance < 0 || distance > path.length)) continue;
    const position = positionAt(path, distance);
    if (position !== undefined) yield [glyph, position];
  }
}

/** Returns the position at a distance from the path's start, straight beyond its ends; undefined without a length. */
export function positionAt(path: Path2D, distance: number): PathPosition | undefined {
  const within = Math.min(Math.max(distance, 0), path.length);
  const point = path.positionAt(within);
  const angle = path.tangentAt(within);
  if (point === null || angle === null) return undefined;
  const beyond = distance - within;
  return { x: point.x + beyond * Math.cos(angle), y: point.y + beyond * Math.sin(angle), angle };
}
