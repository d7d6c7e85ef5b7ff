/** Drawing aids that no image shows: rulers, guides and a grid. The browser stores them for each template. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Template } from '#language/schema/template.ts';
import type { Rect } from '../geometry.ts';

/** Guides are positions on an axis of the canvas, design pixels. */
export interface Aids {
  hasRulers: boolean;
  hasGrid: boolean;
  x: readonly number[];
  y: readonly number[];
}

/** Design pixels between lines of the grid. */
export const gridPx = 10;

/** Maximum number of guides of an axis. */
const guidesMax = 50;

const none: Aids = { hasRulers: false, hasGrid: false, x: [], y: [] };

const keyOf = (uid: string): string => `platen-studio-aids:${uid}`;

/** Reads the stored aids of a template. */
export function createAids(uid: string): Signal<Aids> {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(uid)) ?? '{}') as Partial<Aids>;
    const lists = { x: isList(kept.x) ? kept.x : [], y: isList(kept.y) ? kept.y : [] };
    return signal({ ...lists, hasRulers: kept.hasRulers === true, hasGrid: kept.hasGrid === true });
  } catch {
    return signal(none);
  }
}

/** Stores the aids of a template, or removes the entry if the template has none. Ignores failures. */
export function keepAids(uid: string, aids: Aids): void {
  const isUsed = aids.hasRulers || aids.hasGrid || aids.x.length > 0 || aids.y.length > 0;
  try {
    if (isUsed) localStorage.setItem(keyOf(uid), JSON.stringify(aids));
    else localStorage.removeItem(keyOf(uid));
  } catch {
    // The storage is full or blocked. The aids are not important enough for a message.
  }
}

/** Moves guide `index`, adds it if `index` is the number of guides, or removes it if `at` is undefined. */
export function withGuide(
  aids: Aids,
  axis: 'x' | 'y',
  index: number,
  at: number | undefined,
): Aids {
  const others = aids[axis].filter((_, each) => each !== index);
  if (at === undefined) return { ...aids, [axis]: others };
  const list = [...aids[axis]];
  list[index] = Math.round(at);
  return { ...aids, [axis]: list.slice(0, guidesMax) };
}

/** Adds guides at the edges of a box, and shows the rulers. */
export function withGuidesRound(aids: Aids, { x, y, width, height }: Rect): Aids {
  return {
    ...aids,
    hasRulers: true,
    x: withPositions(aids.x, [x, x + width]),
    y: withPositions(aids.y, [y, y + height]),
  };
}

/** Guides as lines across the canvas, to which layers snap. Empty while guides are hidden. */
export function guideRects({ hasRulers, x, y }: Aids, { width, height }: Template): Rect[] {
  if (!hasRulers) return [];
  return [
    ...x.map((at) => ({ x: at, y: 0, width: 0, height })),
    ...y.map((at) => ({ x: 0, y: at, width, height: 0 })),
  ];
}

function withPositions(list: readonly number[], more: readonly number[]): number[] {
  return [...new Set([...list, ...more.map(Math.round)])].slice(0, guidesMax);
}

function isList(list: unknown): list is number[] {
  return Array.isArray(list) && list.every(Number.isFinite);
}
