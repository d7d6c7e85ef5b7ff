/** The files of lists by the endings of their names. */

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  fods: 'application/vnd.oasis.opendocument.spreadsheet',
  vcf: 'text/vcard',
  vcard: 'text/vcard',
};

/** The endings of lists, each with its dot. */
export const listEndings: readonly string[] = Object.keys(types).map((ending) => `.${ending}`);

/** The media type of a list by the name of its file; that of CSV for an unknown ending. The service looks inside, too. */
export function listType(name: string): string {
  return types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/csv';
}
