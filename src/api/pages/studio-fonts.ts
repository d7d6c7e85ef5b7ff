/** `GET /studio/fonts`: the file of a family that templates may name, so that the studio's fields have the letters of its pictures. */
import { readFile } from 'node:fs/promises';
import type { FontFile } from '#wire/font-facts.ts';
import type { Template } from '#language/schema/template.ts';
import { AppError } from '../../foundation/errors.ts';
import { requireKeyHolder } from '../../http/api-key.ts';
import { firstValue, parseQuery } from '../../http/query.ts';
import type { Route } from '../../http/server.ts';
import type { FontService } from '../fonts.ts';

/** How long a browser may keep a file, without showing it to others. */
const cacheControl = 'private, max-age=86400';

/**
 * 200 with the TTF or OTF file of `?family=` whose `weight` (default 400) and `style` (`italic`, or upright) are nearest;
 * 404 for a family that is neither bundled nor the organization's own. Needs a key that may read.
 */
export function studioFontRoute({ organizations, fonts, inspector }: FontService): Route {
  return {
    name: 'studio-font',
    path: '/studio/fonts',
    errorShape: 'organization',
    async get(exchange) {
      const { uid } = requireKeyHolder(exchange.apiKey, organizations, 'read');
      const query = parseQuery(exchange.query);
      const family = firstValue(query, 'family') ?? '';
      const weight = Number(firstValue(query, 'weight') ?? 400);
      const isItalic = firstValue(query, 'style') === 'italic';
      const isNamed = (known: { family: string }): boolean =>
        known.family.toLowerCase() === family.toLowerCase();
      // Those of a family that has no file are none.
      const [own] = fonts.findFamilies(uid, documentWith(family));
      const files = own?.files ?? (await inspector.bundledFamilies()).find(isNamed)?.files ?? [];
      const file = nearestFile(files, weight, isItalic);
      if (file === undefined) {
        throw new AppError('NOT_FOUND', 'Font not found', { reason: 'font' });
      }
      const headers = [
        'Content-Type',
        'application/octet-stream',
        'Cache-Control',
        cacheControl,
        'X-Content-Type-Options',
        'nosniff',
      ];
      return { status: 200, headers, body: await readFile(file.path) };
    },
  };
}

/** The store finds fonts by the documents that name them. */
function documentWith(family: string): Template {
  return {
    format: 1,
    name: family,
    width: 1,
    height: 1,
    fonts: [family],
    variables: [],
    layers: [],
  };
}

/** The slant counts before the weight; undefined when there are no files. */
function nearestFile(
  files: readonly FontFile[],
  weight: number,
  isItalic: boolean,
): FontFile | undefined {
  const styled = files.filter(({ italic }) => italic === isItalic);
  const candidates = styled.length > 0 ? styled : files;
  const distance = (file: FontFile): number => Math.abs(file.weight - weight);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}
