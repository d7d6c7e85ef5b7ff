/** Makes a document that was never published drawable: checked, named by its content, and remembered for the next step of an editor. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OwnFontFamily } from '#wire/render-job.ts';
import { checkTemplate } from '#language/template.ts';
import type { TemplateProblem } from '#language/check/template-problems.ts';
import type { Template } from '#language/schema/template.ts';
import { candidateTemplate } from '../store/published-cache.ts';
import type { PublishedTemplate } from '../store/published-cache.ts';
import { previewKind } from '../scheduling/share.ts';

/** Documents that were found right; an editor sends one again and again with other values. */
const documentsMax = 200;
const documentCharactersMax = 8 * 1024 * 1024;

/** A document by its text; a parsed one takes about five times that. */
export class PreviewDocuments {
  readonly #known = new LRUCache<string, Template>({
    max: documentsMax,
    maxSize: documentCharactersMax,
  });

  /** The document of this text, `value` being the text parsed, or its problems. The value is kept: nobody changes it. */
  check(
    documentJson: string,
    value: unknown,
  ): { ok: true; document: Template } | { ok: false; problems: TemplateProblem[] } {
    const key = contentKey(documentJson);
    const known = this.#known.get(key);
    if (known !== undefined) return { ok: true, document: known };
    const checked = checkTemplate(value);
    if (!checked.ok) return checked;
    this.#known.set(key, checked.template, { size: documentJson.length + key.length });
    return { ok: true, document: checked.template };
  }
}

/**
 * What renders ask of a published template, for a document that is only looked at. Equal documents with equal fonts
 * have equal keys, so that a thread keeps their plan; the key says that it is a preview, for the queue.
 */
export function previewTemplate(
  organizationUid: string,
  document: Template,
  documentJson: string,
  fonts: readonly OwnFontFamily[],
): PublishedTemplate {
  const candidate = { uid: 'preview', organizationUid, document, documentJson, fonts };
  const template = candidateTemplate(candidate);
  const [, ...rest] = template.templateKey.split(':');
  return { ...template, templateKey: [organizationUid, previewKind, ...rest].join(':') };
}

function contentKey(documentJson: string): string {
  return hash('sha256', documentJson, 'hex').slice(0, 32);
}
