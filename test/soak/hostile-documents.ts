/** Documents near the limits of what is accepted and beyond them, for previews; each differs by its number. */
import { readFileSync } from 'node:fs';
import { hostileSvgs } from '../fixtures/hostile-svg.ts';
import { aLayer, aTemplate } from '../fixtures/template-documents.ts';

type Document = (index: number) => Record<string, unknown>;

const size = { width: 1200, height: 630 };

function file(name: string): Document {
  const path = new URL(`../fixtures/hostile/${name}.json`, import.meta.url);
  const document = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return () => document;
}

function drawing(name: string): Document {
  const numbered = (index: number): string =>
    (hostileSvgs[name] ?? '').replace('<svg', `<svg id="n${index}"`);
  return (index) =>
    aTemplate({ ...size, layers: [aLayer('svg', { ...size, svg: numbered(index) })] });
}

/** Expensive and allowed: a large blur over the whole canvas. */
const allowed: Document = (index) => {
  const ground = aLayer('rect', { ...size, fill: '#40a0c0', blur: 30 });
  const text = { id: 't', ...size, text: `Number ${index}`, fontSize: 96 };
  return aTemplate({ ...size, layers: [ground, aLayer('text', text)] });
};

const documents: readonly Document[] = [
  file('groups8'),
  file('stroke400'),
  file('blur-and-shadow-small'),
  drawing('tiny dashes'),
  drawing('many octaves'),
  allowed,
];

/** The body of a preview at scale 3, by number. All documents move in every second turn. */
export function hostilePreview(index: number): string {
  const template = { ...documents[index % documents.length]?.(index), name: `Soak ${index}` };
  if (Math.floor(index / documents.length) % 2 === 0) {
    return JSON.stringify({ template, values: {}, scale: 3 });
  }
  const { layers } = template as unknown as { layers: readonly { id: string }[] };
  const tracks = layers.map(({ id }) => ({ layer: id, property: 'x', to: 30 }));
  const animation = { type: 'motion', seconds: 0.2, tracks };
  const moving = { ...template, animation };
  return JSON.stringify({ template: moving, values: {}, scale: 3, format: 'webp', animated: true });
}
