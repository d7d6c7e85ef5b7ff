/** Converts the row of a font for the API and for renders. */
import { hash } from 'node:crypto';
import type { FontFacts } from '#wire/font-facts.ts';
import { organizationFontPrefix } from '#wire/render-job.ts';
import type { OrganizationFontFamily } from '#wire/render-job.ts';

/** A stored font without its bytes. */
export interface StoredFont {
  id: string;
  /** The family's name in templates of the organization. */
  family: string;
  weight: number;
  italic: boolean;
  sizeBytes: number;
  facts: FontFacts;
  created_at: string;
}

/** Maximum bytes of the organization's fonts in one document: half of the limit of a render host. */
const documentFontBytesMax = 64 * 1024 * 1024;

/** The columns without the file. */
export interface FontRow {
  digest: string;
  family: string;
  family_key: string;
  weight: number;
  italic: number;
  facts: string;
  size_bytes: number;
  created_at: string;
}

export function toFont(row: FontRow): StoredFont {
  return {
    id: `font:${row.digest}`,
    family: row.family,
    weight: row.weight,
    italic: row.italic === 1,
    sizeBytes: row.size_bytes,
    facts: JSON.parse(row.facts) as FontFacts,
    created_at: row.created_at,
  };
}

/** Groups rows, which are sorted by family, into families, and omits those above the limit. */
export function toFamilies(
  organizationUid: string,
  rows: readonly FontRow[],
  pathOf: (row: FontRow) => string,
): OrganizationFontFamily[] {
  const families: OrganizationFontFamily[] = [];
  let bytesLeft = documentFontBytesMax;
  for (const [key, faces] of Map.groupBy(rows, (row) => row.family_key)) {
    const sizeBytes = faces.reduce((sum, row) => sum + row.size_bytes, 0);
    if (sizeBytes > bytesLeft) continue;
    bytesLeft -= sizeBytes;
    const digests = faces.map(({ digest }) => digest);
    const alias = hash('sha256', JSON.stringify([organizationUid, key, digests]), 'hex');
    families.push({
      name: faces[0]?.family ?? key,
      alias: organizationFontPrefix + alias.slice(0, 32),
      files: faces.map((row) => ({
        path: pathOf(row),
        digest: row.digest,
        sizeBytes: row.size_bytes,
        weight: row.weight,
        italic: row.italic === 1,
        axes: (JSON.parse(row.facts) as FontFacts).axes,
      })),
    });
  }
  return families;
}
