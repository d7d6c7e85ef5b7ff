import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { eventually } from './e2e/service.ts';

interface FloodReport {
  written: number;
  dropped: number;
  heldBytes: number;
}

t.test(
  'a log that nobody reads holds nothing up and takes a bounded memory, and says later what is missing',
  async (t) => {
    const child = fork(join(import.meta.dirname, 'fixtures/log-flood.ts'), {
      silent: true,
      execArgv: [],
    });
    t.teardown(() => child.kill('SIGKILL'));
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('The process has no pipes.');
    // Nothing is read until the flood is over: a full pipe would hold a blocking writer up for ever.
    const [report] = (await once(child, 'message')) as [FloodReport];
    t.ok(report.dropped > 0, `${report.dropped} dropped`);
    t.ok(report.heldBytes < 2 * 1024 * 1024, `${report.heldBytes} bytes held`);

    let text = '';
    stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    t.ok(await eventually(() => text.length >= report.heldBytes));
    child.send('read');
    await once(child, 'close');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; count?: number });
    t.match(lines.slice(-2), [
      { level: 'warn', event: 'log lines dropped', count: report.dropped },
      { event: 'last' },
    ]);
    t.equal(lines.length - 2 + report.dropped, report.written, 'no line is lost untold');
  },
);
