/** When a layer or a span shows: conditions on variables, alone or joined in groups. */
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Condition, VariableCondition } from '#language/schema/layer-base.ts';
import { conditionList, groupOf, joined, joinWords, writtenList } from './conditions.ts';
import type { AskedVariable, ConditionsKind, Join } from './conditions.ts';
import type { ControlProps } from '../fields/number.tsx';
import { QuestionsField } from './questions-field.tsx';
import type { ConditionsForm } from './questions-field.tsx';
import { toolButton } from '../fields/structured.tsx';

/** The conditions, all of which must hold, and buttons for more. */
export function ConditionsField({
  id,
  kind,
  value,
  change,
  variables,
  isMixed,
}: ControlProps<ConditionsKind> & {
  variables: readonly AskedVariable[];
  isMixed: boolean;
}): VNode {
  const visit = useRef(0);
  if (variables.length === 0) {
    return <p class="p-note">Shows always. Conditions ask about variables: add one first.</p>;
  }
  const form = { kind, variables, visit };
  const list = conditionList(value);
  return (
    <div class="p-conditions" id={id} role="group" aria-label="Show when">
      {isMixed ? <p class="p-note">The layers differ; a new condition is set for all.</p> : null}
      <ConditionList
        form={form}
        list={list}
        number=""
        most={kind.most}
        levels={kind.levels}
        change={(next, gesture) => change(writtenList(next), gesture)}
      />
    </div>
  );
}

interface ListProps {
  form: ConditionsForm;
  list: readonly Condition[];
  /** Number of the group that contains the list, such as `2.`; empty outside groups. */
  number: string;
  most: number;
  /** Levels of groups that may be nested here. */
  levels: number;
  change: (list: Condition[], gesture?: string) => void;
}

function ConditionList({ form, list, number, most, levels, change }: ListProps): VNode {
  const [first] = form.variables;
  const question: VariableCondition = { variable: first?.name ?? '', set: true };
  const add = (condition: Condition): void => change([...list, condition]);
  return (
    <>
      {list.map((condition, index) => (
        <ConditionView
          key={index}
          form={form}
          condition={condition}
          number={`${number}${index + 1}`}
          levels={levels}
          change={(next, gesture) => change(list.with(index, next), gesture)}
          remove={() => change(list.toSpliced(index, 1))}
        />
      ))}
      {list.length >= most ? null : (
        <div class="p-condition-tools">
          <button type="button" class="p-small" onClick={() => add(question)}>
            {number === '' && list.length === 0 ? 'Show only when…' : 'Add condition'}
          </button>
          {levels === 0 ? null : (
            <button type="button" class="p-small" onClick={() => add({ any: [question] })}>
              Add group
            </button>
          )}
        </div>
      )}
    </>
  );
}

interface ConditionProps {
  form: ConditionsForm;
  condition: Condition;
  /** `2.1` is the first condition of the second group. */
  number: string;
  levels: number;
  change: (condition: Condition, gesture?: string) => void;
  /** Undefined where the condition is required. */
  remove: (() => void) | undefined;
}

function ConditionView(props: ConditionProps): VNode {
  const { condition, number, remove } = props;
  const tool = remove && toolButton('minus', `Remove condition ${number}`, remove);
  if ('variable' in condition) {
    return <QuestionsField {...props} condition={condition} tool={tool ?? null} />;
  }
  return <GroupView {...props} tool={tool ?? null} />;
}

function GroupView(props: ConditionProps & { tool: VNode | null }): VNode {
  const { form, condition, number, levels, change, tool } = props;
  const { join, inner } = groupOf(condition) ?? { join: 'all' as const, inner: [] };
  const [first] = inner;
  return (
    <div class="p-condition-group" role="group" aria-label={`Condition ${number}`}>
      <div class="p-with-tool">
        <select
          aria-label={`Condition ${number}: how it is joined`}
          value={join}
          onChange={(event) => change(joined(event.currentTarget.value as Join, inner))}
        >
          {Object.entries(joinWords).map(([word, words]) => (
            <option
              value={word}
              selected={word === join}
              // `not` takes a single condition, which may be a group.
              disabled={word === 'not' && inner.length > 1}
            >
              {words}
            </option>
          ))}
        </select>
        {tool}
      </div>
      <div class="p-inside">
        {join === 'not' && first !== undefined ? (
          <ConditionView
            {...props}
            condition={first}
            number={`${number}.1`}
            levels={levels - 1}
            change={(next, gesture) => change(joined('not', [next]), gesture)}
            remove={undefined}
          />
        ) : (
          <ConditionList
            form={form}
            list={inner}
            number={`${number}.`}
            most={form.kind.innerMost}
            levels={levels - 1}
            // Removing the last condition removes the group.
            change={(next, gesture) =>
              next.length === 0 ? props.remove?.() : change(joined(join, next), gesture)
            }
          />
        )}
      </div>
    </div>
  );
}
