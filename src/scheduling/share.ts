/** The organization and template of a render: the names by which the queue shares threads. */
import type { RenderJob } from '#wire/render-job.ts';

export interface RenderShare {
  /** `serviceItself` for a job that belongs to no organization. */
  organization: string;
  template: string;
}

/** The organization of warm-ups, whose keys name none: they may use all threads at a time. */
export const serviceItself = '';

/** Follows the organization in the template key of a preview; a published template has its content id there. */
export const previewKind = 'preview';

/**
 * Derives the share of a job from its template key, which starts with the organization. All previews of an organization
 * count as one template: an editor that sends a new document at each move of the pointer gets one turn, and the
 * organization's links get theirs.
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
