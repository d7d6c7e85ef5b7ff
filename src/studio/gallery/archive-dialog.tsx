/** The question before published templates are archived. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { Dialog } from '../dialog.tsx';
import type { Service } from '../state/service.ts';
import { fullTime, timeAgo } from '../wording.ts';
import { countOf } from './many-templates.ts';

interface ArchiveDialogProps {
  service: Service;
  /** At least one of them is published. */
  templates: readonly TemplateSummary[];
  close: () => void;
  archive: () => void;
}

/** Explains the effect of archiving. Of one template it shows when a link last showed an image. */
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
          ? 'It is published. Its links answer 404 at once, also in emails that were sent. Restoring it restores them.'
          : `Published of these: ${published.length}. Their links answer 404 at once, also in emails that were sent. Restoring them restores the links.`}
      </p>
      {isOne && <LastUse service={service} uid={first.uid} />}
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

function LastUse({ service, uid }: { service: Service; uid: string }): VNode {
  const [lastAt, setLastAt] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    service.client.request('GET /v1/templates/{uid}/statistics', { path: { uid } }).then(
      ({ last_image_at: last }) => setLastAt(last),
      // The dialog works without the time of the last image.
      () => undefined,
    );
  }, []);
  return (
    <p role="status">
      {lastAt === null && 'No link has shown an image yet.'}
      {typeof lastAt === 'string' && (
        <>
          A link last showed an image {timeAgo(lastAt, Date.now())},{' '}
          <time dateTime={lastAt}>{fullTime(lastAt)}</time>.
        </>
      )}
    </p>
  );
}
