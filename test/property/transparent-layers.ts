/** Transparent layers, of which an image is kept with alpha and in many colours. */
import type { Layer } from '#language/schema/layers.ts';

const box = { x: 4, y: 20, width: 90, height: 40 };

export function gradientText(text: string): Layer {
  const stops = [
    { offset: 0, color: '#f00' },
    { offset: 1, color: '#00f8' },
  ];
  const fill = { gradient: 'linear', stops } as const;
  const shadow = { x: 2, y: 3, blur: 6, color: '#000a' };
  return { id: 'law-gradient', type: 'text', ...box, text, fontSize: 14, fill, shadow };
}

/** A photograph and a turned text over it. */
export function turnedText(text: string): Layer[] {
  const look = { rotation: 30, fontSize: 20, fill: '#0a78', stroke: { color: '#f80', width: 3 } };
  return [
    { id: 'law-photo', type: 'image', x: 30, y: 10, width: 60, height: 60, src: 'photo' },
    { id: 'law-rotated', type: 'text', ...box, text, ...look },
  ];
}
