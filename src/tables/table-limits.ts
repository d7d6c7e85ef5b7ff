/** The limits of data tables: what is larger is refused, and the message names the limit. */

const mebibyte = 1024 * 1024;

export const tableLimits = {
  /** Bytes of an upload: a million rows of 250 bytes. */
  uploadBytesMax: 256 * mebibyte,
  rowsMax: 1_000_000,
  columnsMax: 100,
  /** UTF-16 units of a key. A link carries it. */
  keyCharactersMax: 256,
  /** UTF-16 units of a cell: four of the longest texts, or a list. */
  cellCharactersMax: 8000,
  /** Bytes of a row as it is stored. It is parsed for each render, 16 KiB in 30 µs. */
  rowBytesMax: 16 * 1024,
  /** Rows of one request that changes some, and bytes of its body. */
  changesMax: 1000,
  changesBytesMax: mebibyte,
  /** Requests of one organization, and of all, that change rows or wait for it: their bodies are in memory. */
  organizationChangesMax: 32,
  allChangesMax: 128,
  /** Uploads that are received at a time, one for an organization: a slow one takes half an hour. */
  uploadsMax: 8,
  /** Uploads that are stored at a time: each takes a core for seconds. */
  importsMax: 2,
} as const;
