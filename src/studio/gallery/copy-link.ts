/** Copies the link of a published template from its card. */
import type { TemplateSummary } from '../../client/platen-client.ts';
import { loadLater } from '../later-part.tsx';
import type { Service } from '../state/service.ts';
import { notify, notifyError } from '../wording.ts';

/** Copies the link without values. Never rejects: a notice reports errors, and links that need a signature. */
export async function copyLink(service: Service, template: TemplateSummary): Promise<void> {
  const { name } = template;
  const link = loadLater().then((code) => code.publishedLink(service, template));
  const copied = copyText(link).then(
    () => true,
    () => false,
  );
  try {
    const text = await link;
    if (await copied) notify(`Copied the link of ${name}.`);
    // Without TLS there is no clipboard.
    else notify(`The browser does not let the studio copy: ${text}`, { kind: 'error' });
  } catch (error) {
    notifyError('The link was not copied', error);
  }
}

/** Copies a text that is known later. Safari and Firefox refuse a copy that does not begin in the press. */
async function copyText(text: Promise<string>): Promise<void> {
  if (!('ClipboardItem' in globalThis)) return navigator.clipboard.writeText(await text);
  const blob = text.then((known) => new Blob([known], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
