/** The limits of lists: what is larger is refused, and the message names the limit. */
const mebibyte = 1024 * 1024;

export const listLimits = {
  /** Bytes of a file. A million rows of a campaign have about 100 bytes each; this leaves five times as much. */
  fileBytesMax: 512 * mebibyte,
  /** Rows with a value, good or bad. */
  rowsMax: 1_000_000,
  /** Columns. A template has far fewer variables; the rest are fields that an email service adds to each export. */
  columnsMax: 200,
  /** UTF-16 units of a cell: what Excel holds in one. */
  cellCharactersMax: 32_767,
  /** UTF-16 units of a row: it bounds what an unclosed quote collects, and what is held and answered of one. */
  rowCharactersMax: 256 * 1024,
  /** UTF-16 units of all rows that cannot be used: as many as the largest file of another kind than XLSX has. */
  badCharactersMax: 512 * mebibyte,
  /** UTF-16 units of a column's name. */
  nameCharactersMax: 200,
  /** Rows of a batch. */
  batchRowsMax: 500,
  /** UTF-16 units of a batch: rows of the largest size come one by one. */
  batchCharactersMax: 256 * 1024,
} as const;

export const xlsxLimits = {
  /** Files in an XLSX: a workbook of hundreds of sheets with charts and images has fewer. */
  entriesMax: 10_000,
  /** Bytes of its directory, which is held in memory: 10,000 files with the longest names of real workbooks have 1 MiB. */
  directoryBytesMax: 4 * mebibyte,
  /** Bytes of one file in it, decompressed: a sheet of a million rows with 20 columns. */
  partBytesMax: 2048 * mebibyte,
  /** The same of the parts that describe the workbook, its formats and its relations: those of large workbooks have 5 MiB. */
  descriptionBytesMax: 16 * mebibyte,
  /** Visible sheets: more than anyone chooses from. */
  sheetsMax: 1000,
  /** UTF-16 units of a part's name and of a number format: Excel allows 255 for both. */
  nameCharactersMax: 255,
  /** Bytes of a part's name: UTF-8 has up to 3 for each UTF-16 unit. */
  nameBytesMax: 765,
  /** Decompressed to compressed bytes, once `ratioFreeBytes` are read. XML of real sheets has 5 to 40, DEFLATE at most 1,032. */
  ratioMax: 200,
  ratioFreeBytes: 16 * mebibyte,
  /** Bytes of the distinct texts of a workbook in UTF-8, which are held in memory. */
  sharedTextBytesMax: 128 * mebibyte,
  /** Distinct texts of a workbook, each with 4 bytes for its position. */
  sharedTextsMax: 8_000_000,
  /** Cell formats of a workbook: Excel's limit. */
  cellFormatsMax: 65_490,
  /** UTF-16 units of one piece of markup: a tag, or the text between two. */
  markupCharactersMax: mebibyte,
} as const;
