/** Adds images to the canvas: uploads files and addresses, and sets the position and size of their layers. */
import type { Asset } from '../../../client/platen-client.ts';
import type { ImageLayer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { changeDefault } from '../../panels/variables/variable-default.ts';
import { splitBinding, wholeBinding } from '../../panels/variables/variables.ts';
import { coverCanvas } from '../../state/background.ts';
import { imageFiles, uploadImage } from '../../state/service.ts';
import type { Editor } from '../../state/editor.ts';
import { findLayer, freshId } from '../../state/layers.ts';
import { notify, notifyError } from '../../wording.ts';
import { middleInSight } from '../canvas-state.ts';
import type { CanvasState } from '../canvas-state.ts';
import { placeImage } from '../geometry.ts';
import type { Point } from '../geometry.ts';
import { freePosition } from './free-position.ts';
import { selectAdded } from './select-added.ts';

/** Maximum number of files of one drop. A notice reports that further files are ignored. */
const filesMax = 20;

/** Maximum length of a layer's name in characters, as in the schema. */
const nameLengthMax = 200;

/** Adds an image from a public address about a point, or replaces that of a layer. */
export async function addAddress(
  state: CanvasState,
  address: string,
  at: Point,
  replaced?: string,
): Promise<void> {
  const { client } = state.editor.service;
  await take(state, address, { at, isFree: false, replaced }, () =>
    client.uploadAssetFromUrl(address),
  );
}

/**
 * Uploads image files and adds a layer for each, or replaces the image of a layer. The first lies about the point `at`,
 * the others and those without a point at free positions.
 */
export async function addFiles(
  state: CanvasState,
  files: readonly File[],
  at: Point | undefined,
  replaced?: string,
): Promise<void> {
  const known = imageFiles.split(',');
  const images = files.filter(({ type }) => type === '' || known.includes(type));
  const [other] = files.filter((file) => !images.includes(file));
  const kinds = 'expected a PNG, JPEG, WebP, AVIF, GIF or SVG';
  if (other !== undefined) notify(`${other.name} is no image, ${kinds}.`, { kind: 'error' });
  if (images.length > filesMax) {
    notify(`Only the first ${filesMax} images are taken at a time.`, { kind: 'error' });
  }
  for (const [index, file] of images.slice(0, filesMax).entries()) {
    const isFree = at === undefined || index > 0;
    const target = { at: at ?? middleInSight(state.editor), isFree, replaced };
    await take(state, file.name, target, async () =>
      uploadImage(state.editor.service, file, (part) => {
        state.uploading.value = { name: file.name, part };
      }),
    );
  }
}

/** Where an image goes: about a point, to the free position nearest to it, or into a layer. */
interface Target {
  at: Point;
  isFree: boolean;
  replaced: string | undefined;
}

/** Uploads an image and adds it. Notifies of a failure. */
async function take(
  { editor, uploading }: CanvasState,
  name: string,
  target: Target,
  store: () => Promise<Asset>,
): Promise<void> {
  uploading.value = { name, part: undefined };
  try {
    const asset = await store();
    if (!replaceImage(editor, target.replaced, asset)) addImage(editor, asset, name, target);
  } catch (error) {
    notifyError(`${name} was not uploaded`, error);
  }
  uploading.value = undefined;
}

/** Replaces the image of a layer, or the default of its variable, as an upload in the inspector does. */
function replaceImage(editor: Editor, id: string | undefined, { id: src }: Asset): boolean {
  const layer = id === undefined ? undefined : findLayer(editor.document.value, id);
  if (layer?.type !== 'image') return false;
  const { name } = splitBinding(wholeBinding(layer.src) ?? '');
  if (name !== '') changeDefault(editor, name, src);
  else {
    editor.change('Change source', (draft) => {
      const changed = findLayer(draft, layer.id);
      if (changed?.type === 'image') changed.src = src;
    });
  }
  return true;
}

function addImage(editor: Editor, asset: Asset, name: string, { at, isFree }: Target): void {
  const words = name.replace(/^.*\//, '').replace(/\.\w+$/, '');
  const named = words === '' ? {} : { name: words.slice(0, nameLengthMax) };
  const { document } = editor;
  const isBackground = document.value.layers.length === 0 && canCover(document.value, asset);
  let id = '';
  const recipe = (draft: Template): void => {
    id = freshId(draft, 'image');
    const box = placeImage(draft, asset, at);
    const position = isFree ? freePosition(editor, box) : {};
    const layer: ImageLayer = { id, type: 'image', ...named, ...box, ...position, src: asset.id };
    draft.layers.push(layer);
    if (isBackground) coverCanvas(draft, layer);
  };
  if (isBackground) editor.changeWhole('Add an image', recipe);
  else editor.change('Add an image', recipe);
  // What is dropped next belongs on the background.
  selectAdded(editor, isBackground ? [] : [id]);
}

/** Largest enlargement of a photo as a background. Beyond it, an image is more likely a logo. */
const enlargementMax = 1.5;

/** Whether an image is a photo that can cover the canvas. */
function canCover(canvas: Template, { type, width, height }: Asset): boolean {
  const enlargement = Math.max(canvas.width / width, canvas.height / height);
  return type !== 'image/svg+xml' && enlargement <= enlargementMax;
}
