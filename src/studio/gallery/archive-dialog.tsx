/** The question before published templates are archived. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { Dialog } from '../dialog.tsx';
import type { Service } from '../state/service.ts';
import { fullTime, timeAgo } from '../wording.ts';
import { countOf, forEachOf } from './many-templates.ts';

/** Templates listed at most; the rest are counted. */
const listedMax = 10;

interface ArchiveDialogProps {
  service: Service;
  /** At least one of them is published. */
  templates: readonly TemplateSummary[];
  close: () => void;
  archive: () => void;
}

/** Explains the effect of archiving, and shows when links last showed an image. */
export function ArchiveDialog({
  service,
  templates,
  close,
  archive,
}: ArchiveDialogProps): VNode | null {
  const published = templates.filter(({ version }) => version !== null);
  const [first] = published;
  if (first === undefined) return null;
  const isOne = templates.length === 1;
  return (
    <Dialog
      title={`Archive ${isOne ? first.name : countOf(templates.length)}?`}
      className="archive-dialog"
      close={close}
    >
      <p>
        {isOne
          ? 'It is published. Its links stop showing an image at once, also in emails that were sent. Restoring it restores them.'
          : `Published of these: ${published.length}. Their links stop showing an image at once, also in emails that were sent. Restoring them restores the links.`}
      </p>
      <LastUses service={service} published={published} isOne={isOne} />
      <div class="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={archive}>
          Archive
        </button>
      </div>
    </Dialog>
  );
}

interface Use {
  template: TemplateSummary;
  /** Time of the last image, ISO 8601; null without one, undefined if the service did not answer. */
  lastAt: string | null | undefined;
}

interface LastUsesProps {
  service: Service;
  published: readonly TemplateSummary[];
  isOne: boolean;
}

/** The time of the last image of each published template, the most recent first. */
function LastUses({ service, published, isOne }: LastUsesProps): VNode {
  const [read, setRead] = useState<readonly Use[] | undefined>(undefined);
  useEffect(() => {
    const closing = new AbortController();
    void readUses(service, published, closing.signal).then(setRead);
    return () => closing.abort();
  }, []);
  if (isOne) return <p role="status">{read?.[0] && <LastUse lastAt={read[0].lastAt} />}</p>;
  // The rows stand before the times come, so that the buttons below keep their position.
  const uses = read ?? published.map((template) => ({ template, lastAt: undefined }));
  return (
    <div class="last-uses" role="status" aria-busy={read === undefined}>
      <p>A link of each last showed an image:</p>
      <ul>
        {uses.slice(0, listedMax).map(({ template: { uid, name }, lastAt }) => (
          <li key={uid}>
            <span title={name} dir="auto">
              {name}
            </span>
            {read === undefined ? '…' : <Ago lastAt={lastAt} />}
          </li>
        ))}
      </ul>
      {uses.length > listedMax && <p class="soft">and {uses.length - listedMax} more</p>}
    </div>
  );
}

function LastUse({ lastAt }: Pick<Use, 'lastAt'>): VNode {
  if (lastAt === undefined) return <>When a link last showed an image is not known.</>;
  if (lastAt === null) return <>No link has shown an image yet.</>;
  return (
    <>
      A link last showed an image {timeAgo(lastAt, Date.now())},{' '}
      <time dateTime={lastAt}>{fullTime(lastAt)}</time>.
    </>
  );
}

function Ago({ lastAt }: Pick<Use, 'lastAt'>): VNode {
  if (lastAt === undefined) return <>not known</>;
  if (lastAt === null) return <>never</>;
  return (
    <time dateTime={lastAt} title={fullTime(lastAt)}>
      {timeAgo(lastAt, Date.now())}
    </time>
  );
}

/** Returns the most recent first, then the unknown ones, then those without an image. Never rejects. */
async function readUses(
  { client }: Service,
  published: readonly TemplateSummary[],
  signal: AbortSignal,
): Promise<Use[]> {
  const uses: Use[] = [];
  await forEachOf(published, async (template) => {
    const call = { path: { uid: template.uid }, signal };
    const answer = await client
      .request('GET /v1/templates/{uid}/statistics', call)
      .catch(() => undefined);
    uses.push({ template, lastAt: answer?.last_image_at });
  });
  const rank = ({ lastAt }: Use): string => (lastAt === null ? '' : (lastAt ?? '0'));
  return uses.toSorted((one, other) => rank(other).localeCompare(rank(one)));
}
