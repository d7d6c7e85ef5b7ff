/** Requests as readers and programs send them, and what each must get in place of an image that cannot be rendered. */
import sharp from 'sharp';
import type { Test } from 'tap';
import { checkError } from '../e2e/request.ts';
import type { Answer } from '../e2e/request.ts';

export interface Requester {
  name: string;
  isReader: boolean;
  headers: Record<string, string>;
}

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Readers and programs in turn, so that any two neighbours get different answers. */
export const requesters: readonly Requester[] = [
  {
    name: 'an image element of a browser',
    isReader: true,
    headers: {
      Accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
      'Sec-Fetch-Dest': 'image',
      'Sec-Fetch-Mode': 'no-cors',
      'User-Agent': chrome,
    },
  },
  { name: 'curl', isReader: false, headers: { Accept: '*/*', 'User-Agent': 'curl/8.5.0' } },
  {
    name: 'GoogleImageProxy',
    isReader: true,
    headers: {
      'User-Agent':
        'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    },
  },
  {
    name: 'fetch in Node.js',
    isReader: false,
    headers: { Accept: '*/*', 'Sec-Fetch-Mode': 'cors', 'User-Agent': 'node' },
  },
  { name: 'Apple', isReader: true, headers: { Accept: '*/*', 'User-Agent': 'Mozilla/5.0' } },
  {
    name: 'fetch in a browser',
    isReader: false,
    headers: {
      Accept: '*/*',
      'Sec-Fetch-Dest': 'empty',
      'Sec-Fetch-Mode': 'cors',
      'User-Agent': chrome,
    },
  },
  {
    name: 'Outlook',
    isReader: true,
    headers: {
      Accept: '*/*',
      'User-Agent': 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)',
    },
  },
  { name: 'a program without headers', isReader: false, headers: {} },
  {
    name: 'WhatsApp',
    isReader: true,
    headers: { Accept: '*/*', 'User-Agent': 'WhatsApp/2.23.20.0 A' },
  },
  {
    name: 'a program with JSON',
    isReader: false,
    headers: { Accept: 'application/json, text/plain, */*', 'User-Agent': 'axios/1.7.2' },
  },
  {
    name: 'Thunderbird',
    isReader: true,
    headers: {
      Accept: 'image/webp,*/*',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:102.0) Gecko/20100101 Thunderbird/102.0',
    },
  },
];

/** Checks that a requester got its own answer to a link that fails with this error. */
export async function checkAudience(
  t: Test,
  { name, isReader }: Requester,
  answer: Answer,
  { status, code }: { status: number; code: string },
  link: string,
): Promise<void> {
  const message = `${name}: ${link.slice(0, 60)}`;
  const { headers } = answer;
  if (!isReader) {
    checkError(t, answer, status, code);
    t.equal(headers['x-render-error'], undefined, message);
    return;
  }
  t.equal(answer.status, 200, message);
  t.equal(headers['x-render-error'], code, message);
  t.equal(headers['cache-control'], 'private, max-age=15', message);
  t.equal(headers.etag, undefined, message);
  const { format, width } = await sharp(answer.body).metadata();
  t.equal(headers['content-type'], `image/${format}`, message);
  // Decoded to the last pixel.
  const { info } = await sharp(answer.body).raw().toBuffer({ resolveWithObject: true });
  t.ok(width > 1 && info.width === width, message);
}
