/** All templates of the organization, page by page, to be searched and sorted here. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PlatenClient, TemplateSummary } from '../../client/platen-client.ts';
import { explainError, notify, notifyError } from '../wording.ts';
import type { Service } from '../state/service.ts';

/** Templates of a page (the service's most). */
const pageTemplates = 100;

/** Pages that are read at most: 10,000 templates, 3 MB. */
const pagesMax = 100;

/** What the gallery shows of them. */
export interface TemplateList {
  readonly templates: ReadonlySignal<readonly TemplateSummary[]>;
  /** `loading` until the last page is there; what has come shows before. */
  readonly state: ReadonlySignal<'loading' | 'ready' | 'failed'>;
  /** Why it failed, and what to do. */
  readonly problem: ReadonlySignal<string | undefined>;
  /** Reads all pages again; the shown list stays until then. */
  load(): Promise<void>;
  /** Puts a template first, or takes its new state. */
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
  /** Pages that are on their way may be older than what was done just now. */
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

/** A template that moves to the next page meanwhile comes twice, and is kept once. */
async function readPages(
  client: Pick<PlatenClient, 'listTemplates'>,
  archived: boolean,
  ended: AbortSignal,
  onPage: (templates: TemplateSummary[]) => void,
): Promise<TemplateSummary[]> {
  const found = new Map<string, TemplateSummary>();
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { limit: pageTemplates, offset: page * pageTemplates, archived };
    const { templates } = await client.listTemplates(query, { signal: ended });
    for (const template of templates) found.set(template.uid, template);
    onPage([...found.values()]);
    if (templates.length < pageTemplates) break;
  }
  return [...found.values()];
}

/** How templates are sorted. */
export type TemplateOrder = 'changed' | 'created' | 'name';

/** Those whose name, uid, folder and tags hold every word of the search, in order. */
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

/** Whether a text holds every word of a search. */
export function holdsWords(text: string, search: string): boolean {
  const whole = folded(text);
  return folded(search)
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** Without case and accents: `zoe` finds `Zoë`. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

// Actions on a template of the gallery, and the notices that follow.

/** The actions of a card. None rejects: a notice says what went wrong. */
export interface TemplateActions {
  open: (uid: string) => void;
  /** Resolves when the new name is saved. */
  rename: (template: TemplateSummary, name: string) => Promise<void>;
  duplicate: (template: TemplateSummary) => Promise<void>;
  archive: (template: TemplateSummary) => Promise<void>;
  restore: (template: TemplateSummary) => Promise<void>;
}

/** The name of a copy, within the format's limit. */
export function copyName(name: string): string {
  return `${name.slice(0, 190)} (copy)`;
}

/** Makes the actions; each keeps both lists as the service has them. */
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
          name: copyName(template.name),
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
        notify(`Archived ${template.name}; its links answer 404.`, { action });
      } catch (error) {
        notifyError(`${template.name} was not archived`, error);
      }
    },
  };
}
