/** The state of a template on its card, with the number of its unpublished changes. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Template } from '#language/schema/template.ts';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { diffDocuments, unpublishedWords } from '../publish/differences.ts';
import type { Service } from '../state/service.ts';
import { createDrawQueue } from './draw-queue.ts';
import { whenSeen } from './thumbnail.tsx';

/** Documents have up to 1 MiB: one card after the other reads its two. */
const queue = createDrawQueue(1);

/** The newest counts of this page by uid, so that a template is counted once for each draft and version. */
const counts = signal<ReadonlyMap<string, { key: string; changes: number }>>(new Map());

/** Returns the number of unpublished changes of a template; undefined until it is counted. */
function changesOf(template: TemplateSummary): number | undefined {
  const known = counts.value.get(template.uid);
  return known?.key === keyOf(template) ? known.changes : undefined;
}

/** Returns the state of a template. Drafts that differ in `$schema` alone have another content id, but no change. */
export function stateOf(template: TemplateSummary): TemplateSummary['state'] {
  return template.state === 'changed' && changesOf(template) === 0 ? 'live' : template.state;
}

/** Labels of the states. */
const stateWords = {
  draft: 'Draft',
  live: 'Live',
  changed: 'Live · unpublished changes',
  archived: 'Archived',
};

interface CardStateProps {
  service: Service;
  template: TemplateSummary;
  isArchived: boolean;
}

/** The state, the folder and the tags. */
export function CardState({ service, template, isArchived }: CardStateProps): VNode {
  const { folder, tags } = template;
  const element = useRef<HTMLParagraphElement>(null);
  const isChanged = !isArchived && template.state === 'changed';
  const changes = useChanges(element, service, isChanged ? template : undefined);
  const state = isArchived ? 'archived' : stateOf(template);
  const labels = [...(folder === '' ? [] : [folder]), ...tags.map((tag) => `#${tag}`)].join(' ');
  return (
    <p class="card-state" data-state={state} ref={element}>
      <span>
        {changes ? `${stateWords.live} · ${unpublishedWords(changes)}` : stateWords[state]}
      </span>
      {labels !== '' && (
        <span class="card-labels" title={labels}>
          {labels}
        </span>
      )}
    </p>
  );
}

/** Counts the unpublished changes when the element comes into sight. Undefined until then, and if a request fails. */
function useChanges(
  element: { current: Element | null },
  service: Service,
  template: TemplateSummary | undefined,
): number | undefined {
  const key = template && keyOf(template);
  const known = template && changesOf(template);
  useEffect(() => {
    if (template === undefined || key === undefined || element.current === null) return undefined;
    if (known !== undefined) return undefined;
    return whenSeen(element.current, async (ended) => {
      try {
        const changes = await queue.run(
          (running) => countChanges(service, template, running),
          ended,
        );
        counts.value = new Map([...counts.peek(), [template.uid, { key, changes }]]);
      } catch {
        // The words without a number stay.
      }
    });
  }, [key]);
  return known;
}

/** Identifies the draft and the version. The name is part of it, because renaming on a card changes the draft. */
function keyOf({ updated_at: updatedAt, version, name }: TemplateSummary): string {
  return `${updatedAt} ${version} ${name}`;
}

/** Counts as the editor's bar does. Rejects like the client. */
async function countChanges(
  { client }: Service,
  { uid, version }: TemplateSummary,
  ended: AbortSignal,
): Promise<number> {
  const [published, draft] = await Promise.all([
    client.getTemplateDocument(uid, version === null ? {} : { version }, { signal: ended }),
    client.getTemplateDocument(uid, {}, { signal: ended }),
  ]);
  return diffDocuments(published as unknown as Template, draft as unknown as Template).length;
}
