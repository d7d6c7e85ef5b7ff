/** A small window beside what opened it: above everything, closed by Escape and by a press elsewhere. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Pixels between the window, what opened it and the edges of the screen. */
const gapPx = 8;

/**
 * `anchor` is what opened it and gets the focus back; `label` names it for who cannot see it. It stands below
 * the anchor, or beside the whole panel that the anchor is in, and always inside the screen.
 */
export function Popover({
  anchor,
  label,
  side = 'below',
  close,
  children,
}: {
  anchor: HTMLElement;
  label: string;
  side?: 'beside' | 'below';
  close: () => void;
  children?: ComponentChildren;
}): VNode {
  const reference = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = reference.current;
    if (box === null) return undefined;
    box.showPopover();
    place(box, anchor, side);
    const watcher = new ResizeObserver(() => place(box, anchor, side));
    watcher.observe(box);
    (box.querySelector<HTMLElement>('[data-first]') ?? box).focus({ preventScroll: true });
    return () => watcher.disconnect();
  }, [anchor, side]);
  useEffect(() => {
    const press = (event: PointerEvent): void => {
      const inside = event.composedPath();
      const box = reference.current;
      if (box === null || inside.includes(box) || inside.includes(anchor)) return;
      // A window that was opened from inside this one lies outside of it.
      if ((event.target as Element | null)?.closest('.p-popover') !== null) return;
      close();
    };
    document.addEventListener('pointerdown', press, true);
    return () => document.removeEventListener('pointerdown', press, true);
  }, [anchor, close]);
  const closeByKey = (event: KeyboardEvent): void => {
    // The canvas must not take the arrow keys and letters that are meant for a field.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
    anchor.focus();
  };
  return (
    <div
      ref={reference}
      class="p-popover"
      popover="manual"
      role="dialog"
      aria-label={label}
      tabindex={-1}
      onKeyDown={closeByKey}
    >
      {children}
    </div>
  );
}

function place(box: HTMLElement, anchor: HTMLElement, side: 'beside' | 'below'): void {
  const from = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const panel = (anchor.closest('.panel') ?? anchor).getBoundingClientRect();
  const leftOfPanel = panel.left - width - gapPx;
  const beside = leftOfPanel > gapPx ? leftOfPanel : panel.right + gapPx;
  const isBelow = from.bottom + gapPx + height < innerHeight;
  const below = isBelow ? from.bottom + gapPx / 2 : from.top - height - gapPx / 2;
  const left = side === 'beside' ? beside : from.left;
  const top = side === 'beside' ? from.top - gapPx : below;
  box.style.left = `${Math.max(gapPx, Math.min(left, innerWidth - width - gapPx))}px`;
  box.style.top = `${Math.max(gapPx, Math.min(top, innerHeight - height - gapPx))}px`;
}
