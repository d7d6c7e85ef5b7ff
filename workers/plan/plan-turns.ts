/** Lets one thread at a time make its plan of a template: the others draw whole meanwhile, so that readers do not all wait for plans. */
import { hash } from 'node:crypto';
import { createPlanTurns } from '#shared/render-thread-data.ts';
import { threadData } from '../thread-data.ts';

/** A thread that died while it made a plan gives no turn back; no plan takes as long as this. */
const turnSecondsMax = 10;

const shared = new Uint32Array(threadData.planTurns ?? createPlanTurns());

/**
 * Takes the turn of this key and gives the function that gives it back; undefined while another thread has it.
 * Keys that share a place in `turns`, seconds since 1970 by when a turn was taken and 0 for none, share their turn.
 */
export function takePlanTurn(
  key: string,
  turns: Uint32Array = shared,
  nowMs: number = performance.timeOrigin + performance.now(),
): (() => void) | undefined {
  const place = Number.parseInt(hash('sha256', key).slice(0, 8), 16) % turns.length;
  const now = Math.floor(nowMs / 1000);
  const before = Atomics.load(turns, place);
  if (now - before <= turnSecondsMax) return undefined;
  if (Atomics.compareExchange(turns, place, before, now) !== before) return undefined;
  return () => void Atomics.compareExchange(turns, place, now, 0);
}
