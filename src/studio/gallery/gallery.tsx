/** The gallery: every template of the organization as its own image, and the ways to begin a new one. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Service } from '../state/service.ts';
import { offerCommands } from '../palette/commands.ts';
import type { Command } from '../palette/commands.ts';
import { Messages } from './messages.tsx';
import { createTemplateActions, arrangeTemplates, createTemplateList } from './template-list.ts';
import { filterTemplates, LabelFilters, noFilters, StateFilter } from './filters.tsx';
import type { TemplateFilters } from './filters.tsx';
import { createManyActions } from './many-templates.ts';
import { TemplateCard } from './template-card.tsx';
import type { TemplateCardProps } from './template-card.tsx';
import type { TemplateSummary } from '../../client/platen-client.ts';
import type { TemplateList, TemplateOrder } from './template-list.ts';
import { later, laterDialog } from '../later-part.tsx';
import { PageBar } from '../page-frame.tsx';
import { openTemplate } from '../session.tsx';
import type { Session } from '../session.tsx';

/** Number of cards shown at first, and added by each `Show more`. */
const stepCards = 60;

export interface GalleryProps {
  service: Service;
  /** Opens a template in the editor. */
  open: (uid: string) => void;
}

/** The chosen tab, search, order and filters. */
interface GalleryView {
  tab: 'used' | 'archived';
  search: string;
  order: TemplateOrder;
  filters: TemplateFilters;
  /** Number of cards shown at most. */
  cardsMax: number;
}

/** The first screen after the sign-in. */
export function Gallery({ service, open }: GalleryProps): VNode {
  const lists = useMemo(
    () => ({
      used: createTemplateList(service.client, false),
      archived: createTemplateList(service.client, true),
    }),
    [service],
  );
  const [view, setView] = useState<GalleryView>(firstView);
  const [isBeginning, setBeginning] = useState(false);
  const begin = (): void => setBeginning(true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { tab, search, order, filters } = view;
  const list = lists[tab];
  useEffect(() => keepFresh(list), [list]);
  const actions = useMemo(
    () => createTemplateActions(service, lists, open),
    [service, lists, open],
  );
  useEffect(() => offerCommands(() => [newTemplate(begin)]), []);
  const many = useMemo(() => createManyActions(service, lists), [service, lists]);
  const all = list.templates.value;
  const found = filterTemplates(arrangeTemplates(all, search, order), filters);
  const selection = { chosen, choose: setChosen };
  const selected = found.filter(({ uid }) => chosen.has(uid));
  const show = (next: GalleryView): void => {
    setView(next);
    if (next.tab !== tab) setChosen(new Set());
  };
  return (
    <main class="gallery" id="main">
      <Head view={view} change={show} begin={begin} />
      <LabelFilters
        templates={all}
        filters={filters}
        change={(next) => setView({ ...view, cardsMax: stepCards, filters: next })}
      />
      <Messages list={list} found={found.length} {...{ search, tab, begin }} />
      <Cards
        isLoading={list.state.value === 'loading'}
        found={found}
        view={view}
        change={show}
        card={{ service, isArchived: tab === 'archived', actions, selection }}
      />
      {selected.length > 0 && (
        <SelectionBar
          service={service}
          selected={selected}
          templates={all}
          isArchived={tab === 'archived'}
          actions={many}
          selectAll={() => setChosen(new Set(found.map(({ uid }) => uid)))}
          clear={() => setChosen(new Set())}
        />
      )}
      {isBeginning && (
        <NewTemplate
          service={service}
          templates={arrangeTemplates(lists.used.templates.value, '', 'changed')}
          open={open}
          close={() => setBeginning(false)}
        />
      )}
    </main>
  );
}

interface CardsProps {
  isLoading: boolean;
  found: readonly TemplateSummary[];
  view: GalleryView;
  change: (view: GalleryView) => void;
  /** Properties of each card, without its template. */
  card: Omit<TemplateCardProps, 'template'>;
}

function Cards({ isLoading, found, view, change, card }: CardsProps): VNode {
  const { cardsMax } = view;
  return (
    <>
      <ul class="template-grid" aria-busy={isLoading}>
        {found.slice(0, cardsMax).map((template) => (
          <TemplateCard key={template.uid} template={template} {...card} />
        ))}
      </ul>
      {found.length > cardsMax && (
        <button
          type="button"
          class="more"
          onClick={() => change({ ...view, cardsMax: cardsMax + stepCards })}
        >
          Show more ({found.length - cardsMax})
        </button>
      )}
    </>
  );
}

function newTemplate(run: () => void): Command {
  return { id: 'new', kind: 'Action', name: 'New template', run };
}

const NewTemplate = laterDialog('New template', (code) => code.NewTemplate);
const SelectionBar = later((code) => code.SelectionBar);

/** Time allowed for saving the draft of an editor that was just left, in ms. */
const saveMs = 1500;

/** Loads the list now, again after `saveMs`, and whenever the browser tab becomes visible. Returns the cleanup. */
function keepFresh(list: TemplateList): () => void {
  const load = (): void => {
    if (!document.hidden) void list.load();
  };
  load();
  const timer = setTimeout(load, saveMs);
  document.addEventListener('visibilitychange', load);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', load);
    list.close();
  };
}

const firstView: GalleryView = {
  tab: 'used',
  search: '',
  order: 'changed',
  filters: noFilters,
  cardsMax: stepCards,
};

interface HeadProps {
  view: GalleryView;
  change: (view: GalleryView) => void;
  begin: () => void;
}

function Head({ view, change, begin }: HeadProps): VNode {
  const set = (facts: Partial<GalleryView>): void =>
    change({ ...view, cardsMax: stepCards, ...facts });
  const tab = (id: GalleryView['tab'], label: string): VNode => (
    <button
      type="button"
      aria-pressed={view.tab === id}
      onClick={() => set({ tab: id, filters: noFilters })}
    >
      {label}
    </button>
  );
  return (
    <header class="gallery-head">
      <h1>Templates</h1>
      <div class="gallery-tabs" role="group" aria-label="Which templates">
        {tab('used', 'In use')} {tab('archived', 'Archived')}
      </div>
      <input
        type="search"
        aria-label="Search by name or uid"
        placeholder="Search by name or uid"
        value={view.search}
        onInput={(event) => set({ search: event.currentTarget.value })}
      />
      {view.tab === 'used' && (
        <StateFilter filters={view.filters} change={(filters) => set({ filters })} />
      )}
      <select
        aria-label="Sort by"
        value={view.order}
        onChange={(event) => set({ order: event.currentTarget.value as TemplateOrder })}
      >
        <option value="changed">Last change</option>
        <option value="created">Newest</option>
        <option value="name">Name</option>
      </select>
      <button type="button" class="primary" onClick={begin}>
        New template
      </button>
    </header>
  );
}

/** All templates of the organization. */
export function GalleryPage({ session }: { session: Session }): VNode {
  return (
    <div class="gallery-page">
      <PageBar home="./" organization={session.organization} />
      <Gallery service={session.service} open={openTemplate} />
    </div>
  );
}
