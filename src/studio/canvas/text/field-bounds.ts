/** Bounds of an edited text, whose field may be larger than the drawn layer. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { boundsOf } from '../geometry.ts';
import type { Box, Rect } from '../geometry.ts';

/**
 * The bounds of the drawn layer and of the field over it. A binding as it is written may take more lines than its value.
 * The reference is that of the element that covers the window.
 */
export function useEditedBounds(layer: Rect): [reference: RefObject<HTMLDivElement | null>, Rect] {
  const reference = useRef<HTMLDivElement>(null);
  const [field, setField] = useState<Box | undefined>(undefined);
  const measure = (): void => {
    const { current: editor } = reference;
    const element = editor?.querySelector('.span-field') ?? null;
    if (editor === null || element === null) return;
    const corner = editor.getBoundingClientRect();
    const { x, y, width, height } = element.getBoundingClientRect();
    const next = { x: x - corner.x, y: y - corner.y, width, height, rotation: 0 };
    setField((known) => (JSON.stringify(known) === JSON.stringify(next) ? known : next));
  };
  useLayoutEffect(measure);
  useEffect(() => {
    const element = reference.current?.querySelector('.span-field') ?? null;
    if (element === null) return undefined;
    // Fonts that arrive later break lines elsewhere.
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  const boxes = [{ ...layer, rotation: 0 }, ...(field === undefined ? [] : [field])];
  return [reference, boundsOf(boxes) ?? layer];
}
