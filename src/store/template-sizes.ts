/** The sizes of a published template, each as a separate template with a document and a key. */
import { documentInSize } from '#language/sizes.ts';
import type { PublishedTemplate } from './published-cache.ts';

/** Names of the sizes of a template, in the order of its document. */
export function sizeNames({ sizedDocument }: PublishedTemplate): string[] {
  return (sizedDocument?.sizes ?? []).map(({ name }) => name);
}

/** The template itself, and then each of its sizes. */
export function* allSizes(
  template: PublishedTemplate,
): Generator<[size: string | undefined, template: PublishedTemplate]> {
  yield [undefined, template];
  for (const name of sizeNames(template)) {
    const sized = templateInSize(template, name);
    if (sized !== undefined) yield [name, sized];
  }
}

/** Requested sizes by template, kept as long as their template. */
const known = new WeakMap<PublishedTemplate, Map<string, PublishedTemplate>>();

/**
 * The template in one of its sizes, as the same object for each call. It has the document of the size, and the state of
 * the template's links. Undefined for an unknown size.
 */
export function templateInSize(
  template: PublishedTemplate,
  name: string,
): PublishedTemplate | undefined {
  let sizes = known.get(template);
  if (sizes === undefined) known.set(template, (sizes = new Map()));
  const made = sizes.get(name) ?? makeSize(template, name);
  if (made !== undefined) sizes.set(name, made);
  return made;
}

function makeSize(template: PublishedTemplate, name: string): PublishedTemplate | undefined {
  const { sizedDocument, link } = template;
  const document = sizedDocument && documentInSize(sizedDocument, name);
  if (document === undefined) return undefined;
  return {
    uid: template.uid,
    organizationUid: template.organizationUid,
    version: template.version,
    cid: template.cid,
    // The suffix follows the parts that other code reads from keys: organization, content id and fonts.
    templateKey: `${template.templateKey}:size=${name}`,
    documentJson: JSON.stringify(document),
    document,
    sizedDocument: undefined,
    variables: template.variables,
    fonts: template.fonts,
    link,
    linkAuth: link.linkAuth,
    linkOptions: link.linkOptions,
    pinned: link.pinned,
    maxAgeSeconds: link.maxAgeSeconds,
    readsTables: link.readsTables,
    get isCurrent() {
      return link.isCurrent;
    },
  };
}
