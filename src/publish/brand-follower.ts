/** Applies the brand kit of an organization to one template: to the draft, and to the published version. */
import { followBrand } from '#language/brand.ts';
import type { Brand } from '#language/brand.ts';
import type { Template } from '#language/schema/template.ts';
import type { Deadline } from '../foundation/deadline.ts';
import { whenFree } from '../store/database/store-error.ts';
import { requireValid } from '../store/template-document.ts';
import { storedDocument } from '../store/template-versions.ts';
import type { TemplateStore } from '../store/template-store.ts';
import type { Publisher } from './publisher.ts';

/** The changes of a template. */
export interface FollowedBrand {
  /** Whether the draft has changed. */
  draft: boolean;
  /** The new version that links show; null if they did not change. */
  version: number | null;
}

/** The note of the new version in the list of versions. */
const note = 'Brand kit applied';

/**
 * Publishes the published version with the kit's values, then saves the draft with them. Other changes of the draft are
 * not published. Undefined if the organization has no such template. Rejects like `Publisher.publish` and
 * `TemplateStore.updateDraft`.
 */
export async function applyBrand(
  { templates, publisher }: { templates: TemplateStore; publisher: Publisher },
  [organizationUid, uid]: readonly [string, string],
  brand: Brand,
  deadline: Deadline,
): Promise<FollowedBrand | undefined> {
  const details = templates.findDetails(organizationUid, uid);
  const draft = templates.findDocument(organizationUid, uid);
  if (details === undefined || draft === undefined) return undefined;
  let version: number | null = null;
  if (details.version !== null) {
    const shown = templates.findDocument(organizationUid, uid, details.version);
    const documentJson = shown && followed(shown.documentJson, brand)?.documentJson;
    if (documentJson !== undefined) {
      const replacement = { version: details.version, documentJson };
      const request = { note, replacement };
      const published = await publisher.publish(organizationUid, uid, request, deadline);
      version = published?.version ?? null;
    }
  }
  const next = followed(draft.documentJson, brand);
  if (next === undefined) return { draft: false, version };
  await requireValid(storedDocument(next.documentJson), organizationUid);
  const ifMatch = [draft.cid];
  await whenFree(() =>
    templates.updateDraft(organizationUid, uid, next.document, next.documentJson, { ifMatch }),
  );
  return { draft: true, version };
}

/** The document with the kit's values; undefined if it has them already. */
function followed(
  documentJson: string,
  brand: Brand,
): { document: Template; documentJson: string } | undefined {
  const old = JSON.parse(documentJson) as Template;
  const document = followBrand(old, brand);
  return document === old ? undefined : { document, documentJson: JSON.stringify(document) };
}
