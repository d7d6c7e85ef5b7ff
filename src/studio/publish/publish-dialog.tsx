/** The publish dialog: the changes, the public link, the access to links, the versions, and the statistics of links. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Dialog } from '../dialog.tsx';
import type { Template } from '#language/schema/template.ts';
import type { SampleSets } from '../samples/sample-sets.ts';
import type { Editor } from '../state/editor.ts';
import { AccessForm } from './access/access-form.tsx';
import { Review } from './review.tsx';
import { Share } from './share.tsx';
import { withAccess } from './access/read-published.ts';
import { StatisticsView } from './statistics.tsx';
import { usePublished } from './use-published.ts';
import { VersionList } from './version-list.tsx';
import { failureWords } from '../problem-words.ts';
import { explainError } from '../wording.ts';

export interface PublishDialogProps {
  editor: Editor;
  sets: SampleSets;
  /** The page of the dialog that is shown first. */
  first: PublishPage;
  close: () => void;
}

const pageNames = {
  changes: 'Changes',
  link: 'Link',
  access: 'Access',
  versions: 'Versions',
  statistics: 'Statistics',
} as const;

/** An embedded studio has no pages for links, access and statistics: the page around the frame has them. */
const embeddedPageNames = { changes: pageNames.changes, versions: pageNames.versions };

type PublishPage = keyof typeof pageNames;

/** Saves the draft first, because the service publishes its saved draft. */
export function PublishDialog({ editor, sets, first, close }: PublishDialogProps): VNode {
  const [page, setPage] = useState<PublishPage>(first);
  const draft = useSavedDraft(editor);
  const [news, setNews] = useState<string | undefined>(undefined);
  const { published, problem } = usePublished(editor);
  // The conflict dialog asks which draft stays.
  const isConflict = editor.saveState.value === 'conflict';
  useEffect(() => {
    if (isConflict) close();
  }, [isConflict]);
  const isEmbedded = editor.service.embed !== undefined;
  const show = (id: string): void => {
    editor.selection.value = [id];
    close();
  };
  const pages = useRef<HTMLDivElement>(null);
  const onPublished = (version: number): void => {
    // The pressed button disappears.
    pages.current?.focus();
    setNews(`Version ${version} is public.`);
    if (!isEmbedded) setPage('link');
  };
  const blocked = draft === undefined ? undefined : saveProblem(editor);
  const content = (): VNode => {
    if (page === 'versions')
      return <VersionList editor={editor} onPublished={onPublished} onTaken={close} />;
    if (page === 'access') return <AccessForm editor={editor} />;
    if (page === 'statistics') return <StatisticsView service={editor.service} uid={editor.uid} />;
    if (blocked !== undefined && page === 'changes') return <Problem text={blocked} />;
    if (problem !== undefined) return <Problem text={problem} />;
    if (draft === undefined || published === undefined) return <Saving />;
    if (page === 'link' && published !== null)
      return <LinkPage editor={editor} published={published} />;
    return (
      <Review
        editor={editor}
        sets={sets}
        draft={draft}
        published={published ?? undefined}
        onPublished={onPublished}
        show={show}
      />
    );
  };
  return (
    <Dialog title={first === 'link' ? 'Share' : 'Publish'} className="publish-dialog" close={close}>
      <div class="publish-pages" ref={pages} tabindex={-1}>
        <PageTabs editor={editor} page={page} setPage={setPage} />
        {news !== undefined && (
          <p class="news" role="status">
            {news}
          </p>
        )}
      </div>
      {content()}
    </Dialog>
  );
}

interface PageTabsProps {
  editor: Editor;
  page: PublishPage;
  setPage: (page: PublishPage) => void;
}

function PageTabs({ editor: { service, publishedVersion }, page, setPage }: PageTabsProps): VNode {
  const names = service.embed === undefined ? pageNames : embeddedPageNames;
  return (
    <div class="segments" role="group" aria-label="What to see">
      {Object.entries(names).map(([id, name]) => (
        <button
          type="button"
          aria-pressed={page === id}
          disabled={!['changes', 'access'].includes(id) && publishedVersion.value === null}
          onClick={() => setPage(id as PublishPage)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** Shows the link after the access is read, which says what it needs. */
function LinkPage({ editor, published }: { editor: Editor; published: Template }): VNode {
  const { service, uid } = editor;
  const [linked, setLinked] = useState<Template | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const running = new AbortController();
    withAccess(published, service, uid, running).then(setLinked, (error: unknown) => {
      if (!running.signal.aborted) setProblem(explainError(error));
    });
    return () => running.abort();
  }, [published]);
  if (problem !== undefined) return <Problem text={problem} />;
  if (linked !== undefined) return <Share editor={editor} published={linked} />;
  return (
    <p class="soft" role="status">
      Loading …
    </p>
  );
}

/** Saves the draft, and returns it without unfinished values; undefined until then. */
function useSavedDraft(editor: Editor): Template | undefined {
  const [draft, setDraft] = useState<Template | undefined>(undefined);
  useEffect(() => {
    void editor.save().then(async () => setDraft(await editor.validCopy('whole')));
  }, [editor, editor.whole.value]);
  return draft;
}

function Saving(): VNode {
  return (
    <p class="soft" role="status">
      Saving the draft …
    </p>
  );
}

function Problem({ text }: { text: string }): VNode {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** Explains why the draft is not saved and what to do; undefined if it is saved. */
function saveProblem({ saveState, refusal, whole }: Editor): string | undefined {
  const why = refusal.value === undefined ? '' : failureWords(refusal.value, whole.value);
  switch (saveState.value) {
    case 'refused':
      return `The service does not take the draft. ${why}`;
    case 'offline':
      return 'The service does not answer, so the draft is not saved. Try again in a moment.';
    default:
      return undefined;
  }
}
