/** All templates of the organization, page by page, to be searched and sorted here. */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PlatenClient, TemplateSummary } from '../../client/platen-client.ts';
import { explainError } from '../state/explain-error.ts';

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
  /** Reads all pages anew; what is shown stays until then. */
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
    const own = new AbortController();
    loading = own;
    state.value = 'loading';
    const isFirst = templates.value.length === 0;
    try {
      const found = await readPages(client, archived, own.signal, (some) => {
        if (isFirst && !own.signal.aborted) templates.value = some;
      });
      if (own.signal.aborted) return;
      templates.value = found;
      problem.value = undefined;
      state.value = 'ready';
    } catch (error) {
      if (own.signal.aborted) return;
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

/** Those whose name or uid holds every word of the search, in order. */
export function arrangeTemplates(
  templates: readonly TemplateSummary[],
  search: string,
  order: TemplateOrder,
): TemplateSummary[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  const found = templates.filter(({ name, uid }) => {
    const text = `${folded(name)} ${uid.toLowerCase()}`;
    return words.every((word) => text.includes(word));
  });
  const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return found.toSorted((a, b) => {
    if (order === 'name') return names.compare(a.name, b.name);
    const key = order === 'created' ? 'created_at' : 'updated_at';
    return Number(a[key] < b[key]) - Number(a[key] > b[key]);
  });
}

/** Without case and accents: `zoe` finds `Zoë`. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
