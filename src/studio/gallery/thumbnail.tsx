/** A thumbnail that is drawn when it becomes visible. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { RenderedImage } from '../../client/platen-client.ts';
import { explainError } from '../wording.ts';
import type { Service } from '../state/service.ts';
import { createDrawQueue } from './draw-queue.ts';

/** Thumbnails that are drawn at the same time. */
const runningMax = 2;

/** Pixels below the window at which an image is asked for already. */
const marginPx = 240;

/** Cached images, of some 20 to 100 KB each. */
const imagesMax = 160;

/** Object URLs by keys that say all that an image shows. The one used longest ago goes first. */
class ImageCache {
  readonly #urls = new Map<string, string>();

  find(key: string): string | undefined {
    const url = this.#urls.get(key);
    if (url === undefined) return undefined;
    this.#urls.delete(key);
    this.#urls.set(key, url);
    return url;
  }

  /** Keeps an image and returns its URL. */
  add(key: string, { bytes, contentType }: RenderedImage): string {
    const url = URL.createObjectURL(new Blob([bytes.slice()], { type: contentType }));
    this.#drop(key);
    this.#urls.set(key, url);
    const [oldest] = this.#urls.keys();
    if (this.#urls.size > imagesMax && oldest !== undefined) this.#drop(oldest);
    return url;
  }

  #drop(key: string): void {
    const url = this.#urls.get(key);
    if (url !== undefined) URL.revokeObjectURL(url);
    this.#urls.delete(key);
  }
}

const queue = createDrawQueue(runningMax);
const cache = new ImageCache();

/** What a thumbnail shows. */
export interface ThumbnailProps {
  /** Says all that the image depends on: another key, another image. */
  imageKey: string;
  draw: (signal: AbortSignal) => Promise<RenderedImage>;
  /** Empty where the name stands beside it. */
  alt: string;
  /** Called with the size of the loaded image, in design pixels. */
  onSize?: (width: number, height: number) => void;
}

/** The image, an empty ground while there is none, or why there is none. */
export function Thumbnail({ imageKey, draw, alt, onSize }: ThumbnailProps): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const [url, setUrl] = useState(() => cache.find(imageKey));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const known = cache.find(imageKey);
    setUrl(known);
    setProblem(undefined);
    if (known !== undefined || frame.current === null) return undefined;
    return whenSeen(frame.current, async (signal) => {
      try {
        const image = await queue.run(draw, signal);
        if (!signal.aborted) setUrl(cache.add(imageKey, image));
      } catch (error) {
        if (!signal.aborted) setProblem(explainError(error));
      }
    });
  }, [imageKey]);
  const tell = (event: Event): void => {
    const { naturalWidth, naturalHeight } = event.currentTarget as HTMLImageElement;
    onSize?.(naturalWidth, naturalHeight);
  };
  return (
    <div class="thumbnail" ref={frame} data-state={stateOf(url, problem)}>
      {url !== undefined && <img src={url} alt={alt} draggable={false} onLoad={tell} />}
      {problem !== undefined && <p title={problem}>{problem}</p>}
    </div>
  );
}

function stateOf(url: string | undefined, problem: string | undefined): string {
  if (url !== undefined) return 'drawn';
  return problem === undefined ? 'waiting' : 'failed';
}

/** Calls `load` once while the element is near the window; what is under way ends when it leaves. Returns the end of it. */
function whenSeen(element: Element, load: (signal: AbortSignal) => Promise<void>): () => void {
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
    { rootMargin: `${marginPx}px` },
  );
  observer.observe(element);
  return () => {
    observer.disconnect();
    running?.abort();
  };
}

/** A draft as a small file. Rejects like the client. */
export function drawThumbnail(
  { client }: Service,
  uid: string,
  signal: AbortSignal,
): Promise<RenderedImage> {
  return client.preview({ uid, format: 'webp', quality: 70 }, { signal });
}
