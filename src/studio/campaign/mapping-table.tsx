/** Maps the columns of the list to variables of the template. */
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Template } from '#language/schema/template.ts';
import { imageOptions } from './image-choices.ts';
import { mapColumn, textMapping } from './row-values.ts';
import type { CampaignParts } from './use-campaign.ts';

/** Maximum number of items of a list variable that columns can set. */
const itemsMax = 12;

/** Table of columns and variables. After a change it offers to prove the list again. */
export function MappingTable({ state, campaign, template, image }: CampaignParts): VNode {
  const proposed = textMapping(campaign);
  const [mapping, setMapping] = useState(proposed);
  const { columns } = campaign.list;
  const options = imageOptions(campaign.template, template, image);
  const [sample = []] = campaign.first_rows ?? [];
  const names = [...new Set([...namesOf(template), ...Object.values(proposed)])];
  const isChanged = JSON.stringify(mapping) !== JSON.stringify(proposed);
  const choose = (column: string, name: string): void =>
    setMapping(mapColumn(mapping, column, name));
  const used = new Set(Object.values(mapping).map((name) => name.split('.')[0]));
  const missing = template.variables.filter(({ name }) => !used.has(name));
  return (
    <section class="campaign-card" aria-labelledby="mapping-title">
      <h2 id="mapping-title">Columns and variables</h2>
      <MappingRows
        columns={columns}
        sample={sample}
        names={names}
        mapping={mapping}
        choose={choose}
      />
      {missing.length > 0 && (
        <p class="hint">
          Without a column, and drawn with {missing.length === 1 ? 'its default' : 'their defaults'}{' '}
          in all rows: {missing.map(({ name }) => name).join(', ')}.
        </p>
      )}
      {isChanged && (
        <div class="campaign-actions">
          <button
            type="button"
            class="primary"
            onClick={() => void state.start({ mode: 'proof', map: mapping, ...options })}
          >
            Prove with these columns
          </button>
          <button type="button" onClick={() => setMapping(proposed)}>
            Take it back
          </button>
        </div>
      )}
    </section>
  );
}

interface MappingRowsProps {
  columns: readonly string[];
  /** The cells of the first row. */
  sample: readonly string[];
  names: readonly string[];
  mapping: Readonly<Record<string, string>>;
  choose: (column: string, name: string) => void;
}

function MappingRows({ columns, sample, names, mapping, choose }: MappingRowsProps): VNode {
  return (
    <div class="table-scroll" role="region" tabindex={0} aria-label="The variable of each column">
      <table class="mapping">
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">First value</th>
            <th scope="col">Variable of the template</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, index) => (
            <tr key={column} data-mapped={mapping[column] !== undefined}>
              <th scope="row">{column}</th>
              <td class="soft">{sample[index]}</td>
              <td>
                <select
                  aria-label={`Variable of the column ${column}`}
                  value={mapping[column] ?? ''}
                  onChange={(event) => choose(column, event.currentTarget.value)}
                >
                  <option value="">Not used</option>
                  {names.map((name) => (
                    <option value={name}>{name}</option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Names of all variables, with `list.index.field` for each field of a list variable. */
function namesOf({ variables }: Template): string[] {
  return variables.flatMap((variable) =>
    variable.type === 'list'
      ? [
          variable.name,
          ...Array.from({ length: itemsMax }, (_, index) =>
            variable.fields.map((field) => `${variable.name}.${index}.${field.name}`),
          ).flat(),
        ]
      : [variable.name],
  );
}
