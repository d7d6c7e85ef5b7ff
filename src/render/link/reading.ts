/** Reads a link: strictly for its template, and with repairs for a template that replaces it after a countdown. */
import { AppError } from '../../foundation/errors.ts';
import type { Query } from '../../http/query.ts';
import type { PublishedTemplate } from '../../store/published-cache.ts';
import type { TableLookup } from '../table-values.ts';
import { chooseSize, repairOptions, repairSize, resolveOptions } from '../request.ts';
import type { RenderOptions, RenderPath } from '../request.ts';
import type { ValueNotes } from '../parse-value.ts';
import { repairVariables, resolveVariables } from '../values.ts';
import type { ResolvedValues } from '../values.ts';

/** Reads the parts of a link for a template. */
export interface LinkReader {
  size: (template: PublishedTemplate, query: Query) => PublishedTemplate;
  options: (path: RenderPath, query: Query, template: PublishedTemplate) => RenderOptions;
  values: (
    template: PublishedTemplate,
    query: Query,
    tables: TableLookup,
    notes: ValueNotes,
  ) => ResolvedValues;
}

/** Throws BAD_REQUEST that names the invalid parameter. */
const strict: LinkReader = {
  size: chooseSize,
  options: resolveOptions,
  values: resolveVariables,
};

/** Ignores parameters that are invalid for the template, because the link was written for another template. */
const repairing: LinkReader = {
  size: repairSize,
  options: repairOptions,
  values: repairVariables,
};

/** The same for a short link, which has many requests: the values are read once and kept with the query. */
const strictOnce: LinkReader = { ...strict, values: once(resolveVariables) };
const repairingOnce: LinkReader = { ...repairing, values: once(repairVariables) };

/** `hops` is the number of templates that the link has moved on to; absent for its first template. */
export function linkReader({ hops, isShort }: { hops?: number; isShort?: boolean }): LinkReader {
  if (isShort === true) return hops === undefined ? strictOnce : repairingOnce;
  return hops === undefined ? strict : repairing;
}

/** The result of reading a query for a template. */
interface Reading {
  /** The key, not the template, which would stay in memory. */
  templateKey: string;
  notes: ValueNotes;
  values: ResolvedValues | undefined;
  refusal: unknown;
}

/** Keeps the last reading of a query as long as the query. Readings of templates with data tables are not kept. */
function once(read: LinkReader['values']): LinkReader['values'] {
  const readings = new WeakMap<Query, Reading>();
  return (template, query, tables, notes) => {
    if (template.readsTables) return read(template, query, tables, notes);
    let reading = readings.get(query);
    if (reading?.templateKey !== template.templateKey) {
      readings.set(query, (reading = readFor(read, template, query, tables)));
    }
    Object.assign(notes, reading.notes);
    if (reading.values === undefined) throw reading.refusal;
    return reading.values;
  };
}

function readFor(
  read: LinkReader['values'],
  template: PublishedTemplate,
  query: Query,
  tables: TableLookup,
): Reading {
  const { templateKey } = template;
  const reading: Reading = {
    templateKey,
    notes: {},
    values: undefined,
    refusal: undefined,
  };
  try {
    reading.values = read(template, query, tables, reading.notes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reading.refusal = error;
  }
  return reading;
}
