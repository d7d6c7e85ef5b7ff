/** Renders every preset of a document, one at a time while the canvas is idle, and describes the warnings. */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { PreviewRequest, PreviewReport } from '../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { drawPatiently } from '../gallery/draw-queue.ts';
import { isCanvasFocused } from '../panels/parts.ts';
import type { Editor } from '../state/editor.ts';
import { failureWords } from '../problem-words.ts';
import { explainFailure, statusOf } from '../wording.ts';
import { frameRequest, retryFirstMs, retryLastMs, scaleShown } from '../state/frames.ts';
import type { Values } from '../state/frames.ts';
import { breaksImages, showSame } from './presets.ts';
import type { Preset } from './presets.ts';
import { presetWarnings } from './preset-warnings.ts';
import type { PresetWarning } from './preset-warnings.ts';

/** Time without a change of the document before the presets are rendered again, in ms. */
const quietMs = 700;

/** Delay before the first renders, in ms, because an opening editor loads other things first. */
const firstMs = 150;

/** Pause between presets that are rendered again, in ms, so that a key on the canvas rarely waits for one. */
const betweenMs = 150;

/** Renders of a preset that the service fails to make, until the document or the presets change. */
const attemptsMax = 6;

/** No answer, and those of a proxy without a service and of a service without capacity. They end by themselves. */
const outages: ReadonlySet<number> = new Set([0, 502, 503]);

/** The image of a preset, with its warnings. */
export interface PresetImage {
  /** `data:` URL; undefined if the link would fail. */
  url: string | undefined;
  warnings: readonly PresetWarning[];
}

/** Images by preset id. The images of an older document stay until the new ones are ready. */
export interface PresetImages {
  readonly images: ReadonlySignal<ReadonlyMap<string, PresetImage>>;
  /** Whether some images are still being rendered for the first time. */
  readonly isDrawing: ReadonlySignal<boolean>;
  /** Ids of presets whose last render failed in the service. They are rendered again, `attemptsMax` times in all, and after outages. */
  readonly failed: ReadonlySignal<ReadonlySet<string>>;
  close(): void;
}

/** Renders `presets` on each change of the presets or the document, until it is closed. */
export function createPresetImages(
  editor: Editor,
  presets: ReadonlySignal<readonly Preset[]>,
): PresetImages {
  const images = signal<ReadonlyMap<string, PresetImage>>(new Map());
  const isDrawing = signal(false);
  const failed = signal<ReadonlySet<string>>(new Set());
  const { isWaiting, isUnfinished } = watchCanvas(editor);
  const drawAll = async (ended: AbortSignal): Promise<void> => {
    const document = await editor.validCopy();
    const ids = new Set(presets.peek().map(({ id }) => id));
    images.value = new Map([...images.peek()].filter(([id]) => ids.has(id)));
    let waiting = presets.peek();
    let retryMs = retryFirstMs;
    let attempts = 0;
    let hasRendered = false;
    while (waiting.length > 0 && attempts < attemptsMax) {
      const left: Preset[] = [];
      let isOutage = false;
      for (const preset of waiting) {
        const isNew = !images.peek().has(preset.id);
        if (!isNew && showsValues(editor, preset)) await whenFalse(isUnfinished, ended);
        const shown = imageOfCanvas(editor, preset);
        const mayWait = shown === undefined && hasRendered && !isNew && isCanvasFocused();
        if (mayWait) await pause(betweenMs, ended);
        const image = shown ?? (await drawPreset(editor, isWaiting, document, preset, ended));
        if (ended.aborted) return;
        hasRendered ||= shown === undefined;
        if (typeof image === 'object') images.value = new Map(images.peek()).set(preset.id, image);
        else left.push(preset);
        isOutage ||= image === 'outage';
      }
      if (!isOutage) attempts += 1;
      failed.value = new Set(left.map(({ id }) => id));
      isDrawing.value = false;
      waiting = left;
      if (left.length > 0) await pause(retryMs, ended);
      retryMs = Math.min(retryMs * 2, retryLastMs);
    }
  };
  const end = effect(() => {
    // Each change of the document draws again.
    void editor.document.value;
    const isDrawable = presets.value.length > 0;
    isDrawing.value = isDrawable;
    if (failed.peek().size > 0) failed.value = new Set();
    if (!isDrawable) return undefined;
    const running = new AbortController();
    const timer = setTimeout(
      () => void drawAll(running.signal),
      images.peek().size === 0 ? firstMs : quietMs,
    );
    return () => {
      clearTimeout(timer);
      running.abort();
    };
  });
  return { images, isDrawing, failed, close: end };
}

/**
 * Renders a preset, and again after the canvas has interrupted it. `outage` without an answer, or if `ended` aborts;
 * `failed` if the service fails to render it. Never rejects.
 */
async function drawPreset(
  editor: Editor,
  isCanvasWaiting: ReadonlySignal<boolean>,
  document: Template,
  preset: Preset,
  ended: AbortSignal,
): Promise<PresetImage | 'outage' | 'failed'> {
  const request = thumbnailRequest(document, preset.values);
  while (!ended.aborted) {
    await whenFalse(isCanvasWaiting, ended);
    const turn = new AbortController();
    const giveWay = isCanvasWaiting.subscribe((isWaiting) => isWaiting && turn.abort());
    const stop = (): void => turn.abort();
    ended.addEventListener('abort', stop);
    try {
      const report = await drawPatiently(
        (jobSignal) => editor.service.client.previewReport(request, { signal: jobSignal }),
        turn.signal,
      );
      return imageOf(report, report.image, preset, document);
    } catch (error) {
      if (turn.signal.aborted) continue;
      const status = statusOf(error);
      // An outage says nothing about the link.
      if (outages.has(status)) return 'outage';
      return status < 500 ? refused(error, document) : 'failed';
    } finally {
      giveWay();
      ended.removeEventListener('abort', stop);
    }
  }
  return 'outage';
}

interface CanvasProgress {
  /** Whether the canvas waits for its image. */
  isWaiting: ReadonlySignal<boolean>;
  /** Whether it waits for its image or for the contrasts. */
  isUnfinished: ReadonlySignal<boolean>;
}

function watchCanvas({ frame, frameError, askedFrame }: Editor): CanvasProgress {
  const isWaiting = computed(
    () => frameError.value === undefined && frame.value?.number !== askedFrame.value,
  );
  const isUnfinished = computed(
    () =>
      isWaiting.value || (frameError.value === undefined && frame.value?.contrasts === 'awaited'),
  );
  return { isWaiting, isUnfinished };
}

/** Whether the canvas has the values of a preset, and no other time or frame than links have. */
function showsValues(editor: Editor, preset: Preset): boolean {
  const { document, values, previewTime, previewFrame } = editor;
  if (previewTime.value !== undefined || previewFrame.value !== undefined) return false;
  return showSame(values.value, preset.values, document.value);
}

/** The image that the canvas shows, if it is the newest, has its warnings, and shows the values of the preset. */
function imageOfCanvas(editor: Editor, preset: Preset): PresetImage | undefined {
  const shown = editor.frame.value;
  if (shown?.number !== editor.askedFrame.value || shown.contrasts !== 'measured') return undefined;
  if (!showsValues(editor, preset)) return undefined;
  return imageOf(shown.report, shown.url, preset, shown.drawn);
}

function imageOf(
  report: PreviewReport,
  url: string | undefined,
  preset: Preset,
  document: Template,
): PresetImage {
  const isBreaking = breaksImages(preset, document);
  const warnings = report.warnings.filter(({ code }) => !isBreaking || code !== 'IMAGE_FAILED');
  return { url, warnings: presetWarnings({ ...report, warnings }, document) };
}

/** Resolves after `ms`, or when `ended` aborts. */
function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      ended.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    ended.addEventListener('abort', finish);
  });
}

/** Converts an error of the service, about the draft or about the values, to a warning. */
function refused(error: unknown, document: Template): PresetImage {
  const failure = explainFailure(error);
  const words = failureWords(failure, document);
  const text = failure.problems.length > 0 ? words : `The link fails: ${words}`;
  return {
    url: undefined,
    warnings: [{ code: 'REFUSED', layer: undefined, text, brief: text, common: text }],
  };
}

/** Resolves when the state is false, or when `ended` aborts. */
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

/** Longer side of a preset's image, in device pixels. */
const thumbnailPx = 256;

/** Returns the request for a preset's image in the fastest format: JPEG if the background is opaque, else PNG. */
function thumbnailRequest(document: Template, values: Values): PreviewRequest {
  const isOpaque = document.background !== undefined && document.background !== 'none';
  const format = isOpaque
    ? ({ format: 'jpg', quality: 70 } as const)
    : ({ format: 'png' } as const);
  const scale = scaleShown(document, thumbnailPx / Math.max(document.width, document.height));
  return { ...frameRequest(document, values, { scale }), ...format };
}
