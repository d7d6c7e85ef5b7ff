/** Ends the process at once, even while its threads run native code. */

/**
 * Ends this process with an exit code, in some 50 ms, whatever its threads do. Call it on the main thread. Earlier
 * log lines are written, because Node writes to files and pipes synchronously.
 *
 * `process.exit` waits for each thread, and a thread that hangs in a decoder never returns. `exec` of another program
 * ends all threads, keeps the process id and returns the code. SIGKILL does not reach the first process of a
 * container, which a service often is.
 */
export function endProcess(exitCode: number): never {
  const { execPath } = process;
  try {
    process.execve?.(execPath, [execPath, '-e', `process.exit(${exitCode})`], {});
  } catch {
    // If the system forbids other programs, or has no such call.
  }
  process.kill(process.pid, 'SIGKILL');
  // Only the first process of a container gets here: a fault of its own ends it.
  process.abort();
}
