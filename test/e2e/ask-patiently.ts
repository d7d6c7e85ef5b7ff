/** A client that waits as long as the answer says before it repeats a request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './request.ts';

/** Asks up to `triesMax` times, while the service or its machine is too busy. */
export async function askPatiently(ask: () => Promise<Answer>, triesMax = 8): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if ((answer.status !== 503 && answer.status !== 504) || attempt === triesMax) return answer;
    await sleep(Number(answer.headers['retry-after'] ?? 1) * 1000);
  }
}
