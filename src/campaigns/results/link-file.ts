/** The list with its links: every row as it was sent, with the address of its image and what the image says. */
import { alternativeText } from '#language/bind/alternative-text.ts';
import { createHmac } from 'node:crypto';
import { extensionOf } from '#language/formats.ts';
import { AppError } from '../../foundation/errors.ts';
import { csvStart, formatCsvRow } from '../../lists/csv/write-csv.ts';
import type { CsvDialect } from '../../lists/list.ts';
import type { Query } from '../../http/query.ts';
import { writeLink } from '../../render/link/auth.ts';
import { linkText } from '../../render/link/short-link.ts';
import type { StoredRow } from '../../store/campaigns/campaign-list.ts';
import { AppendFile } from './append-file.ts';
import { checkCells, rowQuery } from '../list/row-values.ts';
import type { ListFacts } from '../campaign.ts';
import type { RowWorkSubject } from '../run-subject.ts';
import type { RowWork } from '../run-rows.ts';

/** Characters of a link that email services and messengers keep whole. */
const linkCharactersMax = 2000;
/** A short link without a chosen end lives a year: the email may be opened again. */
const shortLinkSeconds = 365 * 24 * 60 * 60;

/** Names of the added columns. */
const addedColumns = ['platen_url', 'platen_alt'];

/** Lists of other kinds are written as most programs read CSV. */
const plainDialect: CsvDialect = { separator: ',', quote: '"', newline: '\r\n' };

/** How results are written: as the list was. */
export function dialectOf({ format }: Pick<ListFacts, 'format'>): CsvDialect {
  return format.kind === 'csv' ? format : plainDialect;
}

interface LinkState {
  bytes: number;
  links: number;
  short: number;
  badRows: number;
}

/** Writes `links.csv`. Rows that cannot be used have no link. */
export class LinkFile implements RowWork {
  readonly #subject: RowWorkSubject;
  readonly #file: AppendFile;
  readonly #dialect: CsvDialect;
  readonly #expires: number;
  #signingKey: string | undefined;
  #state: LinkState = { bytes: 0, links: 0, short: 0, badRows: 0 };

  constructor(subject: RowWorkSubject) {
    this.#subject = subject;
    this.#file = new AppendFile(subject.paths.links);
    this.#dialect = dialectOf(subject.facts);
    this.#expires =
      subject.given.expires ?? Math.floor(subject.run.createdAt / 1000) + shortLinkSeconds;
  }

  async start(stateJson?: string): Promise<void> {
    const { template, organizations, facts } = this.#subject;
    if (template.linkAuth === 'signed') {
      [this.#signingKey] = organizations.findSigningKeys(template.uid);
      if (this.#signingKey === undefined) throw noSigningKey(template.uid);
    }
    if (stateJson !== undefined) this.#state = JSON.parse(stateJson) as LinkState;
    await this.#file.start(this.#state.bytes);
    if (this.#state.bytes > 0) return;
    const { format, columns } = facts;
    const start = format.kind === 'csv' ? csvStart(format) : '';
    await this.#append(start + formatCsvRow([...columns, ...addedColumns], this.#dialect));
  }

  stateJson(): string {
    return JSON.stringify(this.#state);
  }

  counts(): Readonly<Record<string, number>> {
    const { links, short, badRows } = this.#state;
    return { links, short, bad_rows: badRows };
  }

  async take(rows: readonly StoredRow[]): Promise<[]> {
    let text = '';
    const stored: { token: string; linkJson: string }[] = [];
    for (const { row, cellsJson } of rows) {
      if (cellsJson === null) {
        this.#state.badRows += 1;
        continue;
      }
      const cells = JSON.parse(cellsJson) as string[];
      const link = this.#linkOf(row, cells);
      if (link.stored !== undefined) stored.push(link.stored);
      text += formatCsvRow([...cells, link.url, link.alt], this.#dialect);
      this.#state.links += 1;
    }
    const { shortLinks, template } = this.#subject;
    if (stored.length > 0) {
      this.#state.short += stored.length;
      const { uid, organizationUid } = template;
      shortLinks.createLinks(organizationUid, uid, this.#expires, stored);
    }
    await this.#append(text);
    await this.#file.sync();
    return [];
  }

  async finish(): Promise<void> {
    // Each batch is written when it is taken.
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #append(text: string): Promise<void> {
    await this.#file.append(Buffer.from(text));
    this.#state.bytes = this.#file.bytes;
  }

  #linkOf(
    row: number,
    cells: readonly string[],
  ): { url: string; alt: string; stored?: { token: string; linkJson: string } } {
    const { template, columns, options, optionsQuery, path, given, run, tables } = this.#subject;
    const { values } = checkCells(template, columns, cells, tables);
    const alt = alternativeText(template.document, values, options);
    const parameters = [...rowQuery(columns, cells).parameters, ...optionsQuery.parameters];
    const query: Query = { parameters, isTruncated: false };
    if (given.short !== true) {
      const signing = this.#signingKey && { key: this.#signingKey, expires: given.expires };
      const url = `${run.baseUrl}${writeLink(path, query, signing || undefined)}`;
      if (url.length <= linkCharactersMax) return { url, alt };
    }
    const token = this.#tokenOf(row);
    const extension = path.format === undefined ? '' : `.${extensionOf(path.format)}`;
    const stored = { token, linkJson: linkText(path, query) };
    return { url: `${run.baseUrl}/r/${token}${extension}`, alt, stored };
  }

  /** The same for a row that is done again after a kill, and not to be guessed. */
  #tokenOf(row: number): string {
    const { campaign, run } = this.#subject;
    const secret = createHmac('sha256', run.secret).update(`${campaign.id} ${run.number} ${row}`);
    return secret.digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 20);
  }
}

function noSigningKey(uid: string): AppError {
  const message = `The template answers signed links only, and has no signing key: create one with POST /v1/templates/${uid}/signing-keys.`;
  return new AppError('CONFLICT', message, { reason: 'signing-key' });
}
