/** What each render thread is given when it starts. */

/** Turns at making plans (`planTurns` of `workers/plan/plan-turns`): enough that templates of one moment seldom share one. */
const planTurnsMax = 256;

export interface RenderThreadData {
  /** Bytes of plans that a thread keeps; absent: 128 MiB. */
  plansBytesMax?: number;
  /** Shared by all threads of a pool: which plans are being made. */
  planTurns: SharedArrayBuffer;
}

/** Memory for the turns of one pool, 1 KiB: a 32-bit number for each. */
export function createPlanTurns(): SharedArrayBuffer {
  return new SharedArrayBuffer(planTurnsMax * Uint32Array.BYTES_PER_ELEMENT);
}
