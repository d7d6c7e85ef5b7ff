/** Works on the canvas of the studio as a person does: points, drags, and reads what was saved. */
import type { Page } from 'playwright-core';
import type { Layer } from '#shared/layer-schemas.ts';
import type { Point } from '../../src/studio/canvas/geometry.ts';

type Modifier = 'Shift' | 'Control' | 'Alt';

/** A canvas at 100 %; points are design pixels. */
export class CanvasPage {
  readonly page: Page;
  readonly complaints: string[];
  readonly #readDocument: () => Promise<{ layers: Layer[] }>;

  constructor(page: Page, complaints: string[], readDocument: () => Promise<{ layers: Layer[] }>) {
    this.page = page;
    this.complaints = complaints;
    this.#readDocument = readDocument;
  }

  /** The point of the screen: the picture moves when the panels round it come. */
  async at({ x, y }: Point): Promise<[number, number]> {
    const corner = await this.page.locator('.canvas-sheet').boundingBox();
    if (corner?.width !== 400) throw new Error(`shown ${corner?.width} px wide`);
    return [corner.x + x, corner.y + y];
  }

  async click(point: Point): Promise<void> {
    await this.page.mouse.click(...(await this.at(point)));
  }

  async press(point: Point): Promise<void> {
    await this.page.mouse.move(...(await this.at(point)));
    await this.page.mouse.down();
  }

  /** With modifiers held. */
  async moveTo(point: Point, modifiers: readonly Modifier[] = []): Promise<void> {
    for (const key of modifiers) await this.page.keyboard.down(key);
    await this.page.mouse.move(...(await this.at(point)), { steps: 3 });
    // The canvas uses one movement a frame of the screen.
    await this.page.evaluate('new Promise(requestAnimationFrame)');
    for (const key of modifiers) await this.page.keyboard.up(key);
  }

  release(): Promise<void> {
    return this.page.mouse.up();
  }

  async drag(from: Point, to: Point, modifiers: readonly Modifier[]): Promise<void> {
    await this.press(from);
    await this.moveTo(to, modifiers);
    await this.release();
  }

  /** As it is saved. */
  async layer(id: string): Promise<Layer | undefined> {
    return (await this.#savedLayers()).find((layer) => layer.id === id);
  }

  /** Ids of the saved layers in paint order. */
  async order(): Promise<string[]> {
    return (await this.#savedLayers()).map(({ id }) => id);
  }

  async #savedLayers(): Promise<Layer[]> {
    await this.page.keyboard.press('Control+s');
    await this.page.waitForSelector('.save-note[data-state="saved"]');
    return (await this.#readDocument()).layers;
  }

  /** One, or two while layers are carried. */
  pictures(): Promise<number> {
    return this.page.locator('.canvas-sheet img').count();
  }

  async selectedSize(): Promise<{ width: number; height: number } | undefined> {
    const points = (await this.page.locator('.outline').getAttribute('points')) ?? '';
    const [start, , end] = points.split(' ').map((pair) => pair.split(',').map(Number));
    if (start === undefined || end === undefined) return undefined;
    return {
      width: Math.round((end[0] ?? 0) - (start[0] ?? 0)),
      height: Math.round((end[1] ?? 0) - (start[1] ?? 0)),
    };
  }
}
