/** The question before publishing: whether to publish although sets of sample data have warnings. */
import { useEffect, useState } from 'preact/hooks';
import type { SampleSets } from '../samples/sample-sets.ts';

/** Time that publishing waits for the sets of sample data, in ms. Then it asks without them. */
const checkMaxMs = 15_000;

export interface Check {
  /** Whether publishing waits until all sets are drawn. */
  isChecking: boolean;
  /** Whether it waits for the user's confirmation. */
  isAsking: boolean;
  /** Publishes, or asks first. While sets are being drawn, it waits; it ends with the component. */
  begin: () => void;
}

/** Asks once, and only if a set has warnings, was not drawn in time or could not be drawn. */
export function useCheck({ isDrawing, warned, failed }: SampleSets, publish: () => void): Check {
  const [isChecking, setChecking] = useState(false);
  const [hasAsked, setAsked] = useState(false);
  const isBusy = isDrawing.value;
  const hasWarnings = warned.value.length + failed.value.size > 0;
  const decide = (): void => {
    if (hasWarnings) setAsked(true);
    else publish();
  };
  useEffect(() => {
    if (!isChecking) return undefined;
    if (!isBusy) {
      setChecking(false);
      decide();
      return undefined;
    }
    const timer = setTimeout(() => {
      setChecking(false);
      setAsked(true);
    }, checkMaxMs);
    return () => clearTimeout(timer);
  }, [isChecking, isBusy]);
  const begin = (): void => {
    if (hasAsked) publish();
    // A field may have changed the document in the same event: that draws the sets again.
    else if (isDrawing.peek()) setChecking(true);
    else decide();
  };
  return { isChecking, isAsking: hasAsked && (hasWarnings || isBusy), begin };
}
