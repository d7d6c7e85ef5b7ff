/** Shows the warnings of the sets of sample data before a template is published. */
import type { VNode } from 'preact';
import type { warnedPresets } from '../samples/sample-strip.tsx';

/** Warnings listed at most; the rest are counted. */
const listedMax = 6;

interface SampleWarningsProps {
  warned: ReturnType<typeof warnedPresets>;
  /** Whether publishing waits for the user's confirmation. */
  isAsking: boolean;
  /** Shows a layer on the canvas. */
  show: (id: string) => void;
}

/** Lists each warning of all sets once, with its sets and a button that shows its layer. */
export function SampleWarnings({ warned, isAsking, show }: SampleWarningsProps): VNode {
  const count = warned.length === 1 ? '1 set' : `${warned.length} sets`;
  const warnings = warned.flatMap(({ preset: { name }, warnings: found }) =>
    found.map(({ text, layer }) => ({ text, layer, name })),
  );
  const listed = [...Map.groupBy(warnings, ({ text }) => text).values()];
  return (
    <div class="publish-warnings" role={isAsking ? 'alert' : undefined}>
      <p>
        {isAsking ? 'Publish although ' : ''}
        {count} of sample data {warned.length === 1 ? 'has' : 'have'} warnings
        {isAsking ? '?' : ':'}
      </p>
      <ul>
        {listed.slice(0, listedMax).map((same) => (
          <Warning key={same[0]?.text} same={same} show={show} />
        ))}
      </ul>
      {listed.length > listedMax && <p class="soft">and {listed.length - listedMax} more</p>}
    </div>
  );
}

interface WarningProps {
  /** One warning, with an entry for each set that has it. */
  same: readonly { text: string; layer: string | undefined; name: string }[];
  show: SampleWarningsProps['show'];
}

function Warning({ same, show }: WarningProps): VNode {
  const [first] = same;
  const sets = same.length === 1 ? first?.name : `${same.length} sets`;
  const layer = first?.layer;
  return (
    <li>
      {sets}:{' '}
      {layer === undefined ? (
        first?.text
      ) : (
        <button type="button" onClick={() => show(layer)}>
          {first?.text}
        </button>
      )}
    </li>
  );
}
