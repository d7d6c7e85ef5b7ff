/** Handlers of a square in which a point is set: it follows the pointer while the button is held, also outside. */

export interface FollowsPointer {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
}

/** `set` is told where in the element the pointer is, as parts of its width and height; outside under 0 or over 1. */
export function followPointer(set: (x: number, y: number) => void): FollowsPointer {
  const follow = (event: PointerEvent): void => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    set((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  return {
    onPointerDown(event) {
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      follow(event);
    },
    onPointerMove(event) {
      if (event.buttons === 1) follow(event);
    },
  };
}
