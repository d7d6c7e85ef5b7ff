/** Remembers the row file of each table, as of the last pass of a node. */
import type { NodeTable } from '../store/tables/node-tables.ts';

/** Each process has one. */
export class KnownFiles {
  readonly #files = new Map<number, string>();
  readonly #tables = new Map<string, number>();

  /**
   * Records the files of `tables`, which are all tables, or the existing ones of the ids `asked`. Returns the files
   * that no table has any more.
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
