/** Formats numbers with three significant digits. */
import type { Comparison } from './compare-rounds.ts';

/** `1,234`, `56.7`, `0.891`. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) {
    return Math.round(value).toLocaleString('en-US');
  }
  const digits = Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

/** The numbers of both sides, the rounds and their extremes, for the report. */
export function describeComparison(comparison: Comparison, peer: string, unit: string): string {
  const { subject, rounds, low, high } = comparison;
  return (
    `${formatNumber(subject)} against ${formatNumber(comparison.peer)} ${unit} of ${peer}; ` +
    `median of ${rounds} rounds in turn, ${formatNumber(low)} to ${formatNumber(high)}`
  );
}

/** `123 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${formatNumber(Math.round(bytes / 1_000_000))} MB`;
}
