/** Sends fuzzed requests to a running service and judges what comes back. */
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { brokenBytes, oddDocument, oddQuery } from './request-arbitraries.ts';
import type { FuzzCase } from './request-arbitraries.ts';

/** Requests that are under way at a time: few enough that the queue of renders never refuses one. */
const concurrency = 16;

/** Milliseconds after which a connection that says nothing counts as unanswered: longer than any deadline of the service. */
const answerMsMax = 20_000;

/** What a campaign has seen. */
export interface FuzzReport {
  /** Connections, each with one to three requests. */
  cases: number;
  /** Answers by status. */
  statuses: Map<number, number>;
  seconds: number;
}

/** Shares of the kinds of cases: renders and previews of documents cost a hundred times what a refusal does. */
function anyCase(key: string): fc.Arbitrary<FuzzCase> {
  return fc.oneof(
    { weight: 45, arbitrary: oddQuery },
    { weight: 50, arbitrary: brokenBytes },
    { weight: 5, arbitrary: oddDocument(key) },
  );
}

/**
 * Sends `cases` requests. Rejects with the smallest case that got an answer of 500 or more, or none at all.
 * `onBatch` is told of progress and may throw when the service has ended.
 */
export async function fuzzService(
  service: { port: number; key: string },
  cases: number,
  onBatch: (done: number) => void = () => undefined,
): Promise<FuzzReport> {
  const statuses = new Map<number, number>();
  const startedMs = performance.now();
  let done = 0;
  const batch = fc.array(anyCase(service.key), { minLength: concurrency, maxLength: concurrency });
  await fc.assert(
    fc.asyncProperty(batch, async (batchCases) => {
      const answers = await Promise.all(batchCases.map((each) => send(service.port, each)));
      for (const [index, answer] of answers.entries()) {
        const complaint = judge(answer, batchCases[index]);
        if (complaint !== undefined) throw new Error(complaint);
        for (const status of statusesOf(answer.text)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
      done += batchCases.length;
      onBatch(done);
    }),
    { numRuns: Math.ceil(cases / concurrency), endOnFailure: cases > 10_000 },
  );
  return { cases: done, statuses, seconds: (performance.now() - startedMs) / 1000 };
}

interface RawAnswer {
  text: string;
  /** The service fell silent, or let nobody in. */
  failure: string | undefined;
}

/** The service's fault, in a sentence; undefined when there is none. */
function judge(answer: RawAnswer, fuzzed: FuzzCase | undefined): string | undefined {
  const sent = JSON.stringify(fuzzed?.parts);
  if (answer.failure !== undefined) return `${answer.failure}: ${sent}`;
  // 505 is the parser's word for a request line that does not end in HTTP/1.1: the fault of who sends that.
  const fault = statusesOf(answer.text).find(
    (status) => status >= 500 && (status !== 505 || fuzzed?.isWhole === true),
  );
  if (fault !== undefined) return `${fault}: ${sent}\n${answer.text.slice(0, 500)}`;
  const isAnswered = answer.text.startsWith('HTTP/1.1 ');
  if (fuzzed?.isWhole === true && !isAnswered) return `No answer: ${sent}`;
  if (answer.text !== '' && !isAnswered) return `No HTTP: ${sent}\n${answer.text.slice(0, 500)}`;
  if (/^(set-cookie|trailer):/im.test(answer.text)) return `A header of the caller's: ${sent}`;
  return undefined;
}

/** Pictures and messages may hold anything, so a status line counts only at the beginning or behind a whole answer. */
function statusesOf(text: string): number[] {
  const statuses: number[] = [];
  let rest = text;
  for (;;) {
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1];
    if (status === undefined) return statuses;
    statuses.push(Number(status));
    const bodyAt = rest.indexOf('\r\n\r\n') + 4;
    const length = /^content-length: (\d+)/im.exec(rest.slice(0, bodyAt))?.[1] ?? '0';
    rest = rest.slice(bodyAt + Number(length));
  }
}

/** Sends a case on a connection of its own and reads until it ends, or until the answer to a whole request has come. */
function send(port: number, { parts, isWhole }: FuzzCase): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let failure: string | undefined;
    const isHead = parts[0]?.startsWith('HEAD ') === true;
    socket.setNoDelay();
    socket.setTimeout(answerMsMax, () => {
      failure = 'Unanswered';
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') failure = 'Nobody listens';
    });
    socket.on('close', () => resolve({ text, failure }));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isWhole && isComplete(text, isHead)) socket.destroy();
    });
    socket.on('connect', () => {
      for (const part of parts) socket.write(part, 'latin1');
      // Whoever sent half of something goes: the service must not wait, and closes too.
      if (!isWhole) socket.end();
    });
  });
}

function isComplete(text: string, isHead: boolean): boolean {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  if (bodyAt === 3) return false;
  if (isHead || /^HTTP\/1\.1 (204|304) /.test(text)) return true;
  const length = /^content-length: (\d+)/im.exec(text.slice(0, bodyAt))?.[1];
  return length !== undefined && text.length >= bodyAt + Number(length);
}
