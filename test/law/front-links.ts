/** Checks links of a service by the law of the thread that answers. */
import type { Test } from 'tap';
import { atItsCore, frontOffence } from './front.ts';
import { startMeasured } from './measured-service.ts';

/** Like the law, the least of three measurements counts: garbage collections come by chance. */
export const attempts = [0, 1, 2];

/** One of the links of all attempts keeps the law. */
export async function checkLinks(
  t: Test,
  dataDirectory: string,
  linkOf: (attempt: number) => string,
): Promise<void> {
  const { service, read } = await startMeasured(t, dataDirectory);
  const offences: (string | undefined)[] = [];
  for (const attempt of attempts) {
    await read();
    const startedMs = performance.now();
    const { status, body, headers } = await service.render(linkOf(attempt));
    const waitedMs = performance.now() - startedMs;
    t.equal(status, 200);
    t.equal(headers['x-render-warnings'], undefined);
    const measured = atItsCore({ status, bytes: body.length, waitedMs, ...(await read()) });
    offences.push(frontOffence(measured));
  }
  t.ok(offences.includes(undefined), offences.join(', '));
}
