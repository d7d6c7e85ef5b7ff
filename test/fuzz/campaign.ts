/** Sends fuzzed requests to a running service and judges what comes back. */
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { brokenBytes, oddDocument, oddQuery, pipelines } from './request-arbitraries.ts';
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
  /** Connections that ended without an answer, by what was wrong with what had been sent. */
  silences: Map<string, number>;
  seconds: number;
}

/** Shares of the kinds of cases: renders and previews of documents cost a hundred times what a refusal does. */
function anyCase(key: string): fc.Arbitrary<FuzzCase> {
  return fc.oneof(
    { weight: 45, arbitrary: oddQuery },
    { weight: 40, arbitrary: brokenBytes },
    { weight: 10, arbitrary: pipelines },
    { weight: 5, arbitrary: oddDocument(key) },
  );
}

/**
 * Sends `cases` requests. Rejects with the smallest case that got an answer of 500 or more, or fewer than it must.
 * `onBatch` gets the progress and may throw when the service has ended.
 */
export async function fuzzService(
  service: { port: number; key: string },
  cases: number,
  onBatch: (done: number) => void = () => undefined,
): Promise<FuzzReport> {
  const statuses = new Map<number, number>();
  const silences = new Map<string, number>();
  const startedMs = performance.now();
  let done = 0;
  const batch = fc.array(anyCase(service.key), { minLength: concurrency, maxLength: concurrency });
  await fc.assert(
    fc.asyncProperty(batch, async (batchCases) => {
      const answers = await Promise.all(batchCases.map((each) => send(service.port, each)));
      for (const [index, answer] of answers.entries()) {
        const complaint = judge(answer, batchCases[index]);
        if (complaint !== undefined) throw new Error(complaint);
        const silence = batchCases[index]?.silence;
        if (answer.text === '' && silence !== undefined) {
          silences.set(silence, (silences.get(silence) ?? 0) + 1);
        }
        for (const status of statusesOf(answer.text)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
      done += batchCases.length;
      onBatch(done);
    }),
    { numRuns: Math.ceil(cases / concurrency), endOnFailure: cases > 10_000 },
  );
  return { cases: done, statuses, silences, seconds: (performance.now() - startedMs) / 1000 };
}

/** What came back on one connection. */
export interface RawAnswer {
  text: string;
  /** The service fell silent, or let nobody in. */
  failure: string | undefined;
}

/** The service's fault, in a sentence; undefined when there is none. */
export function judge(answer: RawAnswer, fuzzed: FuzzCase | undefined): string | undefined {
  const sent = JSON.stringify(fuzzed?.parts);
  const expected = fuzzed?.answers ?? 0;
  if (answer.failure !== undefined) return `${answer.failure}: ${sent}`;
  // 505 is the parser's word for a request line that does not end in HTTP/1.1: the fault of who sends that.
  const fault = statusesOf(answer.text).find(
    (status) => status >= 500 && (status !== 505 || expected > 0),
  );
  if (fault !== undefined) return `${fault}: ${sent}\n${answer.text.slice(0, 500)}`;
  const isAnswered = answer.text.startsWith('HTTP/1.1 ');
  const isHead = sentHead(fuzzed);
  const count = isHead && isAnswered ? 1 : finalStatuses(answer.text).length;
  if (count < expected)
    return `${count} of ${expected} answers: ${sent}\n${answer.text.slice(0, 500)}`;
  if (answer.text !== '' && !isAnswered) return `No HTTP: ${sent}\n${answer.text.slice(0, 500)}`;
  if (/^(set-cookie|trailer):/im.test(answer.text)) return `A header of the caller's: ${sent}`;
  return undefined;
}

/** An answer's status, and where in the text it ends; undefined while its head has not come. */
function readAnswer(text: string): { status: number; end: number } | undefined {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  if (Number.isNaN(status) || bodyAt === 3) return undefined;
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  const length = /^content-length: (\d+)/im.exec(text.slice(0, bodyAt))?.[1] ?? '0';
  return { status, end: bodyAt + (hasBody ? Number(length) : 0) };
}

/** Images and messages may hold anything, so a status line counts only at the beginning or behind a whole answer. */
function statusesOf(text: string): number[] {
  const statuses: number[] = [];
  let rest = text;
  for (;;) {
    const answer = readAnswer(rest);
    if (answer === undefined || answer.end > rest.length) {
      return answer === undefined ? statuses : [...statuses, answer.status];
    }
    statuses.push(answer.status);
    rest = rest.slice(answer.end);
  }
}

/** Without 100, which is a word on the way. */
function finalStatuses(text: string): number[] {
  return statusesOf(text).filter((status) => status >= 200);
}

function sentHead(fuzzed: FuzzCase | undefined): boolean {
  return fuzzed?.parts.join('').startsWith('HEAD ') === true;
}

/** Sends a case on a connection of its own and reads until it ends, or until the answer to a whole request has come. */
function send(port: number, fuzzed: FuzzCase): Promise<RawAnswer> {
  const { parts, answers } = fuzzed;
  const isHead = sentHead(fuzzed);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let failure: string | undefined;
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
      if (answers > 0 && isComplete(text, answers, isHead)) socket.destroy();
    });
    socket.on('connect', () => {
      for (const part of parts) socket.write(part, 'latin1');
      // The client that sent half of a request leaves: the service must not wait, and closes too.
      if (answers === 0) socket.end();
    });
  });
}

/** Whether as many answers have come to their last byte as must; an answer to HEAD has no body. */
function isComplete(text: string, answers: number, isHead: boolean): boolean {
  let rest = text;
  let count = 0;
  for (;;) {
    const answer = readAnswer(rest);
    if (answer === undefined || (answer.end > rest.length && !isHead)) return false;
    if (answer.status >= 200) count += 1;
    if (count === answers) return true;
    rest = rest.slice(answer.end);
  }
}
