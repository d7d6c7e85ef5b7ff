/** Counts the segments of letters' outlines: what stroking and filling large letters costs. */
import { LRUCache } from 'lru-cache';
import { Canvas } from 'skia-canvas';
import { ownFontPrefix } from '#wire/render-job.ts';
import type { FontSetting } from '../display-list.ts';
import { checkWork } from '../work-limit.ts';

const ruler = new Canvas(1, 1).getContext('2d');
/** Of one character in one bundled font, or of a run in one of the organization's. Measuring a character takes 0.2 ms. */
const known = new LRUCache<string, number>({ max: 5000 });
/** Characters of one run that are measured. */
const measuredMax = 400;
/** Segments of any other character: more than all but a few ligatures of the bundled fonts have. */
const denseEdges = 300;
/** Characters of a run that are measured first, and segments from which on the rest counts as what was measured. */
const firstCharacters = 64;
const enoughEdges = 50_000;

/** Whether a font is the organization's, whose glyphs may have any shape. */
export function isOwnFont({ css }: FontSetting): boolean {
  return css.includes(ownFontPrefix);
}

/**
 * Segments of all letters of a text, whatever its size. The ligatures and joined letters of bundled fonts have about
 * those of their parts; an organization's font may make any glyph of any letters, so its runs are measured whole.
 */
export function countEdges(text: string, font: FontSetting): number {
  if (isOwnFont(font)) return edgesOfRun(text, font);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const face = font.css.replace(/[\d.]+px/, '');
  let [edges, measured] = [0, 0];
  for (const [character, count] of counts) {
    measured += 1;
    const key = `${character} ${face} ${font.variations}`;
    edges += count * (measured > measuredMax ? denseEdges : edgesOf(key, character, font));
  }
  return edges;
}

/** Of a run from its beginning: twice as much of it each time, up to its end or to `enoughEdges`. */
function edgesOfRun(text: string, font: FontSetting): number {
  const { css, features, variations } = font;
  for (let length = firstCharacters; ; length *= 2) {
    const part = text.slice(0, length);
    const edges = edgesOf(`${part} ${css} ${features} ${variations}`, part, font);
    if (length >= text.length) return edges;
    if (edges > enoughEdges) return (edges * text.length) / length;
  }
}

/** Throws as `checkWork` does. */
function edgesOf(key: string, text: string, { css, features, variations }: FontSetting): number {
  let edges = known.get(key);
  if (edges === undefined) {
    checkWork();
    ruler.font = css;
    ruler.fontFeatureSettings = features;
    ruler.fontVariationSettings = variations;
    edges = ruler.outlineText(text)?.edges.length ?? 0;
    known.set(key, edges);
  }
  return edges;
}
