/** The warnings of the sets of sample data, before a template is published. */
import type { VNode } from 'preact';
import type { warnedPresets } from '../samples/sample-strip.tsx';

/** Sets of sample values whose warnings are listed; the rest are counted. */
const warnedMax = 6;

interface SampleWarningsProps {
  warned: ReturnType<typeof warnedPresets>;
  /** Publishing waits for the answer. */
  isAsking: boolean;
  /** Shows a layer on the canvas. */
  show: (id: string) => void;
}

/** The warnings of all sets of sample values, each with a way to its layer. */
export function SampleWarnings({ warned, isAsking, show }: SampleWarningsProps): VNode {
  const count = warned.length === 1 ? '1 set' : `${warned.length} sets`;
  return (
    <div class="publish-warnings" role={isAsking ? 'alert' : undefined}>
      <p>
        {isAsking ? 'Publish although ' : ''}
        {count} of sample data {warned.length === 1 ? 'has' : 'have'} warnings
        {isAsking ? '?' : ':'}
      </p>
      <ul>
        {warned.slice(0, warnedMax).map(({ preset, warnings: [first, ...others] }) => (
          <li key={preset.id}>
            {preset.name}:{' '}
            {first?.layer === undefined ? (
              first?.text
            ) : (
              <button type="button" class="link" onClick={() => show(first.layer ?? '')}>
                {first.text}
              </button>
            )}
            {others.length > 0 && ` and ${others.length} more`}
          </li>
        ))}
      </ul>
      {warned.length > warnedMax && <p class="soft">and {warned.length - warnedMax} more sets</p>}
    </div>
  );
}
