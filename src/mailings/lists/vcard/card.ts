/** The values of one card of a vCard file, by the names of the columns. */
import type { Property } from './properties.ts';

/** The columns in their order. A list has those that any of its cards fills. */
export const cardColumns = [
  'Email',
  'First Name',
  'Last Name',
  'Name',
  'Company',
  'Job Title',
  'Phone',
  'Street',
  'City',
  'Region',
  'Postal Code',
  'Country',
  'Birthday',
] as const;
export type CardColumn = (typeof cardColumns)[number];

/** The properties that are read. `AGENT` may have a card inside. */
const readNames: ReadonlySet<string> = new Set([
  'BEGIN',
  'END',
  'AGENT',
  'N',
  'FN',
  'EMAIL',
  'TEL',
  'ORG',
  'TITLE',
  'ADR',
  'BDAY',
]);

export const isRead = (name: string): boolean => readNames.has(name);

/** The rank of a property without a preference. RFC 6350 has 1 for the most preferred one to 100. */
const lastRank = 101;

/** Of several addresses or numbers it has the first preferred one, or the first. */
export class Card {
  readonly #values = new Map<CardColumn, string>();
  readonly #ranks = new Map<string, number>();

  add({ name, parameters, value }: Property): void {
    const rank = rankOf(parameters);
    if (value.trim() === '' || rank >= (this.#ranks.get(name) ?? lastRank + 1)) return;
    this.#ranks.set(name, rank);
    for (const [column, text] of columnsOf(name, parameters, value)) {
      this.#values.set(column, text.trim());
    }
  }

  get(column: CardColumn): string {
    const value = this.#values.get(column) ?? '';
    if (column !== 'Name' || value !== '') return value;
    return [this.get('First Name'), this.get('Last Name')].filter((part) => part !== '').join(' ');
  }
}

function rankOf(parameters: Property['parameters']): number {
  const [preference] = parameters.get('PREF') ?? [];
  if (preference !== undefined) return Number(preference) || 1;
  return parameters.get('TYPE')?.includes('PREF') === true ? 1 : lastRank;
}

function columnsOf(
  name: string,
  parameters: Property['parameters'],
  value: string,
): [CardColumn, string][] {
  const parts = splitParts(value);
  switch (name) {
    case 'N':
      return [
        ['Last Name', parts[0] ?? ''],
        ['First Name', parts[1] ?? ''],
      ];
    case 'FN':
      return [['Name', unescape(value)]];
    case 'EMAIL':
      return [['Email', unescape(value).replace(/^mailto:/i, '')]];
    case 'TEL':
      return [['Phone', unescape(value).replace(/^tel:/i, '')]];
    case 'ORG':
      return [['Company', parts[0] ?? '']];
    case 'TITLE':
      return [['Job Title', unescape(value)]];
    case 'ADR':
      return addressOf(parts);
    case 'BDAY':
      return [['Birthday', birthdayOf(unescape(value), parameters)]];
    default:
      return [];
  }
}

/** A post-office box stands in for a street. */
function addressOf([box = '', , street = '', ...rest]: string[]): [CardColumn, string][] {
  const [city = '', region = '', code = '', country = ''] = rest;
  return [
    ['Street', street.trim() === '' ? box : street],
    ['City', city],
    ['Region', region],
    ['Postal Code', code],
    ['Country', country],
  ];
}

/** A date as `1990-05-17`, or `--05-17` without a year. Any other text stays as it is. */
function birthdayOf(value: string, parameters: Property['parameters']): string {
  const [, year = '', month, day] = /^(\d{4}|--)-?(\d\d)-?(\d\d)(?:T.*)?$/.exec(value.trim()) ?? [];
  if (month === undefined || day === undefined) return value;
  // Apple writes a year where there is none.
  const isWithoutYear = parameters.get('X-APPLE-OMIT-YEAR')?.includes(year) === true;
  return `${isWithoutYear || year === '--' ? '-' : year}-${month}-${day}`;
}

/** Splits a value at semicolons that are not escaped. */
function splitParts(value: string): string[] {
  const parts = [''];
  for (const [piece] of value.matchAll(/\\[^]|;|[^\\;]+|\\$/g)) {
    if (piece === ';') parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts.map(unescape);
}

function unescape(value: string): string {
  return value.replaceAll(/\\([^])/g, (_, character: string) =>
    /n/i.test(character) ? '\n' : character,
  );
}
