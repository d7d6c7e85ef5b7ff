/** Draws every preset of a document, one at a time and only while the canvas has nothing to wait for. */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PreviewRequest } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { drawPatiently } from '../gallery/draw-queue.ts';
import type { Editor } from '../state/editor.ts';
import { explainError } from '../state/explain-error.ts';
import { frameRequest } from '../state/frames.ts';
import type { Values } from '../state/frames.ts';
import { presetWarnings } from './preset-warnings.ts';
import type { PresetWarning } from './preset-warnings.ts';
import type { Preset } from './presets.ts';

/** Milliseconds without a change of the document before the presets are drawn anew. */
const quietMs = 700;

/** Milliseconds before the first ones: an editor that opens has other things to load. */
const firstMs = 150;

/** What a preset looks like. */
export interface PresetPicture {
  /** `data:` URL; undefined when the link would fail. */
  url: string | undefined;
  warnings: readonly PresetWarning[];
}

/** Pictures by the ids of presets; those of an older document stay until the new ones are there. */
export interface PresetPictures {
  readonly pictures: ReadonlySignal<ReadonlyMap<string, PresetPicture>>;
  /** Some are still being drawn. */
  readonly isDrawing: ReadonlySignal<boolean>;
  close(): void;
}

/** Draws `presets` whenever they or the document change, until it is closed. */
export function createPresetPictures(
  editor: Editor,
  presets: ReadonlySignal<readonly Preset[]>,
): PresetPictures {
  const pictures = signal<ReadonlyMap<string, PresetPicture>>(new Map());
  const isDrawing = signal(false);
  const isCanvasWaiting = computed(
    () =>
      editor.frameError.value === undefined &&
      editor.frame.value?.number !== editor.askedFrame.value,
  );

  const drawAll = async (document: Template, ended: AbortSignal): Promise<void> => {
    const ids = new Set(presets.peek().map(({ id }) => id));
    pictures.value = new Map([...pictures.peek()].filter(([id]) => ids.has(id)));
    for (const { id, values } of presets.peek()) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, so that the service has room for the canvas
      const picture = await drawPreset(editor, isCanvasWaiting, document, values, ended);
      if (picture === undefined) return;
      pictures.value = new Map(pictures.peek()).set(id, picture);
    }
    isDrawing.value = false;
  };
  const end = effect(() => {
    const document = editor.document.value;
    if (presets.value.length === 0) return undefined;
    const running = new AbortController();
    isDrawing.value = true;
    const timer = setTimeout(
      () => void drawAll(document, running.signal),
      pictures.peek().size === 0 ? firstMs : quietMs,
    );
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  });
  return { pictures, isDrawing, close: end };
}

/** Draws again what the canvas has interrupted. Undefined when it is no longer wanted; never rejects. */
async function drawPreset(
  { service }: Editor,
  isCanvasWaiting: ReadonlySignal<boolean>,
  document: Template,
  values: Values,
  ended: AbortSignal,
): Promise<PresetPicture | undefined> {
  const request = thumbnailRequest(document, values);
  while (!ended.aborted) {
    await whenFalse(isCanvasWaiting, ended);
    const turn = new AbortController();
    const giveWay = isCanvasWaiting.subscribe((isWaiting) => isWaiting && turn.abort());
    const stop = (): void => turn.abort();
    ended.addEventListener('abort', stop);
    try {
      const { image, ...report } = await drawPatiently(
        (own) => service.client.previewReport(request, { signal: own }),
        turn.signal,
      );
      return { url: image, warnings: presetWarnings(report, document) };
    } catch (error) {
      if (!turn.signal.aborted) return refused(error);
    } finally {
      giveWay();
      ended.removeEventListener('abort', stop);
    }
  }
  return undefined;
}

function refused(error: unknown): PresetPicture {
  const text = `The link fails: ${explainError(error)}`;
  return { url: undefined, warnings: [{ code: 'REFUSED', layer: undefined, text, brief: text }] };
}

/** Resolves when the signal is false, or when nobody waits any more. */
function whenFalse(state: ReadonlySignal<boolean>, ended: AbortSignal): Promise<void> {
  if (!state.peek() || ended.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      stop();
      ended.removeEventListener('abort', finish);
      resolve();
    };
    const stop = state.subscribe((isTrue) => {
      if (!isTrue) queueMicrotask(finish);
    });
    ended.addEventListener('abort', finish);
  });
}

/** The quickest file that a small picture needs: JPEG, where nothing shines through. */
function thumbnailRequest(document: Template, values: Values): PreviewRequest {
  const isOpaque = document.background !== undefined && document.background !== 'none';
  const format = isOpaque
    ? ({ format: 'jpg', quality: 70 } as const)
    : ({ format: 'png' } as const);
  return { ...frameRequest(document, values), ...format };
}
