/** The question before a published template is archived. */
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { Dialog } from '../dialog.tsx';
import type { Service } from '../state/service.ts';
import { fullTime, timeAgo } from '../wording.ts';

interface ArchiveDialogProps {
  service: Service;
  template: TemplateSummary;
  close: () => void;
  archive: () => void;
}

/** Explains the effect of archiving, and shows when a link last showed an image. */
export function ArchiveDialog({ service, template, close, archive }: ArchiveDialogProps): VNode {
  const [lastAt, setLastAt] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    const call = { path: { uid: template.uid } };
    service.client.request('GET /v1/templates/{uid}/statistics', call).then(
      ({ last_image_at: last }) => setLastAt(last),
      // The dialog works without the time of the last image.
      () => undefined,
    );
  }, []);
  return (
    <Dialog title={`Archive ${template.name}?`} className="archive-dialog" close={close}>
      <p>
        It is published. Its links answer 404 at once, also in emails that were sent. Restoring it
        restores them.
      </p>
      <p role="status">
        {lastAt === null && 'No link has shown an image yet.'}
        {typeof lastAt === 'string' && (
          <>
            A link last showed an image {timeAgo(lastAt, Date.now())},{' '}
            <time dateTime={lastAt}>{fullTime(lastAt)}</time>.
          </>
        )}
      </p>
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
