/** Whose thread time a render is: the names by which the queue shares threads. */
import type { RenderJob } from '#wire/render-job.ts';

export interface RenderShare {
  /** `serviceItself` for a job that no organization asked for. */
  organization: string;
  template: string;
}

/** The organization of warm-ups, whose keys name none: they may use all threads at a time. */
export const serviceItself = '';

/** Stands behind the organization in the template key of a preview; a published template has its content id there. */
export const previewKind = 'preview';

/**
 * A template's key begins with its organization. All previews of an organization count as one template: an editor
 * that sends a new document at each step of the pointer takes one turn, its links take theirs.
 */
export function shareOf({ templateKey }: Pick<RenderJob, 'templateKey'>): RenderShare {
  const end = templateKey.indexOf(':');
  const organization = end === -1 ? serviceItself : templateKey.slice(0, end);
  return {
    organization,
    template: isPreviewKey(templateKey) ? `${organization}:${previewKind}` : templateKey,
  };
}

/** Whether a template key is that of a preview. */
export function isPreviewKey(templateKey: string): boolean {
  return templateKey.startsWith(`${previewKind}:`, templateKey.indexOf(':') + 1);
}
