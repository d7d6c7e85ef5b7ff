/** Asks for one link and reads the whole answer. */

export interface HttpAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** Rejects when nobody answers; a status that is no 2xx is an answer. */
export async function fetchAnswer(
  url: string,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const response = await fetch(url, { headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
