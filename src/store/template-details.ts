/** Templates in the form of the API: the row of a list, and the details of one template. */
import { createHash } from 'node:crypto';
import type { Variable } from '#language/schema/template.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import { readLabels } from './template-labels.ts';
import type { TemplateLabels } from './template-labels.ts';
import { parseStoredDocument } from './template-document.ts';

/** The row of a list. Timestamps are ISO 8601 UTC with milliseconds. */
export interface TemplateSummary extends TemplateLabels {
  uid: string;
  name: string;
  type: 'image';
  created_at: string;
  updated_at: string;
  /** The published version; null without one: links then answer 404. */
  version: number | null;
  state: TemplateState;
}

/** `draft`: no version is published. `live`: the draft equals the published version. `changed`: they differ. */
export type TemplateState = 'draft' | 'live' | 'changed';

/** The SQL column `state` for `templates AS t` joined with the published version `v`, if there is one. */
export const stateColumn = `CASE WHEN v.cid IS NULL THEN 'draft'
  WHEN v.cid = t.draft_cid THEN 'live' ELSE 'changed' END AS state`;

/** A variable of the published version. `value` is its default as a link would give it, for a list as JSON. */
export interface PublishedVariable {
  id: string;
  name: string;
  type: Variable['type'];
  value: string;
}

/**
 * The details of a template. `cid` is that of the draft, and `published_cid` that of the published version or null.
 * Name, width, height and variables are those of the published version. Without a published version, `version` is null,
 * the variables are empty, and the rest comes from the draft.
 */
export interface TemplateDetails extends TemplateSummary {
  cid: string;
  published_cid: string | null;
  published_variables: PublishedVariable[];
  width: number;
  height: number;
  /** Further canvases; empty for a template without sizes. */
  sizes: TemplateSize[];
}

/** The row of a list in the form of the database. */
export interface SummaryRow extends Omit<TemplateSummary, 'tags'> {
  tags_json: string;
}

export function toSummary({ tags_json, ...row }: SummaryRow): TemplateSummary {
  return { ...row, ...readLabels({ folder: row.folder, tags_json }) };
}

/** The row that `toDetails` needs; `published_json` is null without a published version. */
export interface DetailsRow extends SummaryRow {
  draft_cid: string;
  draft_json: string;
  published_cid: string | null;
  published_json: string | null;
}

/** Throws a `StoreError` `CORRUPT` if the stored document is damaged. */
export function toDetails(row: DetailsRow): TemplateDetails {
  const { uid, name, type, created_at, updated_at, draft_cid: cid, version, published_cid } = row;
  const { state } = row;
  const document =
    row.published_json === null
      ? parseStoredDocument(uid, 'draft', cid, row.draft_json)
      : parseStoredDocument(uid, `version ${version}`, published_cid ?? '', row.published_json);
  // Links cannot set variables whose value comes from a data table.
  const variables =
    row.published_json === null ? [] : document.variables.filter(({ from }) => from === undefined);
  return {
    cid,
    published_cid,
    uid,
    name,
    type,
    created_at,
    updated_at,
    published_variables: variables.map((variable) => ({
      id: variableId(uid, variable.name),
      name: variable.name,
      type: variable.type,
      value: variable.type === 'list' ? JSON.stringify(variable.value) : variable.value,
    })),
    width: document.width,
    height: document.height,
    sizes: document.sizes ?? [],
    version,
    state,
    ...readLabels(row),
  };
}

/** A stable id for a variable's name in a template: `var_` and 12 hexadecimal digits. */
function variableId(templateUid: string, variableName: string): string {
  const digest = createHash('sha256').update(`${templateUid}\0${variableName}`).digest('hex');
  return `var_${digest.slice(0, 12)}`;
}
