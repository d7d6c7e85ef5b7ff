/** Writes the list with its links: every row as sent, with the URL and the alternative text of its image. */
import { alternativeText } from '#language/bind/alternative-text.ts';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { csvStart, formatCsvRow } from '../../lists/csv/write-csv.ts';
import type { CsvDialect } from '../../lists/list.ts';
import type { Query, QueryParameter } from '../../../http/query.ts';
import { findNewestKey } from '../../../render/link/auth.ts';
import { writeLink } from '../../../render/link/signature.ts';
import {
  linkCharactersMax,
  linkText,
  shortLinkSeconds,
  shortPath,
} from '../../../render/link/short-link.ts';
import { parameter } from '../../../render/json-values.ts';
import { knownFields } from '../../../render/list-values.ts';
import { checkVariables } from '../../../render/values.ts';
import type { StoredRow } from '../../store/campaigns/campaign-list.ts';
import { AppendFile } from './append-file.ts';
import { rowQuery } from '../list/row-values.ts';
import type { ListFacts } from '../campaign.ts';
import type { RowWorkSubject } from '../run-subject.ts';
import { mapConcurrently } from '../run-rows.ts';
import type { RowWork } from '../run-rows.ts';
import { whenReachable } from '../run-writes.ts';

/** Names of the added columns. */
const addedColumns = ['platen_url', 'platen_alt'];

/** The dialect for lists that are no CSV, which most programs read. */
const plainDialect: CsvDialect = { separator: ',', quote: '"', newline: '\r\n' };

/** The dialect of results, which is that of the list. */
export function dialectOf({ format }: Pick<ListFacts, 'format'>): CsvDialect {
  return format.kind === 'csv' ? format : plainDialect;
}

interface LinkState {
  bytes: number;
  links: number;
  short: number;
  badRows: number;
  /** Rows whose link refuses a value. */
  refused: number;
}

/** Writes `links.csv`. Rows that cannot be used have no link. */
export class LinkFile implements RowWork {
  readonly #subject: RowWorkSubject;
  readonly #file: AppendFile;
  readonly #dialect: CsvDialect;
  readonly #expires: number;
  #signingKey: string | undefined;
  #state: LinkState = { bytes: 0, links: 0, short: 0, badRows: 0, refused: 0 };

  constructor(subject: RowWorkSubject) {
    this.#subject = subject;
    this.#file = new AppendFile(`${subject.paths.links}.part`);
    this.#dialect = dialectOf(subject.facts);
    this.#expires =
      subject.given.expires ?? Math.floor(subject.run.createdAt / 1000) + shortLinkSeconds;
  }

  async start(stateJson?: string): Promise<void> {
    const { template, organizations, facts } = this.#subject;
    this.#signingKey = findNewestKey(template, organizations);
    if (stateJson !== undefined) await this.#resume(JSON.parse(stateJson) as LinkState);
    await this.#file.start(this.#state.bytes);
    if (this.#state.bytes > 0) return;
    const { format, columns } = facts;
    const start = format.kind === 'csv' ? csvStart(format) : '';
    const names = [...this.#sentCells(columns), ...addedColumns];
    await this.#append(start + formatCsvRow(names, this.#dialect));
  }

  stateJson(): string {
    return JSON.stringify(this.#state);
  }

  counts(): Readonly<Record<string, number>> {
    const { links, short, badRows, refused } = this.#state;
    return { links, short, bad_rows: badRows, refused };
  }

  async take(rows: readonly StoredRow[]): Promise<[]> {
    let text = '';
    const stored: { token: string; linkJson: string }[] = [];
    await mapConcurrently(rows, 1, ({ row, cellsJson }) => {
      const cells = cellsJson === null ? undefined : (JSON.parse(cellsJson) as string[]);
      const link = cells && this.#linkOf(row, cells);
      if (cells === undefined || link === undefined) {
        this.#state.badRows += 1;
        return;
      }
      if (link.stored !== undefined) stored.push(link.stored);
      text += formatCsvRow([...this.#sentCells(cells), link.url, link.alt], this.#dialect);
      this.#state.links += 1;
    });
    const { write, run, template, campaign, signal } = this.#subject;
    if (stored.length > 0) {
      this.#state.short += stored.length;
      const { uid, organizationUid } = template;
      const links = {
        organizationUid,
        uid,
        campaignId: campaign.id,
        expires: this.#expires,
        links: stored,
      };
      await whenReachable(() => write({ kind: 'links', run, links }), signal);
      // If this node lost the run, the links of this batch are not stored.
      signal.throwIfAborted();
    }
    await this.#append(text);
    await this.#file.sync();
    return [];
  }

  /** Replaces the file of an earlier run only now, because a client may still be reading it. */
  async finish(): Promise<void> {
    const { links } = this.#subject.paths;
    await rename(`${links}.part`, links);
  }

  /** Restores the partial file if a kill came after `finish`, but before the end of the run was stored. */
  async #resume(state: LinkState): Promise<void> {
    this.#state = state;
    const { links } = this.#subject.paths;
    if (!existsSync(`${links}.part`)) await rename(links, `${links}.part`);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #append(text: string): Promise<void> {
    await this.#file.append(Buffer.from(text));
    this.#state.bytes = this.#file.bytes;
  }

  /** The cells without the added columns, which a list from an earlier run has already: the new ones replace them. */
  #sentCells(cells: readonly string[]): string[] {
    const { columns } = this.#subject.facts;
    return cells.filter((_, index) => !addedColumns.includes(columns[index] ?? ''));
  }

  /** Makes the link of a row; undefined if the values are too many for a short link. */
  #linkOf(
    row: number,
    cells: readonly string[],
  ): { url: string; alt: string; stored?: { token: string; linkJson: string } } | undefined {
    const { template, columns, options, optionsQuery, given, run, tables } = this.#subject;
    // Some email services and clients expect an extension.
    const path = { uid: this.#subject.path.uid, format: options.format };
    const rowPairs = rowQuery(columns, cells);
    const { values, problems } = checkVariables(template, rowPairs, tables);
    if (problems.length > 0) this.#state.refused += 1;
    // Many email services insert the text between straight quotes without escaping, so a straight quote would end the
    // attribute.
    const alt = alternativeText(template.document, values, options).replaceAll('"', '”');
    const parameters = [...rowPairs.parameters, ...optionsQuery.parameters];
    const query: Query = { parameters, isTruncated: false };
    if (given.short !== true) {
      const key = this.#signingKey;
      const signing = key === undefined ? undefined : { key, expires: given.expires };
      const url = `${run.baseUrl}${writeLink(path, query, signing)}`;
      if (url.length <= linkCharactersMax) return { url, alt };
    }
    const token = this.#tokenOf(row);
    const known = { parameters: parameters.map((each) => this.#knownOf(each)), isTruncated: false };
    const { linkJson } = linkText(path, known);
    if (linkJson === undefined) return undefined;
    const stored = { token, linkJson };
    return { url: `${run.baseUrl}${shortPath(token, path)}`, alt, stored };
  }

  /** Removes fields of a list that the template does not read. */
  #knownOf(given: QueryParameter): QueryParameter {
    const variable = this.#subject.template.variables.get(given.name);
    if (variable?.type !== 'list') return given;
    return parameter(given.name, knownFields(variable, given.value, given.value));
  }

  /** A token that is the same if a kill repeats the row, and that cannot be guessed. */
  #tokenOf(row: number): string {
    const { campaign, run } = this.#subject;
    const secret = createHmac('sha256', run.secret).update(`${campaign.id} ${run.number} ${row}`);
    return secret.digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 20);
  }
}
