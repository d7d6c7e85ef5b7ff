/** Gives the browser the fonts that templates are drawn with, so that a caret stands where the letters are. */
import type { TextLayer } from '#language/schema/text.ts';
import type { Service } from '../../state/service.ts';

/** Faces that were asked for, by their names; each once. */
const faces = new Map<string, Promise<void>>();

/** Faces that a tab keeps; further ones are shown in the browser's own font. */
const facesMax = 60;

/** The name under which a layer's font is known to the page; no font of the machine is called so. */
export function faceName(layer: TextLayer): string {
  const { family, weight, style } = faceOf(layer);
  return `platen ${family} ${weight} ${style}`.replaceAll(/["\\]/g, '');
}

/** Loads the font of a layer. Resolves, never rejects: without it the field shows the browser's own font. */
export function loadFace(service: Service, layer: TextLayer): Promise<void> {
  const name = faceName(layer);
  const known = faces.get(name);
  if (known !== undefined || faces.size >= facesMax) return known ?? Promise.resolve();
  const loading = load(service, layer, name).catch(() => void faces.delete(name));
  faces.set(name, loading);
  return loading;
}

async function load(service: Service, layer: TextLayer, name: string): Promise<void> {
  const { family, weight, style } = faceOf(layer);
  const query = new URLSearchParams({ family, weight: String(weight), style });
  const response = await service.load(`/studio/fonts?${query.toString()}`);
  if (!response.ok) throw new Error(`The font ${family} is not there.`);
  // Of the weight of the file: the browser makes nothing bolder.
  const face = new FontFace(name, await response.arrayBuffer(), { weight: '1 1000', style });
  document.fonts.add(await face.load());
}

function faceOf({ fontFamily, fontWeight, fontStyle }: TextLayer): {
  family: string;
  weight: number;
  style: string;
} {
  const first = Array.isArray(fontFamily) ? fontFamily[0] : fontFamily;
  return {
    family: first ?? 'Inter',
    weight: typeof fontWeight === 'number' ? fontWeight : 400,
    style: fontStyle === 'italic' ? 'italic' : 'normal',
  };
}
