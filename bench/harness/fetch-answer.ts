/** Requests one link and reads the whole response. */

export interface HttpAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
}

/** Rejects without a response; any status is a response. */
export async function fetchAnswer(
  url: string,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const response = await fetch(url, { headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}
