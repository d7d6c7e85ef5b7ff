/** The cross of buttons that close. */
import type { VNode } from 'preact';

/** A cross, 16 px. */
export function CrossIcon(): VNode {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M4 4l8 8M12 4l-8 8" fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
