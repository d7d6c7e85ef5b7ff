/** A small button with a drawing, as the studio's bars have them. */
import type { VNode } from 'preact';

export interface IconButtonProps {
  /** What it does, read out and shown when the pointer rests on it. */
  name: string;
  /** SVG path data of strokes in a square of 16. */
  path: string;
  isOff?: boolean;
  run: () => void;
}

export function IconButton({ name, path, isOff = false, run }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="icon"
      aria-label={name}
      title={name}
      disabled={isOff}
      onClick={run}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}
