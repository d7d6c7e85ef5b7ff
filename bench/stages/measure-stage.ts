/** Runs one stage many times and prints the median and the 90th percentile in milliseconds. */

/** Times `run` for each input of `prepare`, after a warm-up; preparing is not counted. */
export function measureStage<Input>(
  name: string,
  prepare: (index: number) => Input,
  run: (input: Input) => void,
  { warmUps = 100, runs = 300 }: { warmUps?: number; runs?: number } = {},
): void {
  for (let index = 0; index < warmUps; index += 1) run(prepare(index));
  const times: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const input = prepare(warmUps + index);
    const started = performance.now();
    run(input);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (part: number): string => (times[Math.floor(runs * part)] ?? 0).toFixed(3);
  console.log(`${name.padEnd(44)} median ${at(0.5)} ms   p90 ${at(0.9)} ms   (${runs} runs)`);
}
