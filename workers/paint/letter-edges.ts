/** Counts the segments of letters' outlines: what stroking and filling large letters costs. */
import { LRUCache } from 'lru-cache';
import { Canvas } from 'skia-canvas';
import type { FontSetting } from '../display-list.ts';

const ruler = new Canvas(1, 1).getContext('2d');
/** Of one character in one font; measuring one takes 0.2 ms. */
const known = new LRUCache<string, number>({ max: 5000 });
/** Characters of one run that are measured; the others count as the mean of these. */
const measuredMax = 100;

/** Segments of all letters of a text, whatever its size. Ligatures and joined letters have about those of their parts. */
export function countEdges(text: string, font: FontSetting): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const face = font.css.replace(/[\d.]+px/, '');
  let [edges, letters, measured] = [0, 0, 0];
  for (const [character, count] of counts) {
    letters += count;
    if (counts.size > measuredMax && measured >= measuredMax) continue;
    measured += count;
    edges += count * edgesOf(character, face, font);
  }
  return measured === 0 ? 0 : edges * (letters / measured);
}

function edgesOf(character: string, face: string, { css, variations }: FontSetting): number {
  const key = `${character} ${face} ${variations}`;
  let edges = known.get(key);
  if (edges === undefined) {
    ruler.font = css;
    ruler.fontVariationSettings = variations;
    edges = ruler.outlineText(character)?.edges.length ?? 0;
    known.set(key, edges);
  }
  return edges;
}
