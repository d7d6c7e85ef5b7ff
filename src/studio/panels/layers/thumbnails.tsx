/** Thumbnails that the service renders once they become visible. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { explainError, statusOf } from '../../wording.ts';
import type { TemplateDocument } from '../../../client/platen-client.ts';
import type { Template } from '#language/schema/template.ts';
import { createDrawQueue } from '../../gallery/draw-queue.ts';
import type { Service } from '../../state/service.ts';
import { imagePattern } from '../variables/variables.ts';

/** The state of a thumbnail: loaded, failed, or with neither value while it loads. */
export interface Loaded {
  thumbnail: Thumbnail | undefined;
  problem: string | undefined;
}

/** Loads on each new `key` and ignores responses for older keys. An undefined `key` loads nothing. */
export function useThumbnail(key: string | undefined, load: () => Promise<Thumbnail>): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ thumbnail: undefined, problem: undefined });
  useEffect(() => {
    let isCurrent = true;
    const show = (next: Loaded): void => {
      if (isCurrent) setLoaded(next);
    };
    if (key === undefined) show({ thumbnail: undefined, problem: undefined });
    else {
      load().then(
        (thumbnail) => show({ thumbnail, problem: undefined }),
        (error: unknown) => show({ thumbnail: undefined, problem: explainError(error) }),
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return loaded;
}

/** An image that loads when it becomes visible. `label` is its alternative text; a new label loads it again. */
export function LazyImage({
  load,
  label,
  className,
}: {
  load: () => Promise<Thumbnail>;
  label: string;
  className: string;
}): VNode {
  const position = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  const { thumbnail, problem } = useThumbnail(isSeen ? label : undefined, load);
  useEffect(() => {
    const { current } = position;
    if (current === null) return undefined;
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  const isShown = thumbnail !== undefined && thumbnail.url !== '';
  return (
    <span ref={position} class={className} title={problem}>
      {isShown ? <img src={thumbnail.url} alt={label} /> : <span class="quiet">{label}</span>}
    </span>
  );
}

// Drawing of the thumbnails: the service renders them, with the same sources and fonts as the template.

/** A thumbnail and, for an image source, the source's size in pixels. */
interface Thumbnail {
  /** `data:` URL. */
  url: string;
  naturalWidth: number | undefined;
  naturalHeight: number | undefined;
}

/** Cached images at most, of some kilobytes each. */
const keptMax = 200;
/** Concurrent requests at most: the canvas has priority. */
const requestsMax = 2;

const kept = new WeakMap<Service, Map<string, Promise<Thumbnail>>>();
const queue = createDrawQueue(requestsMax);
/** The signal of a request that nobody ends: its thumbnail is kept for later. */
const neverEnded = new AbortController().signal;

/** Whether a source is an address, and no part of one or a binding. */
export function isImageAddress(source: string): boolean {
  return imagePattern.test(source) && !source.includes('{{');
}

/** Renders an image source into a square of `sizePx` pixels. Rejects like the client, or if the image fails to load. */
export function imageThumbnail(
  service: Service,
  source: string,
  sizePx: number,
): Promise<Thumbnail> {
  return drawThumbnail(service, `image:${sizePx}:${source}`, {
    ...canvas(sizePx, sizePx),
    layers: [
      {
        id: 'image',
        type: 'image',
        x: 0,
        y: 0,
        width: sizePx,
        height: sizePx,
        src: source,
        fit: 'contain',
      },
    ],
  });
}

/** Renders a sample text in a font family, in black, at twice the displayed size. */
export function fontThumbnail(
  service: Service,
  family: string,
  sample: string,
): Promise<Thumbnail> {
  return drawThumbnail(service, `font:${family}:${sample}`, {
    ...canvas(440, 56),
    layers: [
      {
        id: 'name',
        type: 'text',
        x: 2,
        y: 0,
        width: 436,
        height: 56,
        text: sample,
        fontFamily: family,
        fontSize: 32,
        verticalAlign: 'middle',
        overflow: 'ellipsis',
        maxLines: 1,
      },
    ],
  });
}

function canvas(width: number, height: number): Omit<Template, 'layers'> {
  return { format: 1, name: 'thumbnail', width, height, variables: [], onImageError: 'error' };
}

function drawThumbnail(service: Service, key: string, template: Template): Promise<Thumbnail> {
  const ofService = kept.get(service) ?? new Map<string, Promise<Thumbnail>>();
  kept.set(service, ofService);
  const known = ofService.get(key);
  if (known !== undefined) return known;
  const drawn = queue.run(() => draw(service, template), neverEnded);
  ofService.set(key, drawn);
  // A source that failed is not asked for again with each change. After an outage the next call tries again.
  drawn.catch((error: unknown) => {
    if (![failedImage, 400].includes(statusOf(error))) ofService.delete(key);
  });
  const [oldest] = ofService.keys();
  if (ofService.size > keptMax && oldest !== undefined) ofService.delete(oldest);
  return drawn;
}

/** The status of an error that is no call's: a warning of the report. */
const failedImage = -1;

async function draw({ client }: Service, template: Template): Promise<Thumbnail> {
  const document = template as unknown as TemplateDocument;
  const report = await client.previewReport({
    template: document,
    format: 'webp',
    inline: true,
    // Browsers log an answer of 400 as an error of the page.
    onImageError: 'default',
  });
  const image = report.layers[0]?.image;
  const failed = report.warnings.find(({ code }) => code === 'IMAGE_FAILED');
  if (failed !== undefined) throw new Error(failed.detail);
  return {
    url: report.image ?? '',
    naturalWidth: image?.naturalWidth,
    naturalHeight: image?.naturalHeight,
  };
}
