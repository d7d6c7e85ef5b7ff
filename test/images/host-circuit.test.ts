/** A host that keeps failing is left alone, and found again. */
import t from 'tap';
import { HostCircuit } from '../../src/images/fetch/host-circuit.ts';

function startCircuit(): {
  circuit: HostCircuit;
  pass: (ms: number) => void;
  isOpen: () => boolean;
} {
  let nowMs = 1000;
  const circuit = new HostCircuit({ circuitFailures: 3, circuitOpenMs: 500, now: () => nowMs });
  return {
    circuit,
    pass: (ms) => {
      nowMs += ms;
    },
    isOpen: () => {
      try {
        circuit.checkHost('a');
        return false;
      } catch {
        return true;
      }
    },
  };
}

t.test('three failures in a row open the circuit of that host alone', (t) => {
  const { circuit, isOpen } = startCircuit();
  circuit.recordFailure('a');
  circuit.recordFailure('a');
  t.notOk(isOpen());
  circuit.recordFailure('a');
  t.throws(() => circuit.checkHost('a'), { reason: 'network', message: /failed repeatedly/ });
  t.doesNotThrow(() => circuit.checkHost('b'));
  t.end();
});

t.test('a success between failures keeps it closed', (t) => {
  const { circuit, isOpen } = startCircuit();
  for (let round = 0; round < 5; round++) {
    circuit.recordFailure('a');
    circuit.recordFailure('a');
    circuit.recordSuccess('a');
  }
  t.notOk(isOpen());
  t.end();
});

t.test('after its time one attempt is let through, and decides', (t) => {
  const { circuit, pass, isOpen } = startCircuit();
  for (let failure = 0; failure < 3; failure++) circuit.recordFailure('a');
  pass(499);
  t.ok(isOpen());
  pass(1);
  t.notOk(isOpen(), 'the attempt');
  t.ok(isOpen(), 'only one');
  circuit.recordFailure('a');
  pass(499);
  t.ok(isOpen(), 'its failure opens it again');
  pass(1);
  t.notOk(isOpen());
  circuit.recordSuccess('a');
  t.notOk(isOpen(), 'its success closes it');
  t.notOk(isOpen());
  t.end();
});

t.test('an attempt that never reports does not keep the host away for ever', (t) => {
  const { circuit, pass, isOpen } = startCircuit();
  for (let failure = 0; failure < 3; failure++) circuit.recordFailure('a');
  pass(500);
  t.notOk(isOpen());
  pass(500);
  t.notOk(isOpen());
  t.end();
});

t.test('ever new hosts do not grow the memory of failures', (t) => {
  const { circuit, isOpen } = startCircuit();
  for (let failure = 0; failure < 3; failure++) circuit.recordFailure('a');
  for (let host = 0; host < 5000; host++) circuit.recordFailure(`host-${host}`);
  t.notOk(isOpen(), 'the oldest is forgotten');
  t.end();
});
