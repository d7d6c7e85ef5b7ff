/** Counts the requests of base renders, and lets one thread at a time make one, for all threads of a host. */
import { threadId } from 'node:worker_threads';
import { threadOptions } from '../thread-options.ts';

/** Slots of the counts and of the claims, by a hash of the key: two keys in one slot are seldom, and cost little. */
const countSlots = 2 ** 17;
const claimSlots = 2 ** 12;
/** Requests after which all counts are halved, so that old keys do not keep new keys out. */
const agingPeriod = 10_000;

/** Bytes of the memory that the threads of a host share. */
export const requestMemoryBytes = 4 * (countSlots + claimSlots + 1);

/** Views of the memory: counts, claims by the number of a thread, and the requests since all counts were halved. */
function viewsOf(memory: ArrayBufferLike): {
  counts: Int32Array;
  claims: Int32Array;
  age: Int32Array;
} {
  return {
    counts: new Int32Array(memory, 0, countSlots),
    claims: new Int32Array(memory, 4 * countSlots, claimSlots),
    age: new Int32Array(memory, 4 * (countSlots + claimSlots), 1),
  };
}

const views = viewsOf(threadOptions.requestMemory ?? new ArrayBuffer(requestMemoryBytes));

export function countRequest(key: string): void {
  const { counts, age } = views;
  Atomics.add(counts, hashOf(key) % countSlots, 1);
  if (Atomics.add(age, 0, 1) + 1 < agingPeriod) return;
  Atomics.store(age, 0, 0);
  for (let slot = 0; slot < countSlots; slot += 1) counts[slot] = (counts[slot] ?? 0) >> 1;
}

export function requestsOf(key: string): number {
  return Atomics.load(views.counts, hashOf(key) % countSlots);
}

/** Claims the making of a key; false if another thread makes it. */
export function claim(key: string): boolean {
  const before = Atomics.compareExchange(views.claims, hashOf(key) % claimSlots, 0, threadId + 1);
  return before === 0;
}

/** Ends the claim of this thread. */
export function release(key: string): void {
  releaseFor(threadId, key, views.claims);
}

/** Ends the claim of a thread, in the memory of its host. */
export function releaseOf(thread: number, key: string, memory: SharedArrayBuffer): void {
  releaseFor(thread, key, viewsOf(memory).claims);
}

function releaseFor(thread: number, key: string, claims: Int32Array): void {
  Atomics.compareExchange(claims, hashOf(key) % claimSlots, thread + 1, 0);
}

/** Ends the claims of a thread that has ended. */
export function releaseAll(thread: number, memory: SharedArrayBuffer): void {
  const { claims } = viewsOf(memory);
  for (let slot = 0; slot < claimSlots; slot += 1) {
    Atomics.compareExchange(claims, slot, thread + 1, 0);
  }
}

/** FNV-1a of the units of a text, as an unsigned number. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return hash >>> 0;
}
