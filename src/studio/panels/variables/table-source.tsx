/** The fields for the cell of a data table that a variable takes its value from. */
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import { parseTableSource } from '#language/values/table-source.ts';
import type { TableSource } from '#language/values/table-source.ts';
import type { Table } from '../../../client/platen-client.ts';
import { behindFrame } from '../behind-frame.ts';
import type { Editor } from '../../state/editor.ts';
import { explainError } from '../../wording.ts';
import { OperatorNote } from '../operator-note.tsx';
import { settingRow } from './name-field.tsx';

interface TableSourceFieldsProps {
  editor: Editor;
  variable: Variable;
  /** Called with undefined if the link gives the value. */
  change: (from: string | undefined) => void;
}

/** Choices for the table, the variable that names the row, and the column. A missing one is shown, and marked. */
export function TableSourceFields(props: TableSourceFieldsProps): VNode | null {
  const { editor, variable, change } = props;
  const id = useId();
  const { tables, problem } = useTables(editor);
  const { from } = variable;
  // A page around a frame may read no tables.
  if (from === undefined && editor.service.embed !== undefined) return null;
  const source = from === undefined ? undefined : parseTableSource(from);
  const keys = keyVariables(editor, variable);
  const table = tables?.find(({ name }) => name === source?.table);
  const choose = (name: string): void => {
    const chosen = tables?.find((each) => each.name === name);
    change(chosen && writeSource(likelySource(chosen, variable.name, keys, source)));
  };
  return (
    <>
      {settingRow(
        id,
        'Table',
        select({
          id,
          value: source?.table,
          options: keys.length === 0 ? [] : tables?.map(({ name }) => name),
          isMissing: tables !== undefined && table === undefined,
          none: 'None: the link gives it',
          change: choose,
        }),
      )}
      {source === undefined ? null : (
        <CellFields
          source={source}
          keys={keys}
          columns={table?.columns}
          set={(next) => change(writeSource(next))}
        />
      )}
      {problem !== undefined && (
        <p class="p-problem" role="alert">
          The tables are not known. {problem}
        </p>
      )}
      {tables?.length === 0 ? (
        <>
          <p class="p-note">
            There is no table yet. Send a CSV or an Excel file to the people who run this service,
            to make one from it.
          </p>
          <OperatorNote>
            <code>platen tables put</code> makes a table from a file.
          </OperatorNote>
        </>
      ) : (
        keys.length === 0 && (
          <p class="p-note">A table needs another variable, whose value names the row.</p>
        )
      )}
    </>
  );
}

interface CellFieldsProps {
  source: TableSource;
  /** Names of the variables that may name a row. */
  keys: readonly string[];
  /** Undefined if the table is missing or not known. */
  columns: readonly string[] | undefined;
  set: (source: TableSource) => void;
}

/** Choices for the row and the column. */
function CellFields({ source, keys, columns, set }: CellFieldsProps): VNode {
  const id = useId();
  return (
    <>
      {settingRow(
        `${id}-key`,
        'Row whose key is',
        select({
          id: `${id}-key`,
          value: source.keyVariable,
          options: keys,
          isMissing: !keys.includes(source.keyVariable),
          change: (keyVariable) => set({ ...source, keyVariable }),
        }),
      )}
      {settingRow(
        `${id}-column`,
        'Column',
        select({
          id: `${id}-column`,
          value: source.column,
          options: columns,
          isMissing: columns?.includes(source.column) === false,
          change: (column) => set({ ...source, column }),
        }),
      )}
    </>
  );
}

function writeSource({ table, keyVariable, column }: TableSource): string {
  return `${table}.{{${keyVariable}}}.${column}`;
}

interface Choice {
  id: string;
  /** Undefined selects `none`. */
  value: string | undefined;
  /** Undefined until they are known. */
  options: readonly string[] | undefined;
  isMissing: boolean;
  none?: string;
  change: (value: string) => void;
}

/** A select that also has its value if that is no option. */
function select({ id, value, options = [], isMissing, none, change }: Choice): VNode {
  const isWrong = isMissing && value !== undefined;
  const others = value === undefined || options.includes(value) ? [] : [value];
  return (
    <select
      id={id}
      value={value ?? ''}
      title={value}
      aria-invalid={isWrong}
      onChange={(event) => change(event.currentTarget.value)}
    >
      {none === undefined ? null : (
        <option value="" selected={value === undefined}>
          {none}
        </option>
      )}
      {others.map((each) => (
        <option key={each} value={each} selected>
          {isWrong ? `${each} (missing)` : each}
        </option>
      ))}
      {options.map((each) => (
        <option key={each} value={each} selected={each === value}>
          {each}
        </option>
      ))}
    </select>
  );
}

/** Returns the names of the variables that may name a row. */
function keyVariables(editor: Editor, variable: Variable): string[] {
  return behindFrame(editor)
    .document.value.variables.filter(
      ({ name, type, from }) =>
        name !== variable.name && from === undefined && (type === 'text' || type === 'number'),
    )
    .map(({ name }) => name);
}

/** Returns a complete source: the old parts that a table has, and else those whose names are equal. */
function likelySource(
  { name: table, key, columns }: Table,
  variable: string,
  keys: readonly string[],
  old: TableSource | undefined,
): TableSource {
  const [firstKey = key] = keys;
  const keyVariable =
    [old?.keyVariable, key].find((each) => each !== undefined && keys.includes(each)) ?? firstKey;
  const values = columns.filter((column) => column !== key);
  const column =
    [old?.column, variable].find((each) => each !== undefined && values.includes(each)) ??
    values[0] ??
    key;
  return { table, keyVariable, column };
}

/** Loads the tables of the organization. `tables` is undefined until then, after an error, and in a frame. */
function useTables({ service }: Editor): { tables?: readonly Table[]; problem?: string } {
  const [state, setState] = useState<{ tables?: readonly Table[]; problem?: string }>({});
  useEffect(() => {
    if (service.embed !== undefined) return;
    service.client.request('GET /v1/tables').then(
      ({ tables }) => setState({ tables }),
      (error: unknown) => setState({ problem: explainError(error) }),
    );
  }, [service]);
  return state;
}
