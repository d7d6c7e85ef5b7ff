/** The parts that this thread knows: those that it has made, and those of other threads of its host. */
import { threadOptions } from '../thread-options.ts';
import { baseBytesMaxDefault, PartIndex } from './part-index.ts';
import type { PartKind, PartReport, PartUpdate } from '#wire/render-wire.ts';

/** Bound of the base renders of the host, in bytes. */
export const { baseRendersBytesMax = baseBytesMaxDefault } = threadOptions;

/** Whether other threads share the parts; they then differ from what a thread uses by being plain data. */
export const isShared = threadOptions.requestMemory !== undefined;

/** The index of a thread that is alone in its host. */
const alone = isShared ? undefined : new PartIndex({ base: baseRendersBytesMax, image: 1 });
alone?.addThread(0);

/** Parts as other threads made them, and as this thread uses them. */
const values = new Map<string, unknown>();
const used = new Map<string, object>();
let report: PartReport = { made: [], used: [] };
let nextDropped: string | undefined;

export function hasPart(key: string): boolean {
  return used.has(key) || values.has(key);
}

/** The key of the base render that the next one replaces; undefined while one more fits. */
export function nextDroppedPart(): string | undefined {
  return nextDropped;
}

/** Returns a part; `revive` makes it of the plain data that another thread made. */
export function findPart<Part extends object>(
  key: string,
  revive: (value: unknown) => Part,
): Part | undefined {
  if (!hasPart(key)) return undefined;
  let part = used.get(key) as Part | undefined;
  if (part === undefined) {
    part = revive(values.get(key));
    used.set(key, part);
  }
  note({ made: [], used: [key] });
  return part;
}

/**
 * Keeps a part, which takes `bytes` of the bound of its kind, and returns it as this thread uses it. `toData` returns
 * its plain data, and `revive` makes it of them.
 */
export function keepPart<Part extends object>(
  { kind, key, bytes }: { kind: PartKind; key: string; bytes: number },
  part: Part,
  toData: (part: Part) => unknown,
  revive: (value: unknown) => Part,
): Part {
  const value = isShared ? toShared(toData(part)) : undefined;
  const kept = isShared ? revive(value) : part;
  used.set(key, kept);
  note({ made: [{ kind, key, bytes, value }], used: [] });
  return kept;
}

/** Applies what has changed since the last job. */
export function updateParts(update: PartUpdate): void {
  for (const { key, value } of update.made) {
    values.set(key, value);
    used.delete(key);
  }
  for (const key of update.dropped) {
    values.delete(key);
    used.delete(key);
  }
  nextDropped = update.nextDropped;
}

/** Returns what has happened since the last call; undefined if nothing has. */
export function takePartReport(): PartReport | undefined {
  if (report.made.length + report.used.length === 0) return undefined;
  const taken = report;
  report = { made: [], used: [] };
  return taken;
}

/** Bytes of the parts of a thread that is alone; the host counts the others. */
export function partBytes(kind: PartKind): number {
  return alone?.bytesOf(kind) ?? 0;
}

function note(done: PartReport): void {
  if (alone === undefined) {
    report.made.push(...done.made);
    report.used.push(...done.used);
    return;
  }
  alone.take(0, done);
  updateParts(alone.updateFor(0));
}

/** Bytes of an array from which shared memory is worth its overhead. */
const sharedBytesMin = 1024;

/** Copies plain data, with its larger arrays in shared memory. */
function toShared(value: unknown): unknown {
  if (isArray(value)) {
    if (value.byteLength < sharedBytesMin) return value;
    const { constructor } = value;
    const memory = new SharedArrayBuffer(value.byteLength);
    const shared = Reflect.construct(constructor, [memory]) as typeof value;
    shared.set(value);
    return shared;
  }
  if (Array.isArray(value)) return value.map(toShared);
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [key, toShared(part)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toShared(part)]));
}

function isArray(value: unknown): value is Uint8Array | Uint16Array | Uint32Array | Int32Array {
  return ArrayBuffer.isView(value) && 'set' in value;
}
