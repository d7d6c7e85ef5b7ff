/** Draws every preset of a document, a few at a time and only while the canvas has nothing to wait for. */
import { effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PreviewRequest } from '../../client/platen-client.ts';
import type { Template } from '#shared/template-schema.ts';
import { createDrawQueue } from '../gallery/draw-queue.ts';
import type { DrawQueue } from '../gallery/draw-queue.ts';
import type { Editor } from '../state/editor.ts';
import { explainError } from '../state/explain-error.ts';
import { frameRequest } from '../state/frames.ts';
import type { Values } from '../state/frames.ts';
import { presetWarnings } from './preset-warnings.ts';
import type { PresetWarning } from './preset-warnings.ts';
import type { Preset } from './presets.ts';

/** Previews that are drawn at the same time. */
const runningMax = 2;

/** Milliseconds without a change of the document before the presets are drawn anew. */
const quietMs = 700;

/** Milliseconds between looks at a canvas that is still waiting for its own frame. */
const lookMs = 150;

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
  const queue = createDrawQueue(runningMax);

  const drawAll = async (document: Template, signalOfRun: AbortSignal): Promise<void> => {
    const ids = new Set(presets.peek().map(({ id }) => id));
    pictures.value = new Map([...pictures.peek()].filter(([id]) => ids.has(id)));
    const draws = presets.peek().map(async ({ id, values }) => {
      const picture = await drawPreset(editor, document, values, queue, signalOfRun);
      if (picture !== undefined) pictures.value = new Map(pictures.peek()).set(id, picture);
    });
    await Promise.all(draws);
    if (!signalOfRun.aborted) isDrawing.value = false;
  };
  const end = effect(() => {
    const document = editor.document.value;
    if (presets.value.length === 0) return undefined;
    const running = new AbortController();
    isDrawing.value = true;
    const begin = (): void => {
      const isWaiting =
        editor.frameError.peek() === undefined &&
        editor.frame.peek()?.number !== editor.askedFrame.peek();
      if (isWaiting) timer = setTimeout(begin, lookMs);
      else void drawAll(document, running.signal);
    };
    let timer = setTimeout(begin, pictures.peek().size === 0 ? lookMs : quietMs);
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  });
  return { pictures, isDrawing, close: end };
}

/** Undefined when it is no longer wanted; never rejects. */
async function drawPreset(
  { service }: Editor,
  document: Template,
  values: Values,
  queue: DrawQueue,
  signalOfRun: AbortSignal,
): Promise<PresetPicture | undefined> {
  try {
    const request = thumbnailRequest(document, values);
    const { image, ...report } = await queue.run(
      (own) => service.client.previewReport(request, { signal: own }),
      signalOfRun,
    );
    return { url: image, warnings: presetWarnings(report, document) };
  } catch (error) {
    if (signalOfRun.aborted) return undefined;
    const text = `The link fails: ${explainError(error)}`;
    return { url: undefined, warnings: [{ code: 'REFUSED', layer: undefined, text, brief: text }] };
  }
}

/** The quickest file that a small picture needs: JPEG, where nothing shines through. */
function thumbnailRequest(document: Template, values: Values): PreviewRequest {
  const isOpaque = document.background !== undefined && document.background !== 'none';
  const format = isOpaque
    ? ({ format: 'jpg', quality: 70 } as const)
    : ({ format: 'png' } as const);
  return { ...frameRequest(document, values), ...format };
}
