/** Which table has which file of rows, as a node has last seen it. */
import type { NodeTable } from '../store/tables/node-tables.ts';

/** One for each process. */
export class KnownFiles {
  readonly #files = new Map<number, string>();
  readonly #tables = new Map<string, number>();

  /**
   * Notes the files of `tables`: all there are, or those that are there of the tables `asked`. Returns the files that no table
   * has any more.
   */
  note(tables: readonly NodeTable[], asked: readonly number[] = [...this.#files.keys()]): string[] {
    const files = new Map(tables.map(({ id, fileId }) => [id, fileId]));
    const gone = asked.flatMap((id) => {
      const fileId = this.#files.get(id);
      if (fileId === undefined || fileId === files.get(id)) return [];
      this.#files.delete(id);
      this.#tables.delete(fileId);
      return [fileId];
    });
    for (const { id, fileId } of tables) {
      this.#files.set(id, fileId);
      this.#tables.set(fileId, id);
    }
    return gone;
  }

  /** The id of the table that has this file. */
  tableOf(fileId: string): number | undefined {
    return this.#tables.get(fileId);
  }
}
