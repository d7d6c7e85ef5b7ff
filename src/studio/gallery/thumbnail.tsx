/** A thumbnail that is drawn when it becomes visible. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { RenderedImage } from '../../client/platen-client.ts';
import { explainError, statusOf } from '../wording.ts';
import type { Service } from '../state/service.ts';
import { createDrawQueue } from './draw-queue.ts';

/** Thumbnails that are drawn at the same time. */
const runningMax = 2;

/** Distance from the part of the page that scrolls within which thumbnails are loaded, in CSS pixels. */
const marginPx = 240;

/** Scale for canvases that are too large to render at scale 1. */
const reducedScale = 0.25;

/** Cached images at most, of some 20 to 100 KB each. */
const imagesMax = 160;

/** A rendered thumbnail. */
export interface DrawnThumbnail extends RenderedImage {
  /** Whether the image is rendered at `reducedScale`, so that its size is not the canvas size. */
  isReduced?: boolean;
}

/** A drawn thumbnail as the page shows it. */
interface ShownThumbnail {
  url: string;
  isReduced: boolean;
}

/** An LRU cache of `imagesMax` images. A key identifies everything that an image shows. */
class ImageCache {
  readonly #images = new Map<string, ShownThumbnail>();

  find(key: string): ShownThumbnail | undefined {
    const image = this.#images.get(key);
    if (image === undefined) return undefined;
    this.#images.delete(key);
    this.#images.set(key, image);
    return image;
  }

  /** Keeps an image and returns it with its URL. */
  add(key: string, { bytes, contentType, isReduced = false }: DrawnThumbnail): ShownThumbnail {
    const url = URL.createObjectURL(new Blob([bytes.slice()], { type: contentType }));
    const image = { url, isReduced };
    this.#drop(key);
    this.#images.set(key, image);
    const [oldest] = this.#images.keys();
    if (this.#images.size > imagesMax && oldest !== undefined) this.#drop(oldest);
    return image;
  }

  #drop(key: string): void {
    const image = this.#images.get(key);
    if (image !== undefined) URL.revokeObjectURL(image.url);
    this.#images.delete(key);
  }
}

const queue = createDrawQueue(runningMax);
const cache = new ImageCache();

export interface ThumbnailProps {
  /** Identifies everything that the image depends on. A new key loads a new image. */
  imageKey: string;
  draw: (signal: AbortSignal) => Promise<DrawnThumbnail>;
  /** Empty if the name is shown beside the image. */
  alt: string;
  /** Called with the size of the loaded image in design pixels, unless the image is reduced. */
  onSize?: (width: number, height: number) => void;
}

/** Shows the image, an empty box while it loads, or the error. */
export function Thumbnail({ imageKey, draw, alt, onSize }: ThumbnailProps): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const [shown, show] = useState(() => cache.find(imageKey));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const known = cache.find(imageKey);
    show(known);
    setProblem(undefined);
    if (known !== undefined || frame.current === null) return undefined;
    return whenSeen(frame.current, async (signal) => {
      try {
        const image = await queue.run(draw, signal);
        if (!signal.aborted) show(cache.add(imageKey, image));
      } catch (error) {
        if (!signal.aborted) setProblem(explainError(error));
      }
    });
  }, [imageKey]);
  const tell = (event: Event): void => {
    const { naturalWidth, naturalHeight } = event.currentTarget as HTMLImageElement;
    if (shown?.isReduced === false) onSize?.(naturalWidth, naturalHeight);
  };
  return (
    <div class="thumbnail" ref={frame} data-state={stateOf(shown?.url, problem)}>
      {shown !== undefined && <img src={shown.url} alt={alt} draggable={false} onLoad={tell} />}
      {problem !== undefined && <p title={problem}>{problem}</p>}
    </div>
  );
}

function stateOf(url: string | undefined, problem: string | undefined): string {
  if (url !== undefined) return 'drawn';
  return problem === undefined ? 'waiting' : 'failed';
}

/**
 * Calls `load` when the element comes within `marginPx` of the part of the page that scrolls, until one call ends. Aborts
 * the call when the element leaves. Returns the cleanup.
 */
export function whenSeen(
  element: Element,
  load: (signal: AbortSignal) => Promise<void>,
): () => void {
  let running: AbortController | undefined;
  let isDone = false;
  const run = async (signal: AbortSignal): Promise<void> => {
    await load(signal);
    isDone ||= !signal.aborted;
  };
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (isDone) return;
      running?.abort();
      running = undefined;
      if (entry?.isIntersecting !== true) return;
      const controller = new AbortController();
      running = controller;
      void run(controller.signal);
    },
    // A margin of the window does not reach beyond the edges of a part that scrolls.
    { root: scrollerOf(element), rootMargin: `${marginPx}px` },
  );
  observer.observe(element);
  return () => {
    observer.disconnect();
    running?.abort();
  };
}

/** Returns the part of the page that scrolls around an element; null for the window. */
function scrollerOf({ parentElement }: Element): Element | null {
  if (parentElement === null) return null;
  const { overflowY } = getComputedStyle(parentElement);
  return /auto|scroll/.test(overflowY) ? parentElement : scrollerOf(parentElement);
}

/** Renders a draft as a small WebP, at `reducedScale` if the canvas is too large. Rejects like the client. */
export async function drawThumbnail(
  { client }: Service,
  uid: string,
  signal: AbortSignal,
): Promise<DrawnThumbnail> {
  const request = { uid, format: 'webp', quality: 70 } as const;
  try {
    return await client.preview(request, { signal });
  } catch (error) {
    if (statusOf(error) !== 400) throw error;
    const image = await client.preview({ ...request, scale: reducedScale }, { signal });
    return { ...image, isReduced: true };
  }
}
