/** Loads images of drafts and versions, and compares two of them: side by side, with a slider, or by difference. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { markDifferences, shareText } from './differences.ts';
import type { PreviewRequest, RenderedImage } from '../../client/platen-client.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { errorWords } from '../problem-words.ts';
import { explainError } from '../wording.ts';
import type { Values } from '../state/frames.ts';
import type { Service } from '../state/service.ts';

/** Pixels of a comparison at most. Larger images are scaled down. */
const comparedPointsMax = 2_000_000;

/** Object URLs of the two images, and their captions. */
export interface ComparisonProps {
  before: string;
  after: string;
  /** Caption of the older image, such as `Version 3`. */
  beforeName: string;
  /** Caption of the newer image, such as `Draft`. */
  afterName: string;
}

type View = 'side' | 'slider' | 'difference';

const viewNames: Readonly<Record<View, string>> = {
  side: 'Side by side',
  slider: 'Slider',
  difference: 'Difference',
};

/** Compares two images, and states the part that differs. */
export function Comparison(props: ComparisonProps): VNode {
  const { before, after } = props;
  const [view, setView] = useState<View>('side');
  const [difference, setDifference] = useState<number | 'failed' | undefined>(undefined);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isWanted = true;
    setDifference(undefined);
    Promise.all([loadImage(before), loadImage(after)])
      .then((images) => isWanted && setDifference(drawDifference(images, canvas.current)))
      .catch(() => isWanted && setDifference('failed'));
    return () => {
      isWanted = false;
    };
  }, [before, after]);
  return (
    <div class="comparison">
      <div class="comparison-head">
        <div class="segments" role="group" aria-label="How to compare">
          {Object.entries(viewNames).map(([id, name]) => (
            <button type="button" aria-pressed={view === id} onClick={() => setView(id as View)}>
              {name}
            </button>
          ))}
        </div>
        <p role="status">{differenceText(difference)}</p>
      </div>
      {view === 'side' && <SideBySide {...props} />}
      {view === 'slider' && <Slider {...props} />}
      <figure class="comparison-difference" hidden={view !== 'difference'}>
        <canvas ref={canvas} role="img" aria-label="What differs, in red" />
      </figure>
    </div>
  );
}

function SideBySide({ before, after, beforeName, afterName }: ComparisonProps): VNode {
  return (
    <div class="comparison-side">
      <figure>
        <figcaption>{beforeName}</figcaption>
        <img src={before} alt={beforeName} />
      </figure>
      <figure>
        <figcaption>{afterName}</figcaption>
        <img src={after} alt={afterName} />
      </figure>
    </div>
  );
}

function Slider({ before, after, beforeName, afterName }: ComparisonProps): VNode {
  const [split, setSplit] = useState(50);
  return (
    <div class="comparison-slider" style={{ '--split': `${split}%` }}>
      <div class="comparison-stack">
        <img src={before} alt={beforeName} />
        <img src={after} alt={afterName} class="upper" />
        <input
          type="range"
          min="0"
          max="100"
          step="0.5"
          value={split}
          aria-label={`Left of it ${beforeName}, right of it ${afterName}`}
          onInput={(event) => setSplit(event.currentTarget.valueAsNumber)}
        />
      </div>
      <p>
        <span>{beforeName}</span>
        <span>{afterName}</span>
      </p>
    </div>
  );
}

function differenceText(difference: number | 'failed' | undefined): string {
  if (difference === undefined) return 'Comparing …';
  if (difference === 'failed') return 'An image cannot be read';
  return difference === 0
    ? 'Both draw the same image'
    : `${shareText(difference)} of the image differs`;
}

/** Draws the difference on the canvas, and returns the part that differs. Aligns images at the top left corner. */
function drawDifference(
  [before, after]: readonly [HTMLImageElement, HTMLImageElement],
  canvas: HTMLCanvasElement | null,
): number | undefined {
  const width = Math.max(before.naturalWidth, after.naturalWidth);
  const height = Math.max(before.naturalHeight, after.naturalHeight);
  const scale = Math.min(1, Math.sqrt(comparedPointsMax / (width * height)));
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const context = canvas?.getContext('2d', { willReadFrequently: true });
  if (canvas === null || context === null || context === undefined) return undefined;
  Object.assign(canvas, size);
  const [older, newer] = [before, after].map((image) => {
    context.clearRect(0, 0, size.width, size.height);
    context.drawImage(image, 0, 0, image.naturalWidth * scale, image.naturalHeight * scale);
    return context.getImageData(0, 0, size.width, size.height);
  });
  if (older === undefined || newer === undefined) return undefined;
  const marked = context.createImageData(size.width, size.height);
  const difference = markDifferences(older, newer, marked);
  context.putImageData(marked, 0, 0);
  return difference;
}

async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

// Images as object URLs, which are revoked with the component that shows them.

/** An image or its problem; neither while it is being rendered. */
export interface LoadedImage {
  url?: string;
  problem?: string;
  /** Whether `url` or `problem` is of an earlier request. */
  isOld?: boolean;
}

/** Renders `request`, and again when one of `keys` changes. `keepsOld` keeps the old image until the new one. */
export function useImage(
  { client }: Service,
  request: PreviewRequest | undefined,
  keys: readonly unknown[],
  { keepsOld = false } = {},
): LoadedImage {
  const [image, setImage] = useState<LoadedImage>({});
  const shown = useRef<string | undefined>(undefined);
  const show = (url: string | undefined): void => {
    if (shown.current !== undefined) URL.revokeObjectURL(shown.current);
    shown.current = url;
  };
  useEffect(() => () => show(undefined), []);
  useEffect(() => {
    setImage((old) => (keepsOld && request !== undefined ? { ...old, isOld: true } : {}));
    if (request === undefined) return undefined;
    const running = new AbortController();
    const draw = async (): Promise<void> => {
      try {
        const rendered = await client.preview(request, { signal: running.signal });
        if (running.signal.aborted) return;
        const url = imageUrl(rendered);
        show(url);
        setImage({ url });
      } catch (error) {
        if (!running.signal.aborted) setImage({ problem: problemOf(error, request) });
      }
    };
    void draw();
    return () => running.abort();
  }, keys);
  return image;
}

/** Names the layers of the document that was sent. A version of the service is not known here. */
function problemOf(error: unknown, { template }: PreviewRequest): string {
  if (template === undefined) return explainError(error);
  return errorWords(error, template as unknown as Template);
}

function imageUrl({ bytes, contentType }: RenderedImage): string {
  return URL.createObjectURL(new Blob([bytes.slice()], { type: contentType }));
}

/** Returns the values whose variable has the same name and type in the document and in `drawn`. */
export function valuesFor(values: Values, document: Template, drawn: Template): Values {
  const types = new Map(document.variables.map(({ name, type }) => [name, type]));
  const isKnown = ({ name, type }: Variable): boolean => types.get(name) === type;
  const known = new Set(drawn.variables.filter(isKnown).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
}
