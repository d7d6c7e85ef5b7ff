/** Bar above the canvas of a countdown: shows one frame, or plays the file. Other animations have a timeline. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { mostFrames } from '#language/animation/frames.ts';
import { Dialog } from '../../dialog.tsx';
import type { Editor } from '../../state/editor.ts';
import { frameRequest } from '../../state/frames.ts';
import { errorWords } from '../../problem-words.ts';
import { CountdownFramesHandle, PlaysHandle } from './playing.tsx';

/** Warning about the first frame of a file. */
const emptyStart = 'FIRST_FRAME_EMPTY';

/** A slider over the frames, and a button that plays them. */
export function AnimationBar({ editor }: { editor: Editor }): VNode | null {
  const frames = mostFrames(editor.document.value);
  if (frames < 2) return null;
  const shown = editor.previewFrame.value;
  const at = Math.min(shown ?? 0, frames - 1);
  const text = shown === undefined ? 'As designed' : `Frame ${at + 1} of ${frames}`;
  return (
    <div class="size-bar time-bar" role="group" aria-label="Animation">
      <PlayButton editor={editor} />
      <input
        type="range"
        aria-label="Frame that is shown"
        aria-valuetext={text}
        min={0}
        max={frames - 1}
        value={at}
        onInput={(event) => (editor.previewFrame.value = event.currentTarget.valueAsNumber)}
      />
      <span class="size-note">{shown === undefined ? `${frames} frames` : text}</span>
      <AsDesignedButton editor={editor} />
      <CountdownFramesHandle editor={editor} />
      <PlaysHandle editor={editor} />
    </div>
  );
}

/** Plays the file that readers get, in a dialog. */
export function PlayButton({ editor }: { editor: Editor }): VNode {
  const isPlaying = useSignal(false);
  return (
    <>
      <button type="button" class="quiet-button" onClick={() => (isPlaying.value = true)}>
        Play
      </button>
      {isPlaying.value ? <Player editor={editor} close={() => (isPlaying.value = false)} /> : null}
    </>
  );
}

/** Returns from the shown frame to the image as designed. */
export function AsDesignedButton({ editor }: { editor: Editor }): VNode {
  const { previewFrame } = editor;
  return (
    <button
      type="button"
      class="quiet-button"
      disabled={previewFrame.value === undefined}
      onClick={() => (previewFrame.value = undefined)}
    >
      As designed
    </button>
  );
}

/** Dialog that plays the animation as a GIF, rendered by the service. */
function Player({ editor, close }: { editor: Editor; close: () => void }): VNode {
  const url = useSignal<string | undefined>(undefined);
  const note = useSignal('Drawing all frames …');
  const hasEmptyStart = useSignal(false);
  useEffect(() => {
    const closing = new AbortController();
    const draw = async (): Promise<void> => {
      const moment = { time: editor.previewTime.value };
      const document = await editor.validCopy();
      const { inline: _, ...request } = frameRequest(document, editor.values.value, moment);
      try {
        const moving = { ...request, format: 'gif' as const };
        const { bytes, warnings } = await editor.service.client.preview(moving, {
          signal: closing.signal,
        });
        const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/gif' });
        url.value = URL.createObjectURL(file);
        note.value = `GIF, ${Math.ceil(file.size / 1000)} KB`;
        hasEmptyStart.value = warnings.includes(emptyStart);
      } catch (error) {
        if (!closing.signal.aborted) note.value = errorWords(error, editor.document.value);
      }
    };
    void draw();
    return () => {
      closing.abort();
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
    };
  }, []);
  return (
    <Dialog title="Animation" className="player" close={close}>
      {url.value === undefined ? null : (
        <img src={url.value} alt="The animation as readers see it" />
      )}
      <p role="status">{note.value}</p>
      {hasEmptyStart.value ? (
        <p class="player-warning" role="alert">
          The first frame shows nothing of what appears later. Some email clients, such as the
          classic Outlook, show no other frame: begin with a layer in view.
        </p>
      ) : null}
    </Dialog>
  );
}
