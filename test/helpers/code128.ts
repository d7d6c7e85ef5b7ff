/** Reads the bars of a Code 128 symbol back into text, from the tables of ISO/IEC 15417. */

/** Widths of bars and spaces of the values 0 to 105, and of the stop. */
const patterns = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 ' +
  '113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 ' +
  '212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 ' +
  '113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 ' +
  '314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 ' +
  '241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 ' +
  '214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 ' +
  '211232 2331112'
).split(' ');
const startA = 103;
const stop = 106;
const setNames = ['A', 'B', 'C'] as const;

/** The text of a symbol given as the widths of its bars and spaces in modules; throws where it is none. */
export function readCode128(widths: readonly number[]): string {
  const values: number[] = [];
  for (let at = 0; at < widths.length; at += 6) {
    const isLast = at + 7 === widths.length;
    const value = patterns.indexOf(widths.slice(at, at + (isLast ? 7 : 6)).join(''));
    if (value === -1) throw new Error(`no character at ${at}`);
    values.push(value);
    if (isLast) break;
  }
  if (values.pop() !== stop) throw new Error('no stop');
  const check = values.pop();
  const sum = values.reduce((total, value, index) => total + value * Math.max(1, index), 0);
  if (check !== sum % 103) throw new Error('wrong check character');
  return readValues(values);
}

function readValues([start = 0, ...values]: number[]): string {
  let set = setNames[start - startA] ?? 'B';
  let text = '';
  let shifted: 'A' | 'B' | undefined;
  // FNC4 adds 128 to the next character, twice in a row to all that follow.
  let isHigh = false;
  let flips = false;
  for (const value of values) {
    const current = shifted ?? set;
    shifted = undefined;
    if (current === 'C' && value < 100) text += String(value).padStart(2, '0');
    else if (current !== 'C' && value < 96) {
      const code = current === 'A' && value >= 64 ? value - 64 : value + 32;
      text += String.fromCharCode(code + (isHigh === flips ? 0 : 128));
      flips = false;
    } else if (value === 98 && current !== 'C') shifted = current === 'A' ? 'B' : 'A';
    else if (value === 99) set = 'C';
    else if ((value === 100 && current === 'B') || (value === 101 && current === 'A')) {
      if (flips) isHigh = !isHigh;
      flips = !flips;
    } else if (value === 100) set = 'B';
    else if (value === 101) set = 'A';
    else throw new Error(`value ${value} in set ${current}`);
  }
  return text;
}
