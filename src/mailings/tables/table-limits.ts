/** Limits of data tables. Errors name the limit that a table exceeds. */

const mebibyte = 1024 * 1024;

export const tableLimits = {
  /** Bytes of an upload: a million rows of 250 bytes. */
  uploadBytesMax: 256 * mebibyte,
  rowsMax: 1_000_000,
  columnsMax: 100,
  /** UTF-16 units of a key, which is part of links. */
  keyCharactersMax: 256,
  /** UTF-16 units of a cell: four of the longest texts, or a list. */
  cellCharactersMax: 8000,
  /** Stored bytes of a row. Each render parses its row, which takes 30 µs for 16 KiB. */
  rowBytesMax: 16 * 1024,
  /** Rows of one request that changes rows, and bytes of its body. */
  changesMax: 1000,
  changesBytesMax: mebibyte,
  /** Requests that change rows or wait for that, of one organization and of all. Their bodies are in memory. */
  organizationChangesMax: 32,
  allChangesMax: 128,
  /** Uploads that are received at a time, one for each organization. A slow upload takes half an hour. */
  uploadsMax: 8,
  /** Uploads that are stored at a time. Each takes a core for seconds. */
  importsMax: 2,
} as const;
