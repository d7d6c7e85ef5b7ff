/** The law of the turns of campaign runs, for whatever is started by whatever organization at whatever time. */
import * as fc from 'fast-check';
import t from 'tap';
import { nextTurns, runsMax, turnMs } from '../../src/mailings/campaigns/turns.ts';

interface Run {
  number: number;
  organizationUid: string;
  /** Turns that it still needs. */
  turns: number;
}

interface Active extends Run {
  run: Run;
  startedMs: number;
  hasProgress: boolean;
  stop: AbortController;
}

/** Up to eight organizations with up to twelve runs each, which arrive over time and take up to a thousand turns. */
const arrivals = fc.array(
  fc.record({
    organizationUid: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    step: fc.nat(20),
    turns: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(1000)),
  }),
  { minLength: 1, maxLength: 60 },
);
/** Whether the batch of a run ends within a turn. */
const paces = fc.infiniteStream(fc.boolean());
const steps = 120;

/** Runs with their turns, step by step; a step has the time of a turn. */
class Simulation {
  waiting: Run[] = [];
  readonly #turnEndsMs = new Map<string, number>();
  active: Active[] = [];
  stopped = 0;
  #nowMs = 0;
  #numbers = 0;

  add(run: Omit<Run, 'number'>): void {
    this.#numbers += 1;
    this.waiting.push({ number: this.#numbers, ...run });
  }

  wake(): void {
    // As the store gives them: in the order of their creation.
    this.waiting.sort((a, b) => a.number - b.number);
    const { start, stop } = nextTurns(this.waiting, this.active, this.#turnEndsMs, this.#nowMs);
    for (const each of stop) each.stop.abort();
    this.stopped += stop.length;
    for (const run of start) {
      this.waiting = this.waiting.filter((other) => other !== run);
      const fresh = { startedMs: this.#nowMs, hasProgress: false, stop: new AbortController() };
      this.active.push({ ...run, ...fresh, run });
    }
  }

  /** Returns the organizations that a batch was done of. */
  work(isQuick: () => boolean): Set<string> {
    this.#nowMs += turnMs;
    const served = new Set<string>();
    for (const each of this.active.filter(() => isQuick())) {
      each.run.turns -= 1;
      each.hasProgress = true;
      served.add(each.organizationUid);
    }
    for (const { run, hasProgress, stop } of this.active) {
      const isOver = run.turns === 0 || (hasProgress && stop.signal.aborted);
      if (!isOver) continue;
      this.active = this.active.filter((other) => other.run !== run);
      this.#turnEndsMs.set(run.organizationUid, (this.#nowMs += 1));
      if (run.turns > 0) this.waiting.push(run);
    }
    return served;
  }
}

t.test('an organization waits no more turns than there are organizations', async () => {
  fc.assert(
    fc.property(arrivals, (all) => {
      const simulation = new Simulation();
      const organizations = new Set(all.map(({ organizationUid }) => organizationUid));
      const idle = new Map<string, number>();
      for (let step = 0; step < steps; step += 1) {
        for (const { step: at, ...run } of all) if (at === step) simulation.add(run);
        simulation.wake();
        const served = simulation.work(() => true);
        simulation.wake();
        if (simulation.active.length > runsMax) return false;
        const open = new Set(
          [...simulation.waiting, ...simulation.active].map((run) => run.organizationUid),
        );
        for (const uid of organizations) {
          const turns = served.has(uid) || !open.has(uid) ? 0 : (idle.get(uid) ?? 0) + 1;
          idle.set(uid, turns);
          if (turns > organizations.size) return false;
        }
      }
      return true;
    }),
  );
});

t.test('runs of one organization, or without progress, make way for nobody', async () => {
  fc.assert(
    fc.property(arrivals, fc.boolean(), paces, (all, isAlone, pace) => {
      const simulation = new Simulation();
      const isQuick = (): boolean => pace.next().value === true;
      for (let step = 0; step < steps; step += 1) {
        for (const { step: at, ...run } of all) {
          const { organizationUid } = run;
          if (at !== step) continue;
          simulation.add({ ...run, organizationUid: isAlone ? 'a' : organizationUid });
        }
        simulation.wake();
        const stopping = simulation.active.filter(({ stop }) => stop.signal.aborted);
        if (stopping.some(({ hasProgress }) => !hasProgress)) return false;
        // One makes way for one.
        if (stopping.length > simulation.waiting.length) return false;
        if (simulation.active.length > runsMax) return false;
        simulation.work(isQuick);
        const isIdle = simulation.active.length < runsMax;
        simulation.wake();
        if (isIdle && simulation.active.length < runsMax && simulation.waiting.length > 0)
          return false;
      }
      return !isAlone || simulation.stopped === 0;
    }),
  );
});

t.test('a run stops only after its turn, for an organization with fewer active runs', async (t) => {
  const startedMs = 100;
  const activeOf = (organizationUid: string): Active => {
    const run = { number: 1, organizationUid, turns: 1000 };
    return { ...run, run, startedMs, hasProgress: true, stop: new AbortController() };
  };
  const [first, ...others] = ['a', 'a', 'b', 'b'].map((each) => activeOf(each));
  const active = [first as Active, ...others];
  const stopFor = (organizationUid: string, nowMs: number): Active[] =>
    nextTurns([{ organizationUid }], active, new Map(), nowMs).stop;
  t.same(stopFor('c', startedMs + turnMs - 1), []);
  t.same(stopFor('a', startedMs + turnMs), []);
  t.same(stopFor('c', startedMs + turnMs), [first]);
});
