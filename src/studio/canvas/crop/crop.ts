/** Crops an image on the canvas. The box of the layer changes, while the whole image keeps its position. */
import type { Template } from '#language/schema/template.ts';
import { itemLayerId } from '#language/uid.ts';
import type { ImageLayer, Layer } from '#language/schema/layers.ts';
import type { Editor } from '../../state/editor.ts';
import { findLayer } from '../../state/layers.ts';
import { isSame, setOverride } from '../../state/sizes.ts';
import { notify } from '../../wording.ts';
import type { CanvasState, Cropping } from '../canvas-state.ts';
import { composeMotions, isInBox, motionOf, moveBox } from '../geometry.ts';
import { resizeBox, rotatePoint, tidyNumber, undoMotion } from '../geometry.ts';
import type { Handle, Motion, Point, Rect } from '../geometry.ts';
import type { Gesture } from '../gestures/transform.ts';
import type { LayerGeometry } from '../layer-geometry.ts';

/** Minimum side of a crop, design pixels. */
const sideMin = 8;

/** Initial state of a crop, or the reason why the image cannot be cropped. Undefined for other layers. */
export function croppingOf(
  { frame, locked }: Editor,
  position: LayerGeometry | undefined,
): Cropping | string | undefined {
  if (position?.layer.type !== 'image') return undefined;
  const { id, layer, box } = position;
  if (locked.value.has(id)) return 'A locked image cannot be cropped.';
  if (layer.flipX === true || layer.flipY === true) {
    return 'A mirrored image cannot be cropped here. Turn Flip X and Flip Y off first.';
  }
  if (typeof layer.width !== 'number' || typeof layer.height !== 'number') {
    return 'To crop the image, give it a width and a height in pixels.';
  }
  // A stack positions its layers itself.
  if (typeof layer.x === 'string' || typeof layer.y === 'string') {
    return 'A variable gives the position of the image. To crop it, set X and Y to numbers.';
  }
  const reported = frame.value?.report.layers;
  const image = [id, itemLayerId(id, 1)]
    .map((name) => reported?.find((each) => each.id === name)?.image)
    .find((each) => each !== undefined);
  if (image === undefined) return 'The image is not drawn, so it cannot be cropped.';
  const { source, placed, naturalWidth, naturalHeight } = image;
  if (layer.smartCrop !== true) return { id, source, whole: placed, from: layer };
  // The studio does not know the result of the smart crop, so the crop begins in the middle.
  const ratio = Math.max(box.width / naturalWidth, box.height / naturalHeight);
  const [width, height] = [naturalWidth * ratio, naturalHeight * ratio];
  const x = box.x + (box.width - width) / 2;
  const y = box.y + (box.height - height) / 2;
  return { id, source, whole: { x, y, width, height }, from: layer };
}

/** Box of the whole image for the current crop, in the space of `turnOf`. Also correct after an undo. */
export function wholeOf({ whole, from }: Cropping, { layer, box }: LayerGeometry): Rect {
  if (layer.type !== 'image' || layer === from) return whole;
  const { x = 0, y = 0, width = 1, height = 1 } = layer.crop ?? {};
  const [wide, high] = [box.width / width, box.height / height];
  return { x: box.x - x * wide, y: box.y - y * high, width: wide, height: high };
}

/** Motion from the unrotated space of the layer's box to the canvas. */
export function turnOf({ box, motion }: LayerGeometry): Motion {
  return composeMotions(motion, motionOf(box));
}

/** Starts a crop of the selected image. A notice says why an image cannot be cropped. */
export function startCrop({ cropping, editor, selected }: CanvasState): void {
  const [position, ...others] = selected.value;
  const found = others.length === 0 ? croppingOf(editor, position) : undefined;
  if (typeof found === 'string') notify(found);
  else if (found !== undefined) cropping.value = found;
}

/** The gesture of a press during a crop. A press beside the image ends the crop. */
export function cropAt(
  state: CanvasState,
  handle: Handle | undefined,
  point: Point,
): Gesture | undefined {
  const cropping = state.cropping.value;
  const position = state.positions.value.find(({ id }) => id === cropping?.id);
  if (cropping === undefined || position === undefined) return undefined;
  const whole = wholeOf(cropping, position);
  const at = undoMotion(turnOf(position), point);
  const isOn = handle !== undefined || isInBox({ ...whole, rotation: 0 }, at);
  if (isOn) return cropGesture(state, position, whole, handle, at);
  state.cropping.value = undefined;
  return undefined;
}

/** A drag of a handle changes the box. Another drag moves the image in it. `from` is in the space of `turnOf`. */
function cropGesture(
  state: CanvasState,
  position: LayerGeometry,
  whole: Rect,
  handle: Handle | undefined,
  from: Point,
): Gesture {
  const box = within(position.box, whole);
  const turn = turnOf(position);
  return {
    move(point) {
      const at = undoMotion(turn, point);
      const delta = { x: at.x - from.x, y: at.y - from.y };
      if (handle === undefined) {
        writeCrop(state, position, box, panned(whole, box, delta));
      } else {
        const cut = resizeBox({ ...box, rotation: 0 }, handle, delta, { sideMin, isWhole: true });
        writeCrop(state, position, within(cut, whole), whole);
      }
    },
    end: () => undefined,
    changes: true,
  };
}

/** Moves the cropped image within its box by design pixels. */
export function panCrop(state: CanvasState, delta: Point): void {
  const cropping = state.cropping.value;
  const position = state.positions.value.find(({ id }) => id === cropping?.id);
  if (cropping === undefined || position === undefined) return;
  const whole = wholeOf(cropping, position);
  const box = within(position.box, whole);
  const turned = rotatePoint(delta, -turnOf(position).angle);
  writeCrop(state, position, box, panned(whole, box, turned));
}

/** Moves the whole image, only so far that it still covers its box. */
export function panned(whole: Rect, box: Rect, { x, y }: Point): Rect {
  return {
    ...whole,
    x: covering(whole.x + x, whole.width, box.x, box.width),
    y: covering(whole.y + y, whole.height, box.y, box.height),
  };
}

/** Position nearest to `at` at which a side of `length` covers the `shown` pixels from `start`. */
function covering(at: number, length: number, start: number, shown: number): number {
  return Math.min(start, Math.max(start + shown - length, at));
}

/** The part of a box that lies on the image, at least `sideMin` wide and high. */
export function within(box: Rect, whole: Rect): Rect {
  const x = Math.min(Math.max(box.x, whole.x), whole.x + whole.width - sideMin);
  const y = Math.min(Math.max(box.y, whole.y), whole.y + whole.height - sideMin);
  return {
    x,
    y,
    width: Math.max(sideMin, Math.min(box.x + box.width, whole.x + whole.width) - x),
    height: Math.max(sideMin, Math.min(box.y + box.height, whole.y + whole.height) - y),
  };
}

function writeCrop({ editor }: CanvasState, position: LayerGeometry, box: Rect, whole: Rect): void {
  // The new box has another centre of rotation. This position keeps the image where it is seen.
  const turned = moveBox(motionOf(position.box), { ...box, rotation: 0 });
  const recipe = (draft: Template): void => {
    const layer = findLayer(draft, position.id);
    const before = position.layer;
    if (layer?.type !== 'image') return;
    for (const name of ['x', 'y'] as const) {
      // A stack positions its layers itself.
      const at = before[name];
      if (typeof at === 'number') layer[name] = tidyNumber(at + turned[name] - position.box[name]);
    }
    layer.width = tidyNumber(box.width);
    layer.height = tidyNumber(box.height);
    const crop = {
      x: part((box.x - whole.x) / whole.width),
      y: part((box.y - whole.y) / whole.height),
      width: part(box.width / whole.width),
      height: part(box.height / whole.height),
    };
    cutTo(layer, crop, editor.size.value !== undefined);
    keepInSizes(layer, before);
  };
  editor.change('Crop the image', recipe, `crop:${position.id}`);
}

/** Properties that decide which part of an image its box shows, with their defaults. */
const cuts = {
  crop: { x: 0, y: 0, width: 1, height: 1 },
  zoom: 1,
  smartCrop: false,
  fit: 'cover',
} as const;

/** Shows a region of the image that has the ratio of the box. Defaults are left out, unless a size overrides with them. */
function cutTo(layer: ImageLayer, crop: NonNullable<ImageLayer['crop']>, isInSize: boolean): void {
  layer.crop = crop;
  if (layer.zoom !== undefined) layer.zoom = cuts.zoom;
  if (layer.smartCrop !== undefined) layer.smartCrop = cuts.smartCrop;
  // All other fits fill a box of the ratio of the region.
  if (layer.fit === 'none' || layer.fit === 'scale-down') layer.fit = cuts.fit;
  if (isInSize) return;
  for (const [name, standard] of Object.entries(cuts)) {
    if (isSame(Reflect.get(layer, name), standard)) Reflect.deleteProperty(layer, name);
  }
}

/** Properties that a crop changes. */
const cropped = ['x', 'y', 'width', 'height', 'crop', 'zoom', 'smartCrop', 'fit'] as const;

/** After a crop on the canvas of the document: the image stays as it was in sizes that set its width or height. */
function keepInSizes(layer: Layer, before: Layer): void {
  for (const [size, overrides] of Object.entries(layer.bySize ?? {})) {
    if (overrides['width'] === undefined && overrides['height'] === undefined) continue;
    for (const name of cropped) {
      const standard: unknown = Reflect.get(cuts, name);
      const value: unknown = Reflect.get(before, name) ?? standard;
      const isKept = isSame(value, Reflect.get(layer, name) ?? standard);
      if (!isKept && !Object.hasOwn(overrides, name)) setOverride(layer, size, name, value);
    }
  }
}

function part(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1e6) / 1e6;
}
