/** Fields that override the detected encoding, separator, header or sheet of a list. */
import type { VNode } from 'preact';
import type { ListChoices } from './upload.ts';

/** Encoding labels of the service, with display names. */
const encodings: ReadonlyArray<readonly [label: string, name: string]> = [
  ['utf-8', 'UTF-8'],
  ['utf-16le', 'UTF-16 (little endian)'],
  ['utf-16be', 'UTF-16 (big endian)'],
  ['windows-1252', 'Windows-1252, Western Europe'],
  ['windows-1250', 'Windows-1250, Central Europe'],
  ['windows-1251', 'Windows-1251, Cyrillic'],
  ['windows-1253', 'Windows-1253, Greek'],
  ['windows-1254', 'Windows-1254, Turkish'],
  ['windows-1255', 'Windows-1255, Hebrew'],
  ['windows-1256', 'Windows-1256, Arabic'],
  ['windows-1257', 'Windows-1257, Baltic'],
  ['windows-874', 'Windows-874, Thai'],
  ['windows-1258', 'Windows-1258, Vietnamese'],
  ['macintosh', 'Mac OS Roman'],
  ['x-mac-ce', 'Mac OS, Central Europe'],
  ['x-mac-cyrillic', 'Mac OS, Cyrillic'],
  ['x-mac-greek', 'Mac OS, Greek'],
  ['x-mac-turkish', 'Mac OS, Turkish'],
  ['cp850', 'DOS 850, Western Europe'],
  ['cp437', 'DOS 437, United States'],
  ['cp852', 'DOS 852, Central Europe'],
  ['cp855', 'DOS 855, Cyrillic'],
  ['cp857', 'DOS 857, Turkish'],
  ['ibm866', 'DOS 866, Russian'],
  ['koi8-r', 'KOI8-R, Russian'],
  ['koi8-u', 'KOI8-U, Ukrainian'],
  ['iso-8859-2', 'ISO 8859-2, Central Europe'],
  ['iso-8859-5', 'ISO 8859-5, Cyrillic'],
  ['iso-8859-7', 'ISO 8859-7, Greek'],
  ['iso-8859-15', 'ISO 8859-15, Western Europe'],
  ['shift_jis', 'Shift_JIS, Japanese'],
  ['euc-jp', 'EUC-JP, Japanese'],
  ['gb18030', 'GB18030, Chinese'],
  ['big5', 'Big5, Chinese'],
  ['euc-kr', 'EUC-KR, Korean'],
];

/** Display names of separators. */
export const separatorNames: Readonly<Record<string, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Bar',
};

/** Display name of an encoding, or the label of an unknown one. */
export function encodingName(label: string): string {
  return encodings.find(([known]) => known === label)?.[1] ?? label;
}

interface Props {
  choices: ListChoices;
  set: (choices: ListChoices) => void;
  /** Sheets of an XLSX file. Undefined for a CSV. */
  sheets: readonly string[] | undefined;
}

/** Fields for a CSV, or the choice of a sheet for an XLSX file. */
export function ListChoiceFields({ choices, set, sheets }: Props): VNode {
  const field = (
    label: string,
    name: keyof ListChoices,
    options: ReadonlyArray<readonly [value: string, text: string]>,
  ): VNode => (
    <label class="field">
      {label}
      <select
        value={choices[name]}
        onChange={(event) => set({ ...choices, [name]: event.currentTarget.value })}
      >
        <option value="">As detected</option>
        {options.map(([value, text]) => (
          <option value={value}>{text}</option>
        ))}
      </select>
    </label>
  );
  if (sheets !== undefined) {
    const names = sheets.map((sheet) => [sheet, sheet] as const);
    return <div class="list-choices">{field('Sheet', 'sheet', names)}</div>;
  }
  return (
    <div class="list-choices">
      {field('Encoding', 'encoding', encodings)}
      {field('Separator', 'separator', Object.entries(separatorNames))}
      {field('First row', 'header', [
        ['present', 'has the names of the columns'],
        ['absent', 'is a recipient'],
      ])}
    </div>
  );
}
