/** Shows the short messages of `state/notices.ts` in a corner, and reads them out. */
import type { VNode } from 'preact';
import { CrossIcon } from './cross-icon.tsx';
import { dismissNotice, notices } from './state/notices.ts';

/** The messages, the newest at the bottom. */
export function NoticeList(): VNode {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, message, action }) => (
        <div class={`notice ${kind}`} key={id}>
          <p>{message}</p>
          {action === undefined ? null : (
            <button
              type="button"
              onClick={() => {
                dismissNotice(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="icon" aria-label="Dismiss" onClick={() => dismissNotice(id)}>
            <CrossIcon />
          </button>
        </div>
      ))}
    </div>
  );
}
