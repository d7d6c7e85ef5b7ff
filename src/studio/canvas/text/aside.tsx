/** What stands beside a text that is edited: where typed text goes, and the field that cannot lie over the picture. */
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Rect } from '../geometry.ts';
import { placeBeside } from '../view.ts';
import type { Size } from '../view.ts';

/** Holds `children` beside `box`, both in screen pixels of the window. */
export function TextAside({
  box,
  window,
  children,
}: {
  box: Rect;
  window: Size;
  children?: ComponentChildren;
}): VNode {
  const asideRef = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current: element } = asideRef;
    if (element === null) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    if (width !== size.width || height !== size.height) setSize({ width, height });
  });
  const { x, y } = placeBeside(box, size, window);
  const transform = `translate(${x}px, ${y}px)`;
  return (
    <div class="text-aside" ref={asideRef} style={{ transform }}>
      {children}
    </div>
  );
}
