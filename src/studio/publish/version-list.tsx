/** Lists the published versions with image, note and date, and the actions to return to one. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { VersionList as VersionPage } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { Thumbnail } from '../gallery/thumbnail.tsx';
import { pathWords } from '../panels/fields/labels.ts';
import { fullTime, timeAgo, explainError } from '../wording.ts';
import type { Editor } from '../state/editor.ts';
import { LostSizes } from './lost-sizes.tsx';
import { diffDocuments } from './differences.ts';

type Version = VersionPage['versions'][number];

export interface VersionListProps {
  editor: Editor;
  /** Called with the new version number after an old version was published again. */
  onPublished: (version: number) => void;
  /** Called after the draft was replaced by the document of a version. */
  onTaken: () => void;
}

/** Lists the newest version first. The service returns at most 100 versions. */
export function VersionList({ editor, onPublished, onTaken }: VersionListProps): VNode {
  const { service, uid } = editor;
  const current = editor.publishedVersion.value;
  const [page, setPage] = useState<VersionPage | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const attempt = async (call: () => Promise<void>): Promise<void> => {
    try {
      setProblem(undefined);
      await call();
    } catch (error) {
      setProblem(explainError(error));
    }
  };
  useEffect(
    () => void attempt(async () => setPage(await service.client.listTemplateVersions(uid))),
    [current],
  );
  const rollBack = ({ version }: Version): Promise<void> =>
    attempt(async () => {
      const note = `Back to version ${version}`;
      const published = await service.client.publishTemplate(uid, { version, note });
      editor.publishedVersion.value = published.version;
      onPublished(published.version);
    });
  const take = ({ version }: Version): Promise<void> =>
    attempt(async () => {
      const document = await service.client.getTemplateDocument(uid, { version });
      editor.changeWhole(`Take version ${version}`, (draft) =>
        replaceDocument(draft, document as unknown as Template),
      );
      onTaken();
    });
  return (
    <div class="versions">
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {page === undefined && problem === undefined && (
        <p class="soft" role="status">
          Loading …
        </p>
      )}
      {page?.total === 0 && <p class="soft">There is no published version yet.</p>}
      <ul class="version-list">
        {page?.versions.map((each) => (
          <VersionItem
            key={each.version}
            editor={editor}
            item={each}
            isCurrent={each.version === current}
            rollBack={() => rollBack(each)}
            take={() => take(each)}
          />
        ))}
      </ul>
      {page !== undefined && page.total > page.versions.length && (
        <p class="soft">and {page.total - page.versions.length} older ones</p>
      )}
    </div>
  );
}

interface VersionItemProps {
  editor: Editor;
  item: Version;
  isCurrent: boolean;
  rollBack: () => Promise<void>;
  take: () => Promise<void>;
}

function VersionItem({ editor, item, isCurrent, rollBack, take }: VersionItemProps): VNode {
  const { version, note, published_at: publishedAt } = item;
  const { service, uid } = editor;
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const run = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await act();
    setBusy(false);
    setAsking(false);
  };
  const draw = (signal: AbortSignal): ReturnType<typeof service.client.preview> =>
    // JPEG, because the service refuses WebP for the largest canvases.
    service.client.preview({ uid, version, format: 'jpeg', quality: 70 }, { signal });
  const edit = (
    <button
      type="button"
      disabled={isBusy}
      onClick={() => void run(take)}
      aria-label={`Edit this one, version ${version}`}
    >
      Edit this one
    </button>
  );
  const choices = isAsking ? (
    <RollBack
      editor={editor}
      version={version}
      isBusy={isBusy}
      publish={() => void run(rollBack)}
      cancel={() => setAsking(false)}
    />
  ) : (
    <>
      <button
        type="button"
        onClick={() => setAsking(true)}
        aria-label={`Roll back to version ${version}`}
      >
        Roll back
      </button>
      {edit}
    </>
  );
  return (
    <li class="version-item" data-version={version}>
      <Thumbnail imageKey={`${uid} version ${version}`} draw={draw} alt="" />
      <div>
        <h3>
          Version {version} {isCurrent && <span class="badge">published</span>}
        </h3>
        <p class="soft" title={fullTime(publishedAt)}>
          {timeAgo(publishedAt, Date.now())}, {fullTime(publishedAt)}
        </p>
        {note !== '' && (
          <p class="version-note" dir="auto">
            {note}
          </p>
        )}
      </div>
      <div class="version-actions">{isCurrent && !isAsking ? edit : choices}</div>
    </li>
  );
}

interface RollBackProps {
  editor: Editor;
  version: number;
  isBusy: boolean;
  publish: () => void;
  cancel: () => void;
}

/** Asks before a version is published again. Nobody can publish it before what links lose is shown. */
function RollBack({ editor, version, isBusy, publish, cancel }: RollBackProps): VNode {
  const { documents, problem, read } = useTwoVersions(editor, version);
  return (
    <>
      {documents !== undefined && <LostSizes now={documents[0]} then={documents[1]} />}
      <p>Links show version {version} again at once; the draft stays as it is.</p>
      {documents !== undefined && <SettingsChange documents={documents} />}
      {documents === undefined && problem === undefined && (
        <p class="soft" role="status">
          Comparing it with the published version …
        </p>
      )}
      {problem !== undefined && (
        <>
          <p class="problem" role="alert">
            What changes cannot be read: {problem}
          </p>
          <button type="button" onClick={read}>
            Read again
          </button>
        </>
      )}
      <button
        type="button"
        class="primary"
        disabled={isBusy || documents === undefined}
        onClick={publish}
      >
        Publish version {version} again
      </button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </>
  );
}

/** The documents of the published version and of another one. */
type TwoVersions = readonly [now: Template, then: Template];

interface TwoVersionsRead {
  /** Undefined until both documents are read. */
  documents: TwoVersions | undefined;
  /** The reason why a document could not be read. */
  problem: string | undefined;
  /** Reads both documents again. */
  read: () => void;
}

const unread = { documents: undefined, problem: undefined };

function useTwoVersions(
  { service, uid, publishedVersion }: Editor,
  version: number,
): TwoVersionsRead {
  const current = publishedVersion.value ?? version;
  const [attempt, setAttempt] = useState(0);
  const [result, setResult] = useState<Pick<TwoVersionsRead, 'documents' | 'problem'>>(unread);
  useEffect(() => {
    const running = new AbortController();
    const { signal } = running;
    const readOne = async (wanted: number): Promise<Template> => {
      const query = { version: wanted };
      const document = await service.client.getTemplateDocument(uid, query, { signal });
      return document as unknown as Template;
    };
    const readBoth = async (): Promise<void> => {
      setResult(unread);
      try {
        const documents = await Promise.all([readOne(current), readOne(version)]);
        if (!signal.aborted) setResult({ documents, problem: undefined });
      } catch (error) {
        if (!signal.aborted) setResult({ documents: undefined, problem: explainError(error) });
      }
    };
    void readBoth();
    return () => running.abort();
  }, [current, version, attempt]);
  return { ...result, read: () => setAttempt(attempt + 1) };
}

/** Lists the settings of the template that change. */
function SettingsChange({ documents: [now, then] }: { documents: TwoVersions }): VNode | null {
  const settings = diffDocuments(now, then)
    .filter(({ subject }) => subject === 'document')
    .flatMap(({ properties }) => properties.map(({ path }) => pathWords(path)));
  if (settings.length === 0) return null;
  return <p class="soft">Settings that change: {settings.join(', ')}.</p>;
}

/** Puts another document into a draft, property by property. */
function replaceDocument(draft: Template, document: Template): void {
  for (const key of Object.keys(draft)) delete (draft as Record<string, unknown>)[key];
  Object.assign(draft, document);
}
