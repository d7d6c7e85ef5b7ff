/** Actions on several templates at once, and the notice that follows. */
import type { TemplateSummary } from '../../client/platen-client.ts';
import { explainError, notify, notifyError } from '../wording.ts';
import type { Service } from '../state/service.ts';
import type { TemplateList } from './template-list.ts';

/** Actions on several templates. The promises never reject: notices report results and errors. */
export interface ManyActions {
  /** An empty `folder` moves the templates out of their folders. */
  move: (templates: readonly TemplateSummary[], folder: string) => Promise<void>;
  tag: (templates: readonly TemplateSummary[], changes: TagChanges) => Promise<void>;
  archive: (templates: readonly TemplateSummary[]) => Promise<void>;
  restore: (templates: readonly TemplateSummary[]) => Promise<void>;
}

/** Tags to add to all templates, and tags to remove from all templates. */
export interface TagChanges {
  add: readonly string[];
  remove: readonly string[];
}

/** Concurrent requests at most. */
const runningMax = 4;

/** Returns a count with its noun, such as `2 templates`. */
export function countOf(count: number): string {
  return count === 1 ? '1 template' : `${count} templates`;
}

/** Creates the actions. Each action updates the lists after the service accepts a change. */
export function createManyActions(
  { client }: Service,
  { used, archived }: { used: TemplateList; archived: TemplateList },
): ManyActions {
  const arrange = async (
    template: TemplateSummary,
    body: { folder?: string; tags?: string[] },
  ): Promise<void> => {
    const path = { uid: template.uid };
    const labels = await client.request('PATCH /v1/templates/{uid}', { path, body });
    used.put({ ...template, ...labels });
  };
  const restore = async (templates: readonly TemplateSummary[]): Promise<void> => {
    const done = await forEach(templates, 'restored', async (template) => {
      await client.restoreTemplate(template.uid);
      archived.remove(template.uid);
      used.put(template);
    });
    if (done.length > 0) notify(`Restored ${countOf(done.length)}, links and all.`);
  };
  return {
    restore,
    async move(templates, folder) {
      const done = await forEach(templates, 'moved', (template) => arrange(template, { folder }));
      const where = folder === '' ? 'out of their folders' : `to ${folder}`;
      if (done.length > 0) notify(`Moved ${countOf(done.length)} ${where}.`);
    },
    async tag(templates, { add, remove }) {
      const done = await forEach(templates, 'tagged', (template) => {
        const tags = new Set([...template.tags.filter((tag) => !remove.includes(tag)), ...add]);
        return arrange(template, { tags: [...tags] });
      });
      if (done.length > 0) notify(`Changed the tags of ${countOf(done.length)}.`);
    },
    async archive(templates) {
      const done = await forEach(templates, 'archived', async (template) => {
        await client.archiveTemplate(template.uid);
        used.remove(template.uid);
        archived.put(template);
      });
      const action = { label: 'Undo', run: () => void restore(done) };
      if (done.length > 0) notify(`Archived ${countOf(done.length)}.`, { action });
    },
  };
}

/** Returns the templates for which `act` succeeded. A notice reports the number of failures and the first error. */
async function forEach(
  templates: readonly TemplateSummary[],
  done: string,
  act: (template: TemplateSummary) => Promise<void>,
): Promise<TemplateSummary[]> {
  const successes: TemplateSummary[] = [];
  const errors: unknown[] = [];
  await forEachOf(templates, async (template) => {
    try {
      await act(template);
      successes.push(template);
    } catch (error) {
      errors.push(error);
    }
  });
  if (errors.length > 0) {
    notifyError(`${countOf(errors.length)} were not ${done}`, new Error(explainError(errors[0])));
  }
  return successes;
}

/** Runs `act` for all templates, at most `runningMax` at a time. Rejects like `act`. */
export async function forEachOf(
  templates: readonly TemplateSummary[],
  act: (template: TemplateSummary) => Promise<void>,
): Promise<void> {
  const waiting = [...templates];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await act(next);
    }
  };
  await Promise.all(Array.from({ length: runningMax }, work));
}
