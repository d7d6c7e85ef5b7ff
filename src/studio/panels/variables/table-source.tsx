/** The field for the cell of a data table that a variable takes its value from. */
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import type { Table } from '../../../client/platen-client.ts';
import type { Editor } from '../../state/editor.ts';

interface TableSourceFieldProps {
  editor: Editor;
  variable: Variable;
  /** Called with undefined if the link gives the value. */
  change: (from: string | undefined) => void;
}

/** Suggests each column of each table, with the template's other text and number variables as keys. */
export function TableSourceField({ editor, variable, change }: TableSourceFieldProps): VNode {
  const id = useId();
  const tables = useTables(editor);
  const keys = editor.document.value.variables.filter(
    ({ name, type, from }) =>
      name !== variable.name && from === undefined && (type === 'text' || type === 'number'),
  );
  const proposals = tables.flatMap(({ name, key, columns }) =>
    columns
      .filter((column) => column !== key)
      .flatMap((column) => keys.map((each) => `${name}.{{${each.name}}}.${column}`)),
  );
  return (
    <div class="p-row p-fixed">
      <label for={id}>From table</label>
      <div class="p-control">
        <input
          id={id}
          type="text"
          list={`${id}-cells`}
          autocomplete="off"
          spellcheck={false}
          title={variable.from}
          value={variable.from ?? ''}
          placeholder="none"
          onChange={({ currentTarget }) => {
            const text = currentTarget.value.trim();
            change(text === '' ? undefined : text);
          }}
        />
        <datalist id={`${id}-cells`}>
          {proposals.slice(0, proposalsMax).map((text) => (
            <option value={text} />
          ))}
        </datalist>
      </div>
    </div>
  );
}

const proposalsMax = 500;

/** Returns the tables of the organization; empty until they are loaded, and after an error. */
function useTables({ service }: Editor): readonly Table[] {
  const [tables, setTables] = useState<readonly Table[]>([]);
  useEffect(() => {
    service.client.request('GET /v1/tables').then(
      (answer) => setTables(answer.tables),
      () => setTables([]),
    );
  }, [service]);
  return tables;
}
