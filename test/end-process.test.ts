/** A process whose thread is lost in native code still ends, with its exit code. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const program = fileURLToPath(new URL('./fixtures/stuck-process.ts', import.meta.url));

/** How the program ended; it is killed when it takes too long. */
function runProgram(): Promise<{ code: unknown; signal: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program],
      { timeout: 20_000, killSignal: 'SIGKILL' },
      (error, _, stderr) => resolve({ code: error?.code, signal: error?.signal, stderr }),
    );
  });
}

t.test('the watchdog ends a process whose thread never comes back', async (t) => {
  const { code, signal, stderr } = await runProgram();
  t.match({ code, signal }, { code: 70, signal: null }, 'supervisors see the exit code');
  t.match(stderr, /"event":"fatal","detail":"stuck"/, 'what was logged before is there');
});
