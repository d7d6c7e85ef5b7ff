/** Reads a published document with the access of its template, which decides what its links need and may choose. */
import type { Template } from '#language/schema/template.ts';
import type { Service } from '../../state/service.ts';

/** Adds the access of the template to a document. Its own access has no effect. */
export async function withAccess(
  document: Template,
  { client }: Service,
  uid: string,
  call: { signal?: AbortSignal } = {},
): Promise<Template> {
  const { linkAuth, linkOptions } = (await client.getTemplate(uid, call)).access;
  return { ...document, linkAuth, linkOptions };
}

/** Reads `version`, or the newest, with the access of the template. */
export async function readPublished(
  service: Service,
  uid: string,
  version?: number,
  call: { signal?: AbortSignal } = {},
): Promise<Template> {
  const query = version === undefined ? {} : { version };
  const document = await service.client.getTemplateDocument(uid, query, call);
  return withAccess(document as unknown as Template, service, uid, call);
}
