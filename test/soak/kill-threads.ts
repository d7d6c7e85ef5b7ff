/**
 * Loaded before the service and in each of its threads (`--import`): at SIGUSR2 the oldest thread dies. It ends itself,
 * between two steps of its work: a thread that is ended from outside while it paints takes the process with it.
 */
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';

const channel = new BroadcastChannel('kill-threads');
channel.unref();

if (isMainThread) {
  const threads = new Set<Worker>();
  process.on('worker', (thread) => {
    threads.add(thread);
    thread.once('exit', () => threads.delete(thread));
  });
  process.on('SIGUSR2', () => {
    const [oldest] = threads;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows.
    channel.postMessage(oldest?.threadId);
  });
} else {
  channel.addEventListener('message', (event) => {
    if ((event as unknown as { data: unknown }).data === threadId) process.exit(1);
  });
}
