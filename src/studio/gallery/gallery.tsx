/** The gallery: every template of the organization as its own image, and the ways to begin a new one. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Service } from '../state/service.ts';
import { createTemplateActions, arrangeTemplates, createTemplateList } from './template-list.ts';
import { TemplateCard } from './template-card.tsx';
import type { NewTemplateProps } from './new-template.tsx';
import type { TemplateList, TemplateOrder } from './template-list.ts';
import { Dialog } from '../dialog.tsx';
import { NotLoaded, useCode } from '../lazy-code.tsx';
import { campaignsHash, openTemplate, signOut } from '../session.tsx';
import type { Session } from '../session.tsx';

/** Cards that are added at a time. */
const stepCards = 60;

/** What the gallery needs. */
export interface GalleryProps {
  service: Service;
  /** Opens a template in the editor. */
  open: (uid: string) => void;
}

/** What is looked at. */
interface GalleryView {
  tab: 'used' | 'archived';
  search: string;
  order: TemplateOrder;
  /** Cards that are shown. */
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
  const { tab, search, order, cardsMax } = view;
  const list = lists[tab];
  useEffect(() => keepFresh(list), [list]);
  const actions = useMemo(
    () => createTemplateActions(service, lists, open),
    [service, lists, open],
  );
  const found = arrangeTemplates(list.templates.value, search, order);
  return (
    <main class="gallery" id="main">
      <Head view={view} change={setView} begin={() => setBeginning(true)} />
      <Messages list={list} found={found.length} search={search} tab={tab} />
      <ul class="template-grid" aria-busy={list.state.value === 'loading'}>
        {found.slice(0, cardsMax).map((template) => (
          <TemplateCard
            key={template.uid}
            service={service}
            template={template}
            isArchived={tab === 'archived'}
            actions={actions}
          />
        ))}
      </ul>
      {found.length > cardsMax && (
        <button
          type="button"
          class="more"
          onClick={() => setView({ ...view, cardsMax: cardsMax + stepCards })}
        >
          Show more ({found.length - cardsMax})
        </button>
      )}
      {isBeginning && (
        <LazyNewTemplate
          service={service}
          templates={arrangeTemplates(lists.used.templates.value, '', 'changed')}
          open={open}
          close={() => setBeginning(false)}
        />
      )}
    </main>
  );
}

async function loadNewTemplate(): Promise<typeof import('./new-template.tsx')> {
  return import('./new-template.tsx');
}

function LazyNewTemplate(props: NewTemplateProps): VNode | null {
  const code = useCode(loadNewTemplate);
  if (code === undefined) return null;
  if (code !== 'failed') return <code.NewTemplate {...props} />;
  return (
    <Dialog title="New template" close={props.close}>
      <NotLoaded />
    </Dialog>
  );
}

/** Milliseconds in which the draft of an editor that was just left is saved. */
const saveMs = 1500;

/** Reads the list now, once more when a draft that was left is saved, and whenever the tab is looked at again. */
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

const firstView: GalleryView = { tab: 'used', search: '', order: 'changed', cardsMax: stepCards };

interface HeadProps {
  view: GalleryView;
  change: (view: GalleryView) => void;
  begin: () => void;
}

function Head({ view, change, begin }: HeadProps): VNode {
  const set = (facts: Partial<GalleryView>): void =>
    change({ ...view, cardsMax: stepCards, ...facts });
  const tab = (id: GalleryView['tab'], label: string): VNode => (
    <button type="button" aria-pressed={view.tab === id} onClick={() => set({ tab: id })}>
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

interface MessagesProps {
  list: TemplateList;
  found: number;
  search: string;
  tab: GalleryView['tab'];
}

/** Why there is nothing to see, and what to do. */
function Messages({ list, found, search, tab }: MessagesProps): VNode | null {
  const { state, problem, templates } = list;
  if (state.value === 'failed') {
    return (
      <p class="problem" role="alert">
        The templates cannot be listed. {problem.value}
        <button type="button" onClick={() => void list.load()}>
          Try again
        </button>
      </p>
    );
  }
  if (found > 0) return null;
  if (state.value === 'loading')
    return (
      <p class="gallery-empty" role="status">
        Loading …
      </p>
    );
  if (templates.value.length > 0) {
    return (
      <p class="gallery-empty" role="status">
        No template is called “{search}”.
      </p>
    );
  }
  return (
    <p class="gallery-empty" role="status">
      {tab === 'archived'
        ? 'Nothing is archived. What you archive stays here, and can be restored with its links.'
        : 'No templates yet. Begin with a sample, a blank one, or an image.'}
    </p>
  );
}

/** All templates of the organization. */
export function GalleryPage({ session }: { session: Session }): VNode {
  return (
    <div class="gallery-page">
      <header class="top-bar">
        <a class="home wordmark" href="./">
          <img src="pages/mark.svg" alt="" width="24" height="24" />
          Platen Studio
        </a>
        <span class="bar-space" />
        <a class="quiet-button" href={campaignsHash}>
          Campaigns
        </a>
        <span class="soft">{session.organization}</span>
        <a class="quiet-button" href="docs">
          API
        </a>
        <button type="button" class="quiet-button" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      <Gallery service={session.service} open={openTemplate} />
    </div>
  );
}
