/** Comments of the selected layer or of all layers, with a field for a new one. Loaded on first use. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Comment } from '../../client/platen-client.ts';
import { behindFrame } from '../panels/behind-frame.ts';
import type { Editor } from '../state/editor.ts';
import { findLayer, nameOf } from '../state/layers.ts';
import { fullTime, timeAgo } from '../wording.ts';
import { commentsOf } from './comments.ts';

/** Maximum length of a comment in characters, as in the service. */
const textLengthMax = 2000;

/** Lists open comments first, then resolved ones, each by time. */
export function CommentsPanel({ editor }: { editor: Editor }): VNode {
  const [selected, ...others] = editor.selection.value;
  const layer = others.length === 0 ? selected : undefined;
  const { list } = commentsOf(editor);
  const shown = list.value.filter((comment) => layer === undefined || comment.layer === layer);
  const open = shown.filter(({ resolved_at: resolvedAt }) => resolvedAt === null);
  const resolved = shown.filter(({ resolved_at: resolvedAt }) => resolvedAt !== null);
  return (
    <section class="panel comments" aria-label="Comments" tabindex={-1}>
      <header class="p-panel-head">
        <h2>{layer === undefined ? 'All comments' : `On ${layerName(editor, layer)}`}</h2>
      </header>
      {layer === undefined ? (
        <p class="p-note">Select a layer to comment on it.</p>
      ) : (
        <NewComment key={layer} editor={editor} layer={layer} />
      )}
      <Thread editor={editor} comments={open} isNamed={layer === undefined} />
      {resolved.length > 0 && (
        <details>
          <summary>Resolved ({resolved.length})</summary>
          <Thread editor={editor} comments={resolved} isNamed={layer === undefined} />
        </details>
      )}
    </section>
  );
}

/** Name of a layer. A deleted layer shows its id, because an undo may restore it. */
function layerName(editor: Editor, id: string): string {
  const layer = findLayer(behindFrame(editor).document.value, id);
  return layer === undefined ? `${id} (deleted)` : nameOf(layer);
}

function NewComment({ editor, layer }: { editor: Editor; layer: string }): VNode {
  const { isAsked, drafts } = commentsOf(editor);
  const [text, showText] = useState(drafts.get(layer) ?? '');
  const setText = (next: string): void => {
    drafts.set(layer, next);
    showText(next);
  };
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!isAsked.value) return;
    isAsked.value = false;
    field.current?.focus();
  }, [isAsked.value]);
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    if (await commentsOf(editor).add(layer, text.trim())) setText('');
    setBusy(false);
  };
  return (
    <form
      class="comment-new"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        aria-label="New comment"
        placeholder="Write a comment"
        rows={3}
        maxLength={textLengthMax}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          // Elsewhere these keys publish the template.
          event.preventDefault();
          void send();
        }}
      />
      <button type="submit" class="p-small" disabled={text.trim() === '' || isBusy}>
        Comment
      </button>
    </form>
  );
}

interface ThreadProps {
  editor: Editor;
  comments: readonly Comment[];
  /** Each comment shows the name of its layer. */
  isNamed: boolean;
}

function Thread({ editor, comments, isNamed }: ThreadProps): VNode {
  return (
    <ul class="comment-list">
      {comments.map((comment) => (
        <CommentItem key={comment.id} editor={editor} comment={comment} isNamed={isNamed} />
      ))}
    </ul>
  );
}

function CommentItem({
  editor,
  comment,
  isNamed,
}: {
  editor: Editor;
  comment: Comment;
  isNamed: boolean;
}): VNode {
  const { author, text, layer, created_at: createdAt } = comment;
  const select = (): void => {
    if (findLayer(editor.document.value, layer) !== undefined) editor.selection.value = [layer];
  };
  return (
    <li class="comment" data-comment={comment.id}>
      <p class="soft">
        <b>{author}</b> <time title={fullTime(createdAt)}>{timeAgo(createdAt, Date.now())}</time>
      </p>
      <p class="comment-text" dir="auto">
        {text}
      </p>
      <p class="comment-tools">
        {isNamed && (
          <button
            type="button"
            class="p-link"
            title={layerName(editor, layer)}
            dir="auto"
            onClick={select}
          >
            {layerName(editor, layer)}
          </button>
        )}
        <CommentTools editor={editor} comment={comment} />
      </p>
    </li>
  );
}

/** Resolves a comment, or deletes it after a question: the service cannot restore its author and its time. */
function CommentTools({ editor, comment }: { editor: Editor; comment: Comment }): VNode {
  const { resolved_at: resolvedAt } = comment;
  const comments = commentsOf(editor);
  const [asks, setAsks] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const hasAsked = useRef(false);
  useLayoutEffect(() => {
    // The pressed button is gone.
    if (asks || hasAsked.current) first.current?.focus();
    hasAsked.current = asks;
  }, [asks]);
  /** Escape closes the question alone; elsewhere the key ends the selection. */
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    setAsks(false);
  };
  if (asks) {
    return (
      <>
        <span>Delete it for everybody?</span>
        <button
          ref={first}
          type="button"
          class="p-link"
          onKeyDown={close}
          onClick={(event) => {
            event.currentTarget.closest<HTMLElement>('.comments')?.focus();
            void comments.remove(comment);
          }}
        >
          Delete
        </button>
        <button type="button" class="p-link" onKeyDown={close} onClick={() => setAsks(false)}>
          Keep
        </button>
      </>
    );
  }
  return (
    <>
      <button
        type="button"
        class="p-link"
        onClick={() => void comments.resolve(comment, resolvedAt === null)}
      >
        {resolvedAt === null ? 'Resolve' : 'Open again'}
      </button>
      <button ref={first} type="button" class="p-link" onClick={() => setAsks(true)}>
        Delete …
      </button>
    </>
  );
}
