/** Ends the process at once, also while its threads are in native code. */

/**
 * Ends this process with an exit code, in some 50 ms whatever its threads are doing. To be called on the main
 * thread; what was logged before is out, as Node writes to files and pipes synchronously.
 *
 * `process.exit` waits for each thread to come back, which one that is lost in a decoder never does. Another
 * program in this one's place ends them all, keeps the process id and gives the code; SIGKILL would not reach
 * the first process of a container, which is what a service often is there.
 */
export function endProcess(exitCode: number): never {
  const { execPath } = process;
  try {
    process.execve?.(execPath, [execPath, '-e', `process.exit(${exitCode})`], {});
  } catch {
    // Where starting programs is forbidden, or the system has no such call.
  }
  process.kill(process.pid, 'SIGKILL');
  // Reached by the first process of a container alone: a fault of its own ends it even so.
  process.abort();
}
