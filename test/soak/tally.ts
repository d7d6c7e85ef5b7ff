/** What a soak counts of its requests. */

export interface Tally {
  requests: number;
  /** Answers by kind of caller and status: `hit 200`. */
  answers: Map<string, number>;
  /** Milliseconds that answers of a kind took. */
  times: Map<string, number[]>;
  /** Requests without an answer, or with another than their kind may have; the first of them in words. */
  lost: number;
  complaints: string[];
  /** Connections that the kernel has reset while one process followed another. */
  resets: number;
}

export function createTally(): Tally {
  return { requests: 0, answers: new Map(), times: new Map(), lost: 0, complaints: [], resets: 0 };
}

/** Counts an answer. */
export function count(tally: Tally, kind: string, status: number, ms: number): void {
  const answer = `${kind} ${status}`;
  tally.answers.set(answer, (tally.answers.get(answer) ?? 0) + 1);
  const times = tally.times.get(kind);
  if (times === undefined) tally.times.set(kind, [ms]);
  else times.push(ms);
}

/** A line a kind: its answers by status, and the median and the 99th percentile of their times. */
export function summaryOf({ answers, times }: Tally): string[] {
  return [...times].map(([kind, ms]) => {
    const sorted = ms.toSorted((a, b) => a - b);
    const at = (share: number): number =>
      Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    const counts = [...answers]
      .filter(([answer]) => answer.startsWith(`${kind} `))
      .map(([answer, number]) => `${answer.slice(kind.length + 1)} × ${number}`)
      .toSorted();
    return `${kind}: ${counts.join(', ')}; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  });
}
