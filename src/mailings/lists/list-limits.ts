/** Limits of lists. Errors name the limit that a list exceeds. */
const mebibyte = 1024 * 1024;

export const listLimits = {
  /** Bytes of a file. A million rows of a campaign have about 100 bytes each; the limit is five times as much. */
  fileBytesMax: 512 * mebibyte,
  /** Rows with a value, including unusable ones. */
  rowsMax: 1_000_000,
  /**
   * Columns. A template has far fewer variables. Other columns are fields that an email service adds to each export.
   */
  columnsMax: 200,
  /** UTF-16 units of a cell: Excel's limit. */
  cellCharactersMax: 32_767,
  /** UTF-16 units of a row. The limit also bounds the text after an unclosed quote, and the memory for a row. */
  rowCharactersMax: 256 * 1024,
  /** UTF-16 units of all unusable rows: the most that a file of another kind than XLSX can have. */
  badCharactersMax: 512 * mebibyte,
  /** UTF-16 units of a column's name. */
  nameCharactersMax: 200,
  /** Rows of a batch. */
  batchRowsMax: 500,
  /** UTF-16 units of a batch: a batch has one row of the largest size. */
  batchCharactersMax: 256 * 1024,
} as const;

export const workbookLimits = {
  /** Files in an XLSX or ODS. A workbook with hundreds of sheets, charts and images has fewer. */
  entriesMax: 10_000,
  /** Bytes of the ZIP directory, which is in memory: 10,000 files with the longest real names have 1 MiB. */
  directoryBytesMax: 4 * mebibyte,
  /** Decompressed bytes of one file in an XLSX or ODS: a sheet of a million rows with 20 columns. */
  partBytesMax: 2048 * mebibyte,
  /** Decompressed bytes of a part for the workbook, its formats or its relations. Large workbooks have 5 MiB. */
  descriptionBytesMax: 16 * mebibyte,
  /** Visible sheets: more than a person chooses from. */
  sheetsMax: 1000,
  /** UTF-16 units of a part's name and of a number format: Excel allows 255 for both. */
  nameCharactersMax: 255,
  /** Bytes of a part's name: UTF-8 has up to 3 for each UTF-16 unit. */
  nameBytesMax: 765,
  /**
   * Maximum ratio of decompressed to compressed bytes, above `ratioFreeBytes`. XML of real sheets has 5 to 40, DEFLATE
   * at most 1,032.
   */
  ratioMax: 200,
  ratioFreeBytes: 16 * mebibyte,
  /** Bytes of the distinct texts of a workbook in UTF-8, which are in memory. */
  sharedTextBytesMax: 128 * mebibyte,
  /** Distinct texts of a workbook, each with 8 bytes for its position and its length. */
  sharedTextsMax: 8_000_000,
  /** Cell formats of a workbook, and number formats of an ODS: Excel's limit. */
  cellFormatsMax: 65_490,
  /** Elements inside each other: a sheet has 10, and extensions some more. The parser keeps each with its name. */
  depthMax: 128,
  /** Attributes of an element: real ones have some 20. */
  attributesMax: 256,
  /**
   * Steps of one reading of a workbook, over all of its parts: an element, an attribute, and 16 bytes of a part are a step each,
   * which takes up to 0.4 µs of CPU time. A sheet of a million rows with 20 columns has 140 million.
   */
  stepsMax: 200_000_000,
  /** Steps for each byte of the file, beyond `stepsFree`. Real sheets have 1 to 10. */
  byteStepsMax: 16,
  stepsFree: 10_000_000,
  /** UTF-16 units of one piece of markup: a tag, or the text between two tags. */
  markupCharactersMax: mebibyte,
} as const;
