/** Runs wrk, the only client here that is fast enough for responses from memory. */
import { runChild } from './children.ts';

export interface WrkOptions {
  url: string;
  seconds: number;
  headers?: Record<string, string>;
}

/** One thread leaves the other cores to the server; with 64 connections it is never idle. */
const threads = 1;
const connections = 64;

/** Returns requests a second. Throws if a response was not 2xx or 3xx, or a connection broke. */
export async function runWrk({ url, seconds, headers = {} }: WrkOptions): Promise<number> {
  const sent = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, ...sent, url];
  return parseWrk(await runChild('wrk', args));
}

/** Parses the output of wrk. */
export function parseWrk(output: string): number {
  const problem = /^.*(?:Non-2xx or 3xx responses|Socket errors).*$/m.exec(output);
  if (problem !== null) throw new Error(`wrk ${problem[0].trim()}`);
  const perSecond = Number(/^Requests\/sec:\s+([\d.]+)$/m.exec(output)?.[1]);
  if (!(perSecond > 0)) throw new Error(`wrk printed no requests a second:\n${output}`);
  return perSecond;
}
