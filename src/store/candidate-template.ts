/** A template that is not public yet, or never will be, in the shape that renders are made from. */
import type { OwnFontFamily } from '#wire/render-job.ts';
import type { Template } from '#language/schema/template.ts';
import type { PublishedTemplate } from './published-cache.ts';
import { documentCid, templateKeyOf } from './template-document.ts';
import { unpublishedLink } from './template-link.ts';

/** What is known of it: a document that was checked, its text, and whose it is. */
export interface Candidate {
  uid: string;
  organizationUid: string;
  document: Template;
  documentJson: string;
  /** The organization's own families that the document names. */
  fonts: readonly OwnFontFamily[];
}

/**
 * The candidate as a template. Its key is the one that the same document has once it is published, so that plans
 * and renders made of it are found again. It has no version (0), and stays as it is.
 */
export function candidateTemplate(candidate: Candidate): PublishedTemplate {
  const { organizationUid, document, documentJson, fonts } = candidate;
  const cid = documentCid(documentJson);
  const link = unpublishedLink(candidate.uid, 0, document);
  return {
    ...candidate,
    ...link,
    link,
    cid,
    templateKey: templateKeyOf(organizationUid, cid, fonts),
    variables: new Map(document.variables.map((variable) => [variable.name, variable])),
  };
}
