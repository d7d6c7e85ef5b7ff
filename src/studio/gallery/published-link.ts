/** The link of a published template, from its summary. */
import type { Template } from '#language/schema/template.ts';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { snippetTemplate, typedLink } from '../publish/share-links.ts';
import type { Service } from '../state/service.ts';

/** Returns the link without values. Rejects like the client, and if links need a signature. */
export async function publishedLink(
  { client, base }: Service,
  { uid, name, version }: TemplateSummary,
): Promise<string> {
  const query = version === null ? {} : { version };
  const published = (await client.getTemplateDocument(uid, query)) as unknown as Template;
  if (published.linkAuth === 'signed') {
    throw new Error(`links of ${name} need a signature. Open it, and make one under Share.`);
  }
  return typedLink(base, snippetTemplate(uid, published), []);
}
