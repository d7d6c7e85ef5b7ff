/** The image of a row in which a proof found problems. */
import type { VNode } from 'preact';
import type { Template } from '#language/schema/template.ts';
import { rowValues, textMapping } from './row-values.ts';
import type { ProblemRow } from './row-values.ts';
import type { CampaignParts, Run } from './use-campaign.ts';
import { useFile } from './use-file.ts';

/** What the image of a row needs. */
export interface RowImageProps extends CampaignParts {
  run: Run;
  row: ProblemRow;
  /** Opens the template with the values of a row. */
  open: (values: Readonly<Record<string, string>>) => void;
}

/** Codes of problems for which the service refuses a render. */
const refusals = new Set(['VALUE_TOO_LONG', 'BAD_VALUE', 'RENDER_FAILED']);

/**
 * Reasons for which the service would refuse the image of a row. A bad cell of a data table is no reason: the render
 * uses the default or cuts the text.
 */
function refusalsOf({ problems }: ProblemRow, { variables }: Template): string[] {
  const ofTables = new Set(variables.flatMap(({ name, from }) => (from === undefined ? [] : name)));
  return problems
    .filter(({ code, variable }) => refusals.has(code) && !ofTables.has(variable ?? ''))
    .map(({ message }) => message);
}

export function RowImage({ service, campaign, template, run, row, open }: RowImageProps): VNode {
  const isReadable = Object.keys(row.cells).length > 0;
  const values = rowValues(textMapping(campaign), row.cells, template);
  const { size, format, scale } = run.options;
  const body = JSON.stringify({ values, version: run.version, size, format, scale });
  const headers = { 'Content-Type': 'application/json' };
  const path = `/v1/render/${encodeURIComponent(campaign.template)}`;
  const init = { method: 'POST', headers, body };
  const refused = refusalsOf(row, template);
  const isDrawn = isReadable && refused.length === 0;
  const { url, problem } = useFile(service, isDrawn ? body : undefined, path, init);
  const isBusy = isDrawn && url === undefined && problem === undefined;
  return (
    <aside class="row-image" aria-label={`Image of row ${row.row}`}>
      <h3>Row {row.row}</h3>
      <div class="row-image-box" aria-busy={isBusy}>
        {url !== undefined && <img src={url} alt={`Row ${row.row} as it is drawn`} />}
        {problem !== undefined && <p class="problem lines">{problem}</p>}
        {!isReadable && <p class="soft">A row that cannot be read has no image.</p>}
        {isReadable && !isDrawn && (
          <p class="problem lines">{['This row has no image:', ...refused].join('\n')}</p>
        )}
      </div>
      {isReadable && (
        <>
          <button type="button" onClick={() => open(values)}>
            Open in the editor
          </button>
          <p class="soft">
            The editor shows this row. Correct the template, publish it, and prove the list again.
          </p>
        </>
      )}
    </aside>
  );
}
