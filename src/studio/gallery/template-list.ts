/** Loads all templates of the organization page by page, and searches and sorts them in the browser. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PlatenClient, TemplateSummary } from '../../client/platen-client.ts';
import { explainError, notify, notifyError } from '../wording.ts';
import type { Service } from '../state/service.ts';
import { freeName } from './free-name.ts';

/** Templates per page (the service's limit). */
const pageTemplates = 100;

/** Pages read at most: 10,000 templates, 3 MB. */
const pagesMax = 100;

/** A list of templates that are in use or archived. */
export interface TemplateList {
  readonly templates: ReadonlySignal<readonly TemplateSummary[]>;
  /** `loading` until the last page has arrived. An empty list shows each page as it arrives. */
  readonly state: ReadonlySignal<'loading' | 'ready' | 'failed'>;
  /** The cause of the last failed load, and what to do. */
  readonly problem: ReadonlySignal<string | undefined>;
  /** Loads all pages again. The list keeps its templates until the last page has arrived. */
  load(): Promise<void>;
  /** Replaces the template of the same uid, or inserts a new template at the front. */
  put(template: TemplateSummary): void;
  remove(uid: string): void;
  close(): void;
}

/** Creates the list of templates in use, or of `archived` ones; it is empty until `load`. */
export function createTemplateList(
  client: Pick<PlatenClient, 'listTemplates'>,
  archived: boolean,
): TemplateList {
  const templates = signal<readonly TemplateSummary[]>([]);
  const state = signal<'loading' | 'ready' | 'failed'>('loading');
  const problem = signal<string | undefined>(undefined);
  let loading = new AbortController();

  const load = async (): Promise<void> => {
    loading.abort();
    const controller = new AbortController();
    loading = controller;
    state.value = 'loading';
    const isFirst = templates.value.length === 0;
    try {
      const found = await readPages(client, archived, controller.signal, (some) => {
        if (isFirst && !controller.signal.aborted) templates.value = some;
      });
      if (controller.signal.aborted) return;
      templates.value = found;
      problem.value = undefined;
      state.value = 'ready';
    } catch (error) {
      if (controller.signal.aborted) return;
      problem.value = explainError(error);
      state.value = 'failed';
    }
  };
  /** Sets the templates. A running load starts again, because its pages may be older than the change. */
  const change = (next: readonly TemplateSummary[]): void => {
    templates.value = next;
    if (state.value === 'loading') void load();
  };

  return {
    templates,
    state,
    problem,
    load,
    put(template) {
      const isKnown = templates.value.some(({ uid }) => uid === template.uid);
      change(
        isKnown
          ? templates.value.map((each) => (each.uid === template.uid ? template : each))
          : [template, ...templates.value],
      );
    },
    remove(uid) {
      change(templates.value.filter((template) => template.uid !== uid));
    },
    close: () => loading.abort(),
  };
}

/** Reads all pages. A template that moves to the next page meanwhile arrives twice, and is kept once. */
async function readPages(
  client: Pick<PlatenClient, 'listTemplates'>,
  archived: boolean,
  ended: AbortSignal,
  onPage: (templates: TemplateSummary[]) => void,
): Promise<TemplateSummary[]> {
  const found = new Map<string, TemplateSummary>();
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { limit: pageTemplates, offset: page * pageTemplates, archived };
    const { templates, total } = await client.listTemplates(query, { signal: ended });
    for (const template of templates) found.set(template.uid, template);
    onPage([...found.values()]);
    // Past the end the service answers 404, which a browser reports as an error.
    if (query.offset + templates.length >= total || templates.length === 0) break;
  }
  return [...found.values()];
}

/** How templates are sorted. */
export type TemplateOrder = 'changed' | 'created' | 'name';

/** Returns the templates whose name, uid, folder and tags contain every word of the search, sorted by `order`. */
export function arrangeTemplates(
  templates: readonly TemplateSummary[],
  search: string,
  order: TemplateOrder,
): TemplateSummary[] {
  const found = templates.filter(({ name, uid, folder, tags }) =>
    holdsWords(`${name} ${uid} ${folder} ${tags.join(' ')}`, search),
  );
  const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return found.toSorted((a, b) => {
    if (order === 'name') return names.compare(a.name, b.name);
    const key = order === 'created' ? 'created_at' : 'updated_at';
    return Number(a[key] < b[key]) - Number(a[key] > b[key]);
  });
}

/** Whether a text contains every word of a search, regardless of case and accents. */
export function holdsWords(text: string, search: string): boolean {
  const whole = folded(text);
  return folded(search)
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** Returns the items that contain most words of a search; none if no item contains one. */
export function withMostWords<Item extends { words: string }>(
  items: readonly Item[],
  search: string,
): Item[] {
  const sought = folded(search).trim().split(/\s+/);
  const counts = items.map(({ words }) => {
    const whole = folded(words);
    return sought.filter((word) => whole.includes(word)).length;
  });
  const most = Math.max(1, ...counts);
  return items.filter((_, index) => counts[index] === most);
}

/** Removes case and accents, so that `zoe` finds `Zoë`. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

// Actions on a template of the gallery, and the notices that follow.

/** The actions of a card. The promises never reject: a notice reports errors. */
export interface TemplateActions {
  open: (uid: string) => void;
  /** Resolves when the new name is saved. */
  rename: (template: TemplateSummary, name: string) => Promise<void>;
  duplicate: (template: TemplateSummary) => Promise<void>;
  archive: (template: TemplateSummary) => Promise<void>;
  restore: (template: TemplateSummary) => Promise<void>;
}

/** Creates the actions. Each action updates the lists after the service accepts the change. */
export function createTemplateActions(
  service: Service,
  { used, archived }: { used: TemplateList; archived: TemplateList },
  open: (uid: string) => void,
): TemplateActions {
  const { client } = service;
  const restore = async (template: TemplateSummary): Promise<void> => {
    try {
      await client.restoreTemplate(template.uid);
      archived.remove(template.uid);
      used.put(template);
      notify(`Restored ${template.name}, links and all.`);
    } catch (error) {
      notifyError(`${template.name} was not restored`, error);
    }
  };
  return {
    open,
    restore,
    async rename(template, name) {
      try {
        const { cid, version } = await client.getTemplate(template.uid);
        const document = await client.getTemplateDocument(template.uid);
        await client.updateTemplate(template.uid, { ...document, name }, { cid });
        used.put({ ...template, name, state: version === null ? 'draft' : 'changed' });
        // A published template is listed under its published name.
        if (version !== null) notify(`Renamed the draft; publish ${name} to make it public.`);
      } catch (error) {
        notifyError(`${template.name} was not renamed`, error);
      }
    },
    async duplicate(template) {
      try {
        const { uid } = await client.duplicateTemplate(template.uid, {
          name: freeName(template.name, used.templates.value),
        });
        used.put(await client.getTemplate(uid));
        const action = { label: 'Open', run: () => open(uid) };
        notify(`Duplicated ${template.name}.`, { action });
      } catch (error) {
        notifyError(`${template.name} was not duplicated`, error);
      }
    },
    async archive(template) {
      try {
        await client.archiveTemplate(template.uid);
        used.remove(template.uid);
        archived.put(template);
        const action = { label: 'Undo', run: () => void restore(template) };
        notify(`Archived ${template.name}; its links stop showing an image.`, { action });
      } catch (error) {
        notifyError(`${template.name} was not archived`, error);
      }
    },
  };
}
