/** Builds layers and documents for tests of functions. */
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { documentOf } from './documents.ts';

/** A rectangle of 40 × 20 px, unless `more` says otherwise. */
export function rect(id: string, more: object = {}): Layer {
  return { type: 'rect', id, width: 40, height: 20, ...more };
}

/** A text that hugs its words. */
export function text(id: string, words: string, more: object = {}): Layer {
  return { type: 'text', id, width: 'hug', height: 'hug', text: words, ...more };
}

/** A stack that hugs its layers. */
export function stack(id: string, layers: Layer[], more: object = {}): Layer {
  return { type: 'stack', id, width: 'hug', height: 'hug', layers, ...more };
}

export function group(id: string, layers: Layer[], more: object = {}): Layer {
  return { type: 'group', id, width: 90, height: 90, layers, ...more };
}

/** A valid document of 400 × 300 px. */
export function template(layers: readonly object[], more: object = {}): Template {
  return valid(documentOf(layers, more));
}

/** The document, if the service takes it. */
export function valid(document: unknown): Template {
  const checked = checkTemplate(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.template;
}

/** What the service would say against a document. */
export function problemsOf(document: Template): Array<{ path: string; message: string }> {
  const checked = checkTemplate(JSON.parse(JSON.stringify(document)));
  return checked.ok ? [] : checked.problems;
}

/** Layers side by side, a turned one, a group and two texts, on a canvas of 400 × 300 px. */
export const mixedLayers: readonly Layer[] = [
  rect('a', { x: 40, y: 43, width: 80, height: 60, fill: '#d64933' }),
  rect('b', { x: 210, y: 17, width: 100, height: 60, fill: '#20639b' }),
  rect('c', { x: 60, y: 170, width: 120, height: 60, rotation: 30, fill: '#3caea3' }),
  group(
    'g',
    [
      rect('in', { x: 0, y: 0, width: 20, fill: '#333333' }),
      rect('out', { x: 30, y: 30, width: 20, fill: '#777777' }),
    ],
    { x: 330, y: 90, width: 50, height: 50 },
  ),
  text('t', 'Hi {{name}}', { x: 220, y: 180, width: 160, height: 40, fontSize: 24 }),
  text('s', '{{city}}', { x: 220, y: 240, width: 160, height: 40, fontSize: 24 }),
];
