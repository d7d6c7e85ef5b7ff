/** Finds the assets that a template document names, and says which of them an organization does not have. */
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { Template } from '#language/schema/template.ts';
import type { Database } from '../database/database.ts';
import { mapPictures } from '../template-pictures.ts';

const assetPrefix = 'asset:';

/**
 * The assets of a document with the JSON path of each place that names one: layers, fills, and the defaults of
 * image variables. What a variable completes (`asset:{{photo}}`) is not known before it is drawn, and left out.
 */
function assetReferences(document: Template): [path: string, id: string][] {
  const references: [path: string, id: string][] = [];
  mapPictures(
    document,
    (id, path) => {
      if (!id.includes('{{')) references.push([path, id.trim()]);
      return id;
    },
    assetPrefix,
  );
  return references;
}

/** One problem for each place of a document that names an asset which its organization does not have. */
export function createAssetCheck(
  db: Database,
): (organizationUid: string, document: Template) => TemplateProblem[] {
  const exists = db
    .prepare<[string, string], number>(
      'SELECT EXISTS (SELECT 1 FROM assets WHERE organization_uid = ? AND digest = ?)',
    )
    .pluck();
  return (organizationUid, document) =>
    assetReferences(document)
      .filter(([, id]) => exists.get(organizationUid, id.slice(assetPrefix.length)) !== 1)
      .map(([path, id]) => ({
        path,
        message: `is ${JSON.stringify(id.slice(0, 80))}, expected an asset of this organization: upload the picture, then name it by the id that the upload answers`,
      }));
}
