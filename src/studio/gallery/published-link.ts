/** The link of a published template, from its summary. */
import type { TemplateSummary } from '../../client/platen-client.ts';
import { snippetTemplate, typedLink } from '../publish/share-links.ts';
import { readPublished } from '../publish/access/read-published.ts';
import type { Service } from '../state/service.ts';

/** Returns the link without values. Rejects like the client, and if links need a signature. */
export async function publishedLink(
  service: Service,
  { uid, name, version }: TemplateSummary,
): Promise<string> {
  const published = await readPublished(service, uid, version ?? undefined);
  if (published.linkAuth === 'signed') {
    throw new Error(`links of ${name} need a signature. Open it, and make one under Share.`);
  }
  return typedLink(service.base, snippetTemplate(uid, published), []);
}
