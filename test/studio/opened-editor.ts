/**
 * Opens a document in the editor and on the canvas of the studio without a page: this process lays out its frames, and
 * events go to the listeners of the canvas.
 */
import { setMaxListeners } from 'node:events';
import type { Test } from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import { canvasShortcuts } from '../../src/studio/canvas/canvas-shortcuts.ts';
import { createCanvasState } from '../../src/studio/canvas/canvas-state.ts';
import type { CanvasState, Tool } from '../../src/studio/canvas/canvas-state.ts';
import { boundsOf, handles, pointOn } from '../../src/studio/canvas/geometry.ts';
import type { Handle, Point } from '../../src/studio/canvas/geometry.ts';
import { watchPointer } from '../../src/studio/canvas/gestures/pointer.ts';
import type { SpaceName } from '../../src/studio/canvas/stack-spaces.ts';
import { arranger } from '../../src/studio/state/arrangement/arranger.ts';
import { moveCopiesInSizes } from '../../src/studio/state/arrangement/copies.ts';
import { arrangeNewLayers } from '../../src/studio/state/arrangement/new-layers.ts';
import { arrangeWrapped } from '../../src/studio/state/arrangement/wrapped-layers.ts';
import { loadEditor } from '../../src/studio/state/editor.ts';
import type { Editor } from '../../src/studio/state/editor.ts';
import { findLayer } from '../../src/studio/state/layers.ts';
import type { Service } from '../../src/studio/state/service.ts';
import { viewOf } from '../../src/studio/state/sizes.ts';
import { reportOf } from './measured-boxes.ts';

/** As much of an element as listeners of the canvas use. Its corner is that of the window. */
class Surface extends EventTarget {
  dataset: Record<string, string> = {};
  setPointerCapture(): void {}
  getBoundingClientRect = (): object => ({ left: 0, top: 0 });
  closest = (): null => null;
  matches = (): boolean => false;
}

const page = new EventTarget();
setMaxListeners(0, page);
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  requestAnimationFrame: queueMicrotask,
  innerWidth: 800,
  innerHeight: 600,
  document: { querySelector: () => null, activeElement: null },
  Element: Surface,
  HTMLElement: Surface,
  SVGElement: Surface,
});
arranger.code = { arrangeNewLayers, arrangeWrapped, moveCopiesInSizes };

export type Modifier = 'Shift' | 'Control' | 'Alt';

/** Opens a document of 400 × 300 px with these layers until the test ends. */
export async function openEditor(
  t: Test,
  layers: readonly object[],
  more: object = {},
): Promise<OpenedEditor> {
  const base = { format: 1, name: 'Canvas', width: 400, height: 300, variables: [], layers };
  const checked = checkTemplate({ ...base, ...more });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const { template } = checked;
  const client = {
    getTemplate: async () => ({ cid: 'first', version: null }),
    getTemplateDocument: async () => template,
    updateTemplate: async () => ({ cid: 'next' }),
    previewReport: async (request: { template: Template }) => reportOf(request.template, true),
  };
  const editor = await loadEditor({ client } as unknown as Service, 'opened');
  t.teardown(() => editor.close());
  const opened = new OpenedEditor(editor);
  t.teardown(opened.close);
  await opened.settle();
  return opened;
}

/** Points are design pixels: the view is at 100 %, and the corner of the image is that of the window. */
export class OpenedEditor {
  readonly editor: Editor;
  readonly state: CanvasState;
  readonly close: () => void;
  readonly #surface = new Surface();
  #held: readonly Modifier[] = [];
  #at: Point = { x: 0, y: 0 };

  constructor(editor: Editor) {
    this.editor = editor;
    this.state = createCanvasState(editor);
    this.state.window.value = { width: 800, height: 600 };
    this.close = watchPointer(this.state, this.#surface as unknown as HTMLElement);
  }

  /** Waits for the report of the newest document. */
  async settle(): Promise<void> {
    while (this.editor.frame.value?.number !== this.editor.askedFrame.value) {
      const failure = this.editor.frameError.value;
      if (failure !== undefined) throw new Error(failure.text);
      await new Promise(setImmediate);
    }
  }

  select(...ids: string[]): void {
    this.editor.selection.value = ids;
  }

  /** The selected ids. */
  get selected(): readonly string[] {
    return this.editor.selection.value;
  }

  /** Chooses a tool. */
  take(tool: Tool): void {
    this.state.tool.value = tool;
  }

  /** Runs the shortcuts of these keys. */
  keys(...all: string[]): void {
    for (const keys of all) {
      const row = canvasShortcuts.find((each) => each.keys.includes(keys));
      if (row?.run === undefined) throw new Error(`no shortcut ${keys}`);
      row.run({ editor: this.editor });
    }
  }

  /** Presses a key that the canvas handles itself, such as Escape. */
  key(key: string): void {
    page.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key }));
  }

  /** On a handle or a space of the overlay, or on the image. */
  press(at: Point, held: readonly Modifier[] = [], on: Record<string, string> = {}): void {
    this.#held = held;
    this.#surface.dataset = on;
    page.dispatchEvent(new Event('pointerdown'));
    this.#send('pointerdown', at);
  }

  /** With modifiers held, until the release. */
  async moveTo(at: Point, held: readonly Modifier[] = this.#held): Promise<void> {
    this.#held = held;
    this.#send('pointermove', at);
    // The canvas uses one movement a frame of the screen.
    await Promise.resolve();
  }

  async release(): Promise<void> {
    this.#send('pointerup', this.#at);
    page.dispatchEvent(new Event('pointerup'));
    await this.settle();
  }

  async click(at: Point, held: readonly Modifier[] = []): Promise<void> {
    this.press(at, held);
    await this.release();
  }

  async doubleClick(at: Point): Promise<void> {
    await this.click(at);
    this.#send('dblclick', at);
    await this.settle();
  }

  /** The modifiers are pressed after the pointer. */
  async drag(
    from: Point,
    to: Point,
    held: readonly Modifier[] = [],
    on: Record<string, string> = {},
  ): Promise<void> {
    this.press(from, [], on);
    await this.moveTo(to, held);
    await this.release();
  }

  /** Drags copies of what is at a point, by Alt. */
  async dragCopy(from: Point, to: Point, held: readonly Modifier[] = []): Promise<void> {
    this.press(from, ['Alt']);
    await this.moveTo(to, ['Alt', ...held]);
    await this.release();
  }

  /** Drags a handle of the selection by a distance, or one of its spaces, such as its gap. */
  async pull(
    name: Handle['name'] | SpaceName,
    by: readonly [x: number, y: number],
    held: readonly Modifier[] = [],
  ): Promise<void> {
    const [x, y] = by;
    const from = this.#gripOf(name);
    const on = handles.some((each) => each.name === name) ? { handle: name } : { space: name };
    await this.drag(from, { x: from.x + x, y: from.y + y }, held, on);
  }

  /** Where a handle of the selection is. */
  #gripOf(name: string): Point {
    const seen = this.state.selected.value.map((each) => each.seen);
    const bounds = boundsOf(seen) ?? { x: 0, y: 0, width: 0, height: 0 };
    const box = seen.length === 1 && seen[0] ? seen[0] : { ...bounds, rotation: 0 };
    const { horizontal = 0, vertical = 0 } = handles.find((each) => each.name === name) ?? {};
    return pointOn(box, horizontal, vertical);
  }

  #send(type: string, { x, y }: Point): void {
    this.#at = { x, y };
    const [shiftKey, ctrlKey, altKey] = (['Shift', 'Control', 'Alt'] as const).map((key) =>
      this.#held.includes(key),
    );
    const keys = { shiftKey, ctrlKey, altKey, metaKey: false };
    const event = Object.assign(new Event(type), { clientX: x, clientY: y, button: 0, ...keys });
    this.#surface.dispatchEvent(Object.assign(event, { pointerId: 1 }));
  }

  /** As the shown size has it, at any depth. */
  find(id: string): Readonly<Record<string, unknown>> {
    return { ...findLayer(this.editor.document.value, id) };
  }

  /** As a size has it; undefined for the canvas of the document. */
  findIn(size: string | undefined, id: string): Readonly<Record<string, unknown>> {
    return { ...findLayer(viewOf(this.editor.whole.value, size), id) };
  }

  /** The layers of all sizes, as they are saved. */
  get layers(): Layer[] {
    return this.editor.whole.value.layers;
  }

  /** Ids in paint order of the layers of the canvas, or of a group or stack. */
  order(parent?: string): string[] {
    const { document } = this.editor;
    const of = parent === undefined ? document.value : findLayer(document.value, parent);
    return of !== undefined && 'layers' in of ? of.layers.map(({ id }) => id) : [];
  }
}
