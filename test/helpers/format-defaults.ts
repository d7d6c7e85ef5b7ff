/** Draws a layer with and without a default written out, to see whether the page tells the truth about it. */
import type { FormatProperty } from './format-properties.ts';
import { decodePixels, readImage, renderTemplate, validTemplate } from './render.ts';

type Json = Record<string, unknown>;

const size = { x: 10, y: 10, width: 60, height: 40 };
const stops = [
  { offset: 0, color: '#d7263d' },
  { offset: 1, color: '#20639b' },
];
const photo = 'fixture:photo';

/** A layer of each type that has something to show for most of its properties. */
const layers: Record<string, Json> = {
  rect: { type: 'rect', fill: '#d7263d', stroke: { color: '#12355b', width: 4 } },
  ellipse: { type: 'ellipse', fill: '#d7263d', stroke: { color: '#12355b', width: 4 } },
  polygon: { type: 'polygon', sides: 5, fill: '#d7263d', stroke: { color: '#12355b', width: 4 } },
  star: { type: 'star', points: 5, fill: '#d7263d', stroke: { color: '#12355b', width: 4 } },
  path: {
    type: 'path',
    path: 'M5 5L40 30L55 5',
    fill: '#f4d35e',
    stroke: { color: '#12355b', width: 4 },
  },
  line: { type: 'line', stroke: { color: '#12355b', width: 4, dash: [8, 5] } },
  image: { type: 'image', src: photo },
  svg: { type: 'svg', svg: '<svg viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>' },
  qr: { type: 'qr', value: 'platen' },
  barcode: { type: 'barcode', kind: 'code128', value: 'A1' },
  text: {
    type: 'text',
    spans: [{ text: 'Ab cd Ef gh ij kl mn' }],
    stroke: { color: '#f4d35e', width: 1 },
  },
  group: {
    type: 'group',
    layers: [{ id: 'inner', type: 'rect', x: 0, y: 0, width: 60, height: 40, fill: '#3caea3' }],
  },
  stack: {
    type: 'stack',
    layers: [
      { id: 'first', type: 'text', width: 'hug', height: 'hug', text: 'Ab cd' },
      { id: 'second', type: 'rect', width: 20, height: 10, fill: '#3caea3' },
    ],
  },
};

/** Objects that stand round a property, with what they cannot be without. */
const objects: Record<string, Json> = {
  shadow: { color: '#000000', x: 3, y: 3 },
  border: { color: '#12355b', width: 6 },
  clip: { shape: 'rect' },
  filter: {},
  linePill: { fill: '#f4d35e' },
};

/** Fills that a property belongs to. */
const fills: Record<string, Json> = {
  centerX: { gradient: 'radial', stops },
  centerY: { gradient: 'conic', stops },
  radius: { gradient: 'radial', stops },
  fit: { image: photo },
};

/**
 * Whether a layer looks the same with a default written out. `standard` is the page's cell, in Markdown;
 * undefined when it is no single value, such as `none`, or when the property is not a layer's.
 */
export async function drawnAlike(
  { owner, path }: FormatProperty,
  standard: string,
): Promise<boolean | undefined> {
  const value = valueOf(standard);
  const layer = layers[owner === 'layer' ? 'rect' : owner];
  if (value === undefined || layer === undefined) return undefined;
  const [first = '', second, third] = path.split('.');
  if (third !== undefined) return undefined;
  if (second === undefined) return sameDrawing(layer, { ...layer, [first]: value });
  if (first === 'spans') {
    const spans = [{ text: 'Ab cd Ef gh ij kl mn', [second]: value }];
    return sameDrawing(layer, { ...layer, spans });
  }
  const object = first === 'fill' ? fills[second] : (objects[first] ?? layer[first]);
  if (object === undefined) return undefined;
  const written = { ...(object as Json), [second]: value };
  const { [second]: _, ...without } = written;
  return sameDrawing({ ...layer, [first]: without }, { ...layer, [first]: written });
}

/** The value that a cell says: a number, a boolean, or the one word in it. */
function valueOf(cell: string): unknown {
  if (cell === 'true' || cell === 'false') return cell === 'true';
  if (/^−?\d+(\.\d+)?$/.test(cell)) return Number(cell.replace('−', '-'));
  const word = /^`([^`]+)`$/.exec(cell)?.[1];
  return word;
}

async function sameDrawing(one: Json, other: Json): Promise<boolean> {
  const [left, right] = [await draw(one), await draw(other)];
  return left.equals(right);
}

async function draw(layer: Json): Promise<Buffer> {
  const template = validTemplate({
    format: 1,
    name: 'default',
    width: 80,
    height: 60,
    background: '#ffffff',
    variables: [],
    layers: [{ id: 'a', ...size, ...layer }],
  });
  const images = { [photo]: await readImage('test/golden/images/photo.jpg') };
  const { bytes } = await renderTemplate(template, { images });
  const { data } = await decodePixels(bytes);
  return data;
}
