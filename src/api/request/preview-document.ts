/** Finds and checks the document of a preview: that of the body, or a draft or version of a stored template. */
import type { PreviewDocument, PreviewDocuments } from '../../publish/preview.ts';
import type { FontDigests } from '../../store/assets/font-choice.ts';
import { checkDocumentBytes } from '../../store/template-document.ts';
import type { TemplateStore } from '../../store/template-store.ts';
import { badBody } from './input.ts';
import { noTemplate } from './organization-template.ts';

/** `template`, or `uid` with `version` or without. */
interface WantedFrom {
  template?: object | undefined;
  uid?: string | undefined;
  version?: number | undefined;
}

/** The document to render: its text, its parsed value, and the font digests of its version. */
export interface WantedDocument {
  json: string;
  value: unknown;
  fontDigests: FontDigests;
}

export function findDocument(
  templates: Pick<TemplateStore, 'findDocument'>,
  organizationUid: string,
  { template, uid, version }: WantedFrom,
): WantedDocument {
  if ((template === undefined) === (uid === undefined)) {
    const message = 'expected one of "template", a document, and "uid", a template of yours';
    throw badBody([{ path: '(document)', message }], 'body');
  }
  if (uid === undefined) {
    if (version !== undefined) {
      const message = 'stands without "uid", expected beside it';
      throw badBody([{ path: 'version', message }], 'body');
    }
    const json = JSON.stringify(template);
    checkDocumentBytes(json);
    return { json, value: template, fontDigests: null };
  }
  const stored = templates.findDocument(organizationUid, uid, version);
  if (stored === undefined) throw noTemplate();
  const { documentJson: json, fontDigests } = stored;
  return { json, value: JSON.parse(json), fontDigests };
}

/** Checks the document. Rejects with BAD_REQUEST and its problems. */
export async function requireDocument(
  documents: PreviewDocuments,
  organizationUid: string,
  { json, value }: WantedDocument,
): Promise<PreviewDocument> {
  const checked = await documents.check(json, value, organizationUid);
  if (checked.ok) return checked;
  const problems = checked.problems.map(({ path, message }) => ({
    path: path.startsWith('(') ? 'template' : `template.${path}`,
    message,
  }));
  throw badBody(problems, 'template document');
}
