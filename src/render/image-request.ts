/** Distinguishes requests of readers, which show an image, from requests of programs. */

/** The headers that identify a reader's request: values as sent, empty for absent ones. */
export interface RequestTraits {
  accept: string;
  /** `Sec-Fetch-Dest` (Fetch Metadata): only browsers send it, and pages cannot set it. */
  fetchDestination: string;
  userAgent: string;
}

/** Kinds of clients, as statistics count them: the most common of `emailClients` alone, the others together. */
export const clientKinds = [
  'gmail-proxy',
  'yahoo-proxy',
  'apple-privacy',
  'apple-direct',
  'outlook',
  'other-email',
  'link-preview',
  'browser',
  'program',
] as const;

export type ClientKind = (typeof clientKinds)[number];

/** An email client, a messenger or a social network, or a proxy that fetches images for its readers. */
export interface ImageFetcher {
  name: string;
  /** Default: `other-email`, and `link-preview` for link previews. */
  kind?: ClientKind;
  /** Matches its user agents. */
  pattern: RegExp;
  /** One of its user agents. */
  example: string;
}

/** Email clients and proxies by user agent; `docs/errors.md` lists them. */
export const emailClients: readonly ImageFetcher[] = [
  {
    name: 'Gmail (image proxy)',
    kind: 'gmail-proxy',
    pattern: /GoogleImageProxy/i,
    example:
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  },
  {
    name: 'Yahoo Mail and AOL (image proxy)',
    kind: 'yahoo-proxy',
    pattern: /YahooMailProxy/i,
    example: 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  },
  {
    name: 'Apple Mail (privacy proxy)',
    kind: 'apple-privacy',
    pattern: /^Mozilla\/5\.0$/i,
    example: 'Mozilla/5.0',
  },
  {
    name: 'Apple Mail (direct: WebKit without a browser’s name)',
    kind: 'apple-direct',
    pattern:
      /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad|iPod)[^)]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)(?: Mobile\/\w+)?$/i,
    example:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  },
  {
    name: 'Outlook on Windows, macOS, iOS and Android, Windows Live Mail',
    kind: 'outlook',
    pattern: /Outlook/i,
    example: 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)',
  },
  {
    name: 'Outlook on Windows (as Internet Explorer)',
    kind: 'outlook',
    pattern: /ms-?office/i,
    example: 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Trident/8.0; ms-office)',
  },
  {
    name: 'Thunderbird',
    pattern: /Thunderbird/i,
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0',
  },
  {
    name: 'Postbox',
    pattern: /Postbox\//i,
    example: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:68.0) Gecko/20100101 Postbox/7.0.60',
  },
  {
    name: 'eM Client',
    pattern: /eMClient\//i,
    example: 'eMClient/9.2',
  },
  {
    name: 'HCL (Lotus) Notes',
    pattern: /Lotus-Notes/i,
    example: 'Mozilla/4.0 (compatible; Lotus-Notes/6.0; Windows-NT)',
  },
  { name: 'Evolution', pattern: /^Evolution\//i, example: 'Evolution/3.52.0' },
  {
    name: 'KMail',
    pattern: /\b(?:KMail|Kontact)\b/i,
    example:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) KMail/5.24 Safari/537.36',
  },
  { name: 'Airmail', pattern: /Airmail/i, example: 'Airmail 5.6 (Macintosh; OS X 13.0)' },
];

/**
 * Messengers and social networks by user agent. They fetch a posted link and show its image to all readers of the post.
 * Most cache the image for days.
 */
export const linkPreviews: readonly ImageFetcher[] = [
  {
    name: 'WhatsApp; Signal, which sends the same',
    pattern: /^WhatsApp\//i,
    example: 'WhatsApp/2',
  },
  {
    name: 'Telegram',
    pattern: /^TelegramBot\b/i,
    example: 'TelegramBot (like TwitterBot)',
  },
  {
    name: 'Facebook, Messenger, Instagram, Threads, LINE, KakaoTalk; Messages of Apple',
    pattern: /facebookexternalhit\//i,
    example: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  },
  { name: 'X (Twitter)', pattern: /Twitterbot\//i, example: 'Twitterbot/1.0' },
  {
    name: 'LinkedIn',
    pattern: /LinkedInBot\//i,
    example:
      'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  },
  {
    name: 'Slack',
    pattern: /Slackbot-LinkExpanding|Slack-ImgProxy/i,
    example: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  },
  {
    name: 'Discord',
    pattern: /Discordbot\//i,
    example: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  },
  {
    name: 'Skype and Microsoft Teams',
    pattern: /SkypeUriPreview/i,
    example: 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  },
  {
    name: 'Bing',
    pattern: /BingPreview\//i,
    example:
      'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  },
  {
    name: 'Viber',
    pattern: /^Viber\//i,
    example: 'Viber/5.5.0.3531 CFNetwork/758.5.3 Darwin/15.6.0',
  },
  { name: 'Mattermost', pattern: /^Mattermost-Bot\//i, example: 'Mattermost-Bot/1.1' },
  {
    name: 'Mastodon',
    pattern: /\(Mastodon\//i,
    example: 'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/)',
  },
  {
    name: 'Matrix (Synapse)',
    pattern: /^Synapse \(bot;/i,
    example: 'Synapse (bot; +https://github.com/matrix-org/synapse)',
  },
];

/**
 * The kind of a client by its user agent. A browser that shows webmail is a `browser`, because its user agent does not
 * name the page. A client without the name of a browser, such as curl, is a `program`.
 */
export function clientKindOf(userAgent: string): ClientKind {
  const isSentBy = ({ pattern }: ImageFetcher): boolean => pattern.test(userAgent);
  const emailClient = emailClients.find(isSentBy);
  if (emailClient !== undefined) return emailClient.kind ?? 'other-email';
  if (linkPreviews.some(isSentBy)) return 'link-preview';
  return /^(?:Mozilla|Opera)\//i.test(userAgent) ? 'browser' : 'program';
}

const anyImageFetcher = new RegExp(
  [...emailClients, ...linkPreviews].map(({ pattern }) => pattern.source).join('|'),
  'i',
);

/**
 * The headers that `isImageRequest` reads, for `Vary` (RFC 9110 section 12.5.5) of responses that differ for readers
 * and programs.
 */
export const audienceHeaders = 'Accept, Sec-Fetch-Dest, User-Agent';

/**
 * Whether a request shows an image to a reader. This is so with `Sec-Fetch-Dest: image`, and with an `Accept` that
 * prefers images to everything else. Without `Sec-Fetch-Dest`, the user agent of an email client or a link preview also
 * counts.
 */
export function isImageRequest({ accept, fetchDestination, userAgent }: RequestTraits): boolean {
  if (fetchDestination === 'image') return true;
  // Curl, most programs and Gmail's proxy send `*/*` or nothing.
  if (accept !== '*/*' && accept !== '' && prefersImages(accept)) return true;
  return fetchDestination === '' && anyImageFetcher.test(userAgent);
}

/**
 * Whether a media range for images has a higher quality than every other range. A program that accepts JSON or HTML as
 * well (Java's `HttpURLConnection`, clients generated from the API description) can read errors.
 */
function prefersImages(accept: string): boolean {
  let images = 0;
  let others = 0;
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';');
    const quality = qualityOf(parameters);
    if (/^\s*image\//i.test(range)) images = Math.max(images, quality);
    else others = Math.max(others, quality);
  }
  return images > others;
}

/** The weight of a media range (RFC 9110 section 12.4.2); 1 without one, 0 for a malformed one. */
function qualityOf(parameters: readonly string[]): number {
  const text = parameters.map((each) => /^\s*q\s*=(.*)$/is.exec(each)?.[1]).find(Boolean);
  if (text === undefined) return 1;
  const quality = Number(text);
  return quality >= 0 && quality <= 1 ? quality : 0;
}
