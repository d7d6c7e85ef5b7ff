/** Overlay of a crop: the whole image round its box, and the crop handles. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { imageThumbnail } from '../../panels/layers/thumbnails.tsx';
import type { CanvasState, Cropping } from '../canvas-state.ts';
import type { Rect } from '../geometry.ts';
import { ResizeHandles } from '../handles.tsx';
import { turnOf, wholeOf } from './crop.ts';

/** Longer side of the image that the overlay shows, px. */
const sidePx = 1024;

/** Shows while an image is cropped, in place of the other handles. */
export function CropOverlay({ state }: { state: CanvasState }): VNode | null {
  const cropping = state.cropping.value;
  const position = state.positions.value.find(({ id }) => id === cropping?.id);
  if (cropping === undefined || position === undefined) return null;
  const whole = scaled(state, wholeOf(cropping, position));
  const box = scaled(state, position.box);
  const { angle, x, y } = turnOf(position);
  const { zoom, ...corner } = state.view.value;
  // The motion in screen pixels, about the corner of the canvas.
  const transform = `translate(${corner.x + x * zoom} ${corner.y + y * zoom}) rotate(${angle})`;
  return (
    <g class="crop">
      <g transform={transform}>
        <defs>
          <clipPath id="crop-box">
            <rect {...box} />
          </clipPath>
        </defs>
        <WholeImage key={cropping.source} state={state} cropping={cropping} whole={whole} />
        <rect class="crop-whole" {...whole} />
        <rect class="crop-line" {...box} />
      </g>
      <ResizeHandles state={state} box={position.seen} />
    </g>
  );
}

interface WholeImageProps {
  state: CanvasState;
  cropping: Cropping;
  /** Box of the whole image, screen pixels from the corner of the canvas. */
  whole: Rect;
}

function WholeImage({ state, cropping, whole }: WholeImageProps): VNode | null {
  const [url, setUrl] = useState('');
  useEffect(() => {
    let isCurrent = true;
    imageThumbnail(state.editor.service, cropping.source, sidePx).then(
      (thumbnail) => isCurrent && setUrl(thumbnail.url),
      // Without the thumbnail, the frame still shows the bounds of the image.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  if (url === '') return null;
  // A square that holds the image in its middle.
  const side = Math.max(whole.width, whole.height);
  const square = {
    x: whole.x + (whole.width - side) / 2,
    y: whole.y + (whole.height - side) / 2,
    width: side,
    height: side,
  };
  return (
    <>
      <image class="crop-outside" href={url} {...square} />
      <g clip-path="url(#crop-box)">
        <image href={url} {...square} />
      </g>
    </>
  );
}

/** Converts a rectangle to screen pixels from the corner of the canvas. */
function scaled({ view }: CanvasState, { x, y, width, height }: Rect): Rect {
  const { zoom } = view.value;
  return { x: x * zoom, y: y * zoom, width: width * zoom, height: height * zoom };
}
