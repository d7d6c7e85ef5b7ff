/** Writes small ODS files from the XML of their tables. */
import { zip } from './xlsx-file.ts';

const namespaces = ['office', 'style', 'text', 'table', 'number', 'draw']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

export interface OdsParts {
  /** The elements in the spreadsheet: tables, and what may be beside them. */
  tables: string;
  /** The automatic styles. */
  styles?: string;
}

export function odsContent({ tables, styles = '' }: OdsParts, root = 'document-content'): string {
  return `<?xml version="1.0" encoding="UTF-8"?><office:${root} ${namespaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:${root}>`;
}

/** An ODS; `others` are further parts by their names. */
export function ods(parts: OdsParts, others: Readonly<Record<string, string>> = {}): Buffer {
  const mimetype = 'application/vnd.oasis.opendocument.spreadsheet';
  // The type stands uncompressed at the start, which a ZIP with a name of this length shows, too.
  const file = zip({ [`mimetype${mimetype}`]: '', ...others, 'content.xml': odsContent(parts) });
  return file;
}

/** A table with these rows. */
export function odsTable(rows: string, name = 'Sheet1', attributes = ''): string {
  return `<table:table table:name="${name}" ${attributes}>${rows}</table:table>`;
}

/** A cell with these attributes, and what is inside of it. */
export function odsCell(attributes: string, content = ''): string {
  return `<table:table-cell ${attributes}>${content}</table:table-cell>`;
}

/** A row of texts. */
export function odsRow(...texts: string[]): string {
  const cells = texts.map(
    (text) =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`,
  );
  return `<table:table-row>${cells.join('')}</table:table-row>`;
}
