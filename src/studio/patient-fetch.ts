/** Asks again when the service has too much to do: a picture that comes a second later is better than none. */

/** Times that a request is sent before its refusal is believed. */
const attemptsMax = 4;

/** Seconds that are waited at most, whatever the service says. */
const waitSecondsMax = 5;

/**
 * Sends with `send`, with another attempt after a 503 that names `Retry-After`, for what changes nothing: GET and
 * previews. The body must be one that can be sent twice. Rejects like `send`.
 */
export async function patientFetch(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const isRepeatable = (init.method ?? 'GET') === 'GET' || addressOf(input).endsWith('/v1/preview');
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(input, init);
    const seconds = Number(response.headers.get('Retry-After') ?? undefined);
    const isRefused = response.status === 503 && Number.isFinite(seconds);
    if (!isRefused || !isRepeatable || attempt === attemptsMax) return response;
    await response.body?.cancel();
    await pause(Math.min(seconds, waitSecondsMax) * 1000, init.signal ?? undefined);
  }
}

function addressOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : input.toString();
}

/** Rejects as soon as `signal` does. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
