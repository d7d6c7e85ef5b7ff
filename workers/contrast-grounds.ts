/** Paints the grounds behind letters, to measure their contrast. A proof keeps grounds from row to row. */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Grounds } from './contrast.ts';
import { decodeSources } from './decode-sources.ts';
import type { JobFiles } from './decode-sources.ts';
import type { DisplayItem, DisplayList } from './display-list.ts';
import { paintCost } from './paint/cost/paint-cost.ts';
import { paint } from './paint/paint.ts';
import { freeBytes } from './pixels.ts';
import type { Pixels } from './pixels.ts';

/** Upper bound of the grounds of an image: one for most texts, and one for each text that something covers. */
const paintingsMax = 12;
/** Upper bound of the estimated CPU time of these paintings. */
const paintingUsMax = 300_000;

/** Paints every ground, up to the limits of a job. Failures to draw are not reported: the image was drawn before. */
export function paintGrounds(list: DisplayList, files: JobFiles, scale: number): Grounds {
  let [paintings, us] = [0, 0];
  let decoded: ReturnType<typeof decodeSources> | undefined;
  return {
    async take(below) {
      paintings += 1;
      us += paintCost(below, 1, paintingUsMax).us;
      if (paintings > paintingsMax || us > paintingUsMax) return undefined;
      // At the sizes of the image: an SVG of another size would have to be drawn first.
      decoded ??= decodeSources(list, files, scale, []);
      return paint(below, await decoded, 1);
    },
    giveBack: (pixels) => freeBytes(pixels.data),
  };
}

interface KeptGround {
  below: DisplayList;
  pixels: Pixels;
}

/** Grounds of the template that is being proved, by name: at most `paintingsMax` images at scale 1. */
export class KeptGrounds {
  #templateKey = '';
  readonly #kept = new LRUCache<string, KeptGround>({
    max: paintingsMax,
    dispose: ({ pixels }) => freeBytes(pixels.data),
  });

  /** Returns grounds that are painted only if they differ from those of the previous row. */
  for(templateKey: string, painted: Grounds): Grounds {
    if (templateKey !== this.#templateKey) this.#kept.clear();
    this.#templateKey = templateKey;
    return {
      take: async (below, name) => {
        const known = this.#kept.get(name);
        if (known !== undefined && isSameGround(known.below, below)) return known.pixels;
        const pixels = await painted.take(below, name);
        if (pixels !== undefined) this.#kept.set(name, { below, pixels });
        return pixels;
      },
      giveBack: () => undefined,
    };
  }
}

function isSameGround(before: DisplayList, after: DisplayList): boolean {
  return (
    before.items.length === after.items.length &&
    before.items.every((item, index) => isSameItem(item, after.items[index])) &&
    isDeepStrictEqual(before.background, after.background)
  );
}

function isSameItem(before: DisplayItem, after: DisplayItem | undefined): boolean {
  return before === after || isDeepStrictEqual(before, after);
}
