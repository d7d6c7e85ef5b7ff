/** Positions the tools of a text or a list beside the layer, inside the window and clear of its bars. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toScreen } from '../canvas-state.ts';
import type { Size, View } from '../canvas-state.ts';
import { boundsOf } from '../geometry.ts';
import type { Rect } from '../geometry.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { placeBeside } from './bars.ts';

interface BesideProps {
  className: string;
  /** Box of the layer in the window, screen pixels. */
  box: Rect;
  window: Size;
  /** Gap to the box, screen pixels. */
  gapPx?: number;
  children?: ComponentChildren;
}

export function Beside({ className, box, window, gapPx, children }: BesideProps): VNode {
  const reference = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const measure = (): void => {
    const { current: element } = reference;
    if (element === null) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    setSize((known) =>
      width === known.width && height === known.height ? known : { width, height },
    );
  };
  useLayoutEffect(measure);
  useEffect(() => {
    // Tools whose code is loaded later come without a render of this component.
    const watcher = new ResizeObserver(measure);
    if (reference.current !== null) watcher.observe(reference.current);
    return () => watcher.disconnect();
  }, []);
  const { x, y } = placeBeside(box, size, window, gapPx);
  return (
    <div class={className} ref={reference} style={{ transform: `translate(${x}px, ${y}px)` }}>
      {children}
    </div>
  );
}

/** Upright bounds of a layer in the window, screen pixels. */
export function screenBounds({ seen }: LayerGeometry, view: View): Rect {
  const bounds = boundsOf([seen]) ?? seen;
  const { zoom } = view;
  return { ...toScreen(view, bounds), width: bounds.width * zoom, height: bounds.height * zoom };
}
