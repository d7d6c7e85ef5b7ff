/** Display names of the problems of rows. */

const names: Readonly<Record<string, string>> = {
  BAD_ROW: 'Cannot be read',
  DUPLICATE: 'Duplicate',
  UNMERGED: 'Merge tag left',
  EMPTY: 'Empty value',
  VALUE_TOO_LONG: 'Too long',
  BAD_VALUE: 'Wrong kind of value',
  LOST_LETTERS: 'Letters lost',
  GARBLED_LETTERS: 'Letters garbled',
  HIDDEN_CHARACTER: 'Invisible characters',
  ESCAPE_LEFT: 'Escapes left',
  FORMULA_LEFT: 'Formula left',
  SCIENTIFIC_NUMBER: 'Number shortened',
  SUSPECT_WORD: 'Word without meaning',
  NOT_A_NAME: 'No name',
  NAME_CASE: 'CAPITALS or small letters',
  NAME_ORDER: 'Last, First',
  WHOLE_NAME: 'Whole name',
  MIXED_WRITING: 'Another writing',
  LOST_ZERO: 'Zeros lost',
  BAD_ADDRESS: 'No address',
  SHIFTED_ROW: 'Shifted by a cell',
  TEXT_SHRUNK: 'Text too small',
  TEXT_TRUNCATED: 'Text cut',
  TEXT_OVERFLOWS: 'Text outside its box',
  GLYPH_MISSING: 'Letters missing',
  LOW_CONTRAST: 'Low contrast',
  IMAGE_FAILED: 'Image fails',
  IMAGE_SLOW: 'Image slow',
  TOO_LARGE: 'Over 1 MB',
  VALUE_OUT_OF_RANGE: 'Out of range',
  FORMAT_FAILED: 'Format fails',
  CODE_FAILED: 'Code fails',
  CODE_TOO_SMALL: 'Code too small',
  CODE_UNREADABLE: 'Code reads wrong',
  SVG_FAILED: 'SVG fails',
  SVG_UNSUPPORTED: 'SVG in part',
  FONT_MISSING: 'Font missing',
  AXIS_MISSING: 'Font axis missing',
  LAYER_SKIPPED: 'Layer left out',
  FIRST_FRAME_EMPTY: 'First frame empty',
  FRAMES_LEFT_OUT: 'Fewer frames',
  RENDER_FAILED: 'Cannot be drawn',
};

/** Display name of a problem code, or the code itself if it is unknown. */
export function problemName(code: string): string {
  return names[code] ?? code;
}

/** Number of rows with each problem, from the counts of a proof. The most frequent comes first. */
export function problemCounts(
  counts: Readonly<Record<string, unknown>>,
): [code: string, rows: number][] {
  return Object.entries(counts)
    .filter((count): count is [string, number] => count[0] in names && typeof count[1] === 'number')
    .toSorted(([, a], [, b]) => b - a);
}
