/** The images of a list, made before sending and kept on disk for the links of its recipients. */
import { mkdirSync, rmSync } from 'node:fs';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toRender } from '../../../render/draw.ts';
import { RenderOrder } from '../../../render/order.ts';
import { checkVariables } from '../../../render/values.ts';
import { toWarmFile, warmPath } from '../../../render/warm-renders.ts';
import type { StoredRow } from '../../store/campaigns/campaign-list.ts';
import type { RowProblem } from '../../store/campaigns/problem-rows.ts';
import { diskReserveBytes, freeBytes } from './disk-space.ts';
import { rowQuery } from '../list/row-values.ts';
import { mapConcurrently } from '../run-rows.ts';
import type { RowWork } from '../run-rows.ts';
import type { RowWorkSubject } from '../run-subject.ts';

interface WarmState {
  /** Rows whose image is on the disk. */
  warm: number;
  /** Rows whose image is degraded or cannot be drawn, or whose link is refused. */
  failed: number;
  /** Rows for which the disk had no space. */
  left: number;
  badRows: number;
  bytes: number;
}

/** Makes the images of rows. Links of rows without a warm image are rendered on request. */
export class WarmImages implements RowWork {
  readonly #subject: RowWorkSubject;
  readonly #bytesLeft: () => number;
  #state: WarmState = { warm: 0, failed: 0, left: 0, badRows: 0, bytes: 0 };

  /** `bytesLeft` returns the bytes that other campaigns leave; it is called for each batch. */
  constructor(subject: RowWorkSubject, bytesLeft: () => number) {
    this.#subject = subject;
    this.#bytesLeft = bytesLeft;
  }

  async start(stateJson?: string): Promise<void> {
    const { warm } = this.#subject.paths;
    if (stateJson === undefined) {
      rmSync(warm, { recursive: true, force: true });
      // The images of an earlier proof may have changed.
      this.#subject.images.clear();
    } else this.#state = JSON.parse(stateJson) as WarmState;
    for (let index = 0; index < 256; index += 1) {
      const shard = index.toString(16).padStart(2, '0');
      mkdirSync(join(warm, shard), { recursive: true, mode: 0o700 });
    }
  }

  stateJson(): string {
    return JSON.stringify(this.#state);
  }

  counts(): Readonly<Record<string, number>> {
    const { warm, failed, left, badRows, bytes } = this.#state;
    return { warm, failed, no_space: left, bad_rows: badRows, bytes };
  }

  async take(rows: readonly StoredRow[]): Promise<RowProblem[]> {
    const { renderer, paths } = this.#subject;
    const isFull =
      (await freeBytes(paths.folder)) < diskReserveBytes || this.#state.bytes >= this.#bytesLeft();
    await mapConcurrently(rows, renderer.concurrency, (row) => this.#warm(row, isFull));
    return [];
  }

  /** Measures the files, because the sum of the run counts a file twice that a kill left after its checkpoint. */
  async finish(): Promise<void> {
    let bytes = 0;
    const { warm } = this.#subject.paths;
    for (const shard of await readdir(warm)) {
      for (const name of await readdir(join(warm, shard))) {
        bytes += (await stat(join(warm, shard, name))).size;
      }
    }
    this.#state.bytes = bytes;
  }

  async #warm({ cellsJson }: StoredRow, isFull: boolean): Promise<void> {
    if (cellsJson === null) {
      this.#state.badRows += 1;
      return;
    }
    const { template, columns, options, renderer, paths, tables } = this.#subject;
    const cells = JSON.parse(cellsJson) as string[];
    const { values, problems } = checkVariables(template, rowQuery(columns, cells), tables);
    // The link of this row answers 400.
    if (problems.length > 0) {
      this.#state.failed += 1;
      return;
    }
    const order = new RenderOrder(template, options, values, { onImageError: 'default' });
    const path = warmPath(paths.warm, order.key);
    const known = await stat(path).catch(() => undefined);
    if (known !== undefined) {
      this.#state.warm += 1;
      return;
    }
    if (isFull) {
      this.#state.left += 1;
      return;
    }
    const drawn = await renderer.tryDraw(order);
    const render = 'code' in drawn ? undefined : toRender(order, drawn);
    // A degraded image has no tag, and is not stored, as for links.
    if (render?.etag === undefined) {
      this.#state.failed += 1;
      return;
    }
    const file = toWarmFile({ ...render, etag: render.etag });
    // Written to a new name first, so that a kill leaves no partial file. Two equal rows may be in work at a time.
    const draft = `${path}.${process.hrtime.bigint()}`;
    await writeFile(draft, file, { mode: 0o600 });
    await rename(draft, path);
    this.#state.warm += 1;
    this.#state.bytes += file.byteLength;
  }
}
