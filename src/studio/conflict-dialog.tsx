/** Dialog that resolves two conflicting changes of a draft. Neither is lost. */
import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { errorWords } from './problem-words.ts';
import { openTemplate } from './session.tsx';
import type { Editor } from './state/editor.ts';
import { notify } from './wording.ts';

type Choice = 'mine' | 'theirs' | 'copy';

/** Shows both drafts and the choices. `close` must leave it open: without a choice, nothing could be saved. */
export function ConflictDialog({ editor, close }: { editor: Editor; close: () => void }): VNode {
  const theirs = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const isEmbedded = editor.service.embed !== undefined;
  useEffect(() => {
    const leaving = new AbortController();
    void showDraft(editor, theirs, leaving.signal);
    return () => leaving.abort();
  }, []);
  const choose = async (choice: Choice): Promise<void> => {
    isBusy.value = true;
    try {
      const uid = await editor.resolveConflict(choice);
      if (uid !== undefined) openTemplate(uid);
      notify(outcomes[choice]);
    } catch (error) {
      const why = errorWords(error, editor.whole.value);
      notify(`The draft was not saved: ${why}`, { kind: 'error' });
    }
    isBusy.value = false;
  };
  const option = (choice: Choice, label: string, text: string, isMain: boolean): VNode => (
    <div class="conflict-option">
      <button
        type="button"
        class={isMain ? 'primary' : ''}
        disabled={isBusy.value}
        onClick={() => void choose(choice)}
      >
        {label}
      </button>
      <p class="soft">{text}</p>
    </div>
  );
  return (
    <Dialog title="Changed somewhere else" close={close} className="conflict">
      <p>
        Another tab or another person has saved this template since you opened it. Nothing is lost:
        choose how to go on.
      </p>
      <div class="conflict-images">
        {frameFigure('Yours', editor.frame.value?.url)}
        {frameFigure('Theirs', theirs.value)}
      </div>
      {isEmbedded
        ? null
        : option(
            'copy',
            'Keep both',
            'Yours becomes a new template, and this one stays theirs.',
            true,
          )}
      {option('mine', 'Keep mine', 'Saves yours over theirs.', isEmbedded)}
      {option('theirs', 'Take theirs', 'Shows theirs here; undo brings yours back.', false)}
    </Dialog>
  );
}

/** Renders the draft of the service. Never rejects: the dialog works without this image. */
async function showDraft(
  { service, uid }: Editor,
  shown: Signal<string | undefined>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { image } = await service.client.previewReport(
      { uid, inline: true, onImageError: 'default' },
      { signal },
    );
    shown.value = image;
  } catch {
    shown.value = undefined;
  }
}

const outcomes: Readonly<Record<Choice, string>> = {
  mine: 'Saved: this is your version now.',
  theirs: 'This is their version now. Undo brings yours back.',
  copy: 'Your version is a template of its own now.',
};

function frameFigure(title: string, url: string | undefined): VNode {
  return (
    <figure>
      <div class="conflict-image">
        {url === undefined ? null : <img src={url} alt={`${title}: the image as it is drawn`} />}
      </div>
      <figcaption>{title}</figcaption>
    </figure>
  );
}
