/** Copies the link of a published template from its card. */
import type { Template } from '#language/schema/template.ts';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { snippetTemplate, typedLink } from '../publish/share-links.ts';
import type { Service } from '../state/service.ts';
import { notify, notifyError } from '../wording.ts';

/** Copies the link without values. Never rejects: a notice reports errors, and links that need a signature. */
export async function copyLink(
  { client, base }: Service,
  { uid, name, version }: TemplateSummary,
): Promise<void> {
  try {
    const query = version === null ? {} : { version };
    const published = (await client.getTemplateDocument(uid, query)) as unknown as Template;
    if (published.linkAuth === 'signed') {
      notify(`Links of ${name} need a signature: open it and make one under Share.`, {
        kind: 'error',
      });
      return;
    }
    const link = typedLink(base, snippetTemplate(uid, published), []);
    await copy(link, name);
  } catch (error) {
    notifyError('The link was not copied', error);
  }
}

/** Without TLS there is no clipboard; the notice then shows the link. */
async function copy(link: string, name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    notify(`Copied the link of ${name}.`);
  } catch {
    notify(`The browser does not let the studio copy: ${link}`, { kind: 'error' });
  }
}
