/** Marks of layers with open comments in the list of layers. */
import type { VNode } from 'preact';
import type { Editor } from '../state/editor.ts';
import { commentsOf, countOfComments, showComments } from './comments.ts';

interface RowMarkProps {
  editor: Editor;
  layer: string;
  name: string;
  /** Whether Tab reaches the mark. */
  isFocusable: boolean;
}

/** Number of open comments of a layer. Renders nothing without comments. */
export function RowMark({ editor, layer, name, isFocusable }: RowMarkProps): VNode | null {
  const count = commentsOf(editor).open.value.get(layer) ?? 0;
  if (count === 0) return null;
  const label = `${countOfComments(count)} on ${name}`;
  return (
    <button
      type="button"
      class="p-tool comment-count"
      tabindex={isFocusable ? 0 : -1}
      aria-label={label}
      title={label}
      // An attribute, because text in the row would not match its accessible name.
      data-count={count}
      onClick={() => showComments(editor, layer)}
    />
  );
}
