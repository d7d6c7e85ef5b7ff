/** Reads the number formats of an ODS, and which cells have them (OpenDocument 1.3 part 3, 16.2 and 16.29). */
import { formatCount, tooLarge } from '../list.ts';
import { workbookLimits } from '../list-limits.ts';
import { plainFormat, type CellFormat } from '../workbook/number-format.ts';
import type { PartEvents } from '../workbook/read-part.ts';

/** A style of cells. Without a format it has that of its parent. */
interface CellStyle {
  format: string | undefined;
  parent: string | undefined;
}

/** A number format while its elements are read. */
interface NumberFormat extends CellFormat {
  /** The format of positive numbers, where it differs. */
  positive?: string;
}

const formatElements: ReadonlySet<string> = new Set([
  'number-style',
  'currency-style',
  'percentage-style',
  'date-style',
  'time-style',
  'boolean-style',
  'text-style',
]);

const dateParts: ReadonlySet<string> = new Set([
  'year',
  'month',
  'day',
  'era',
  'day-of-week',
  'week-of-year',
  'quarter',
]);

/** Styles inside each other: real ones have two levels. */
const parentsMax = 16;

/** Collects the styles of a part. Later parts of the same file add to them. */
export class CellStyles implements PartEvents {
  readonly #formats = new Map<string, NumberFormat>();
  readonly #cellStyles = new Map<string, CellStyle>();
  readonly #hiddenTables = new Set<string>();
  /** Formats of styles that were asked for. */
  readonly #known = new Map<string, CellFormat | undefined>();
  #format: NumberFormat | undefined;
  #table: string | undefined;
  /** Whether a text of the format is read, and whether it had one. */
  #isText = false;

  /** The number format of a style; undefined for none. */
  formatOf(style: string | undefined): CellFormat | undefined {
    if (style === undefined) return undefined;
    if (!this.#known.has(style)) this.#known.set(style, this.#findFormat(style));
    return this.#known.get(style);
  }

  isHidden(tableStyle: string | undefined): boolean {
    return tableStyle !== undefined && this.#hiddenTables.has(tableStyle);
  }

  open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (formatElements.has(name)) {
      this.#openFormat(name, attributes);
    } else if (this.#format !== undefined) {
      this.#addPart(this.#format, name, attributes);
    } else if (name === 'style') {
      this.#addStyle(attributes);
    } else if (name === 'table-properties' && attributes['table:display'] === 'false') {
      if (this.#table !== undefined) this.#hiddenTables.add(this.#table);
    }
  };

  close = (name: string): void => {
    if (formatElements.has(name)) this.#format = undefined;
    if (name === 'style') this.#table = undefined;
    if (name === 'text') this.#isText = false;
  };

  text = (text: string): void => {
    // A number with a text, such as `0000 €`, is no code with leading zeros.
    if (this.#isText && this.#format !== undefined && text.trim() !== '') this.#format.digits = 0;
  };

  #openFormat(element: string, attributes: Readonly<Record<string, string>>): void {
    const name = attributes['style:name'];
    if (!isName(name)) return;
    const isDuration =
      element === 'time-style' && attributes['number:truncate-on-overflow'] === 'false';
    const isDate = element === 'date-style' || element === 'time-style';
    const kind = isDuration ? 'duration' : isDate ? 'date' : 'number';
    this.#format = { ...plainFormat, kind };
    this.#formats.set(name, this.#format);
    checkCount(this.#formats.size);
  }

  #addPart(format: NumberFormat, name: string, attributes: Readonly<Record<string, string>>): void {
    if (dateParts.has(name)) format.hasDate = true;
    if (name === 'hours' || name === 'minutes' || name === 'seconds') format.hasTime = true;
    if (name === 'seconds') format.hasSeconds = true;
    if (name === 'text') this.#isText = true;
    if (name === 'number') format.digits = zerosOf(attributes);
    if (name === 'map' && /^\s*value\(\)\s*>=?\s*0\s*$/.test(attributes['style:condition'] ?? '')) {
      const positive = attributes['style:apply-style-name'];
      if (isName(positive)) format.positive = positive;
    }
  }

  #addStyle(attributes: Readonly<Record<string, string>>): void {
    const name = attributes['style:name'];
    if (!isName(name)) return;
    if (attributes['style:family'] === 'table') this.#table = name;
    if (attributes['style:family'] !== 'table-cell') return;
    const format = attributes['style:data-style-name'];
    const parent = attributes['style:parent-style-name'];
    this.#cellStyles.set(name, {
      format: isName(format) ? format : undefined,
      parent: isName(parent) ? parent : undefined,
    });
    checkCount(this.#cellStyles.size);
  }

  #findFormat(style: string): CellFormat | undefined {
    let name: string | undefined = style;
    for (let level = 0; level < parentsMax && name !== undefined; level += 1) {
      const found: CellStyle | undefined = this.#cellStyles.get(name);
      const format = found?.format === undefined ? undefined : this.#formats.get(found.format);
      if (format !== undefined) return this.#formats.get(format.positive ?? '') ?? format;
      name = found?.parent;
    }
    return undefined;
  }
}

/** The digits of a format that has only zeros, such as 00000 for a postal code; else 0. */
function zerosOf(attributes: Readonly<Record<string, string>>): number {
  const isWhole = /^0*$/.test(attributes['number:decimal-places'] ?? '');
  if (!isWhole || attributes['number:grouping'] === 'true') return 0;
  const digits = Number(attributes['number:min-integer-digits'] ?? 0);
  return digits > 1 && digits <= workbookLimits.nameCharactersMax ? digits : 0;
}

function isName(name: string | undefined): name is string {
  return name !== undefined && name.length <= workbookLimits.nameCharactersMax;
}

function checkCount(count: number): void {
  if (count <= workbookLimits.cellFormatsMax) return;
  throw tooLarge(
    `The workbook has more than ${formatCount(workbookLimits.cellFormatsMax)} cell formats. Save the sheet as CSV.`,
  );
}
