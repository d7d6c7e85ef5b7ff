/** The error of the image loader, with its closed list of reasons. */

/** Why an image could not be loaded, as one word for logs, metrics and the choice of an answer. */
export type ImageErrorReason =
  /** The source is no http(s) URL, share link, asset id or data URL that can be read. */
  | 'url'
  /** The host name has no address, or could not be looked up. */
  | 'dns'
  /** An origin was slower than a limit. */
  | 'timeout'
  /** The address or port is not one that may be connected to. */
  | 'blocked'
  /** The origin answered with a status that is no success. */
  | 'status'
  /** More bytes, pixels or memory than a limit. */
  | 'too_large'
  /** Bytes that are no image of a supported format. */
  | 'not_image'
  /** An image whose header contradicts its bytes: damaged or cut off. */
  | 'decode'
  /** Too many redirects, or one that leads nowhere. */
  | 'redirect'
  /** The connection failed or ended early, or the circuit of the host is open because it keeps failing. */
  | 'network'
  /** This service has too many images to fetch or draw; a later request can succeed. */
  | 'overloaded';

/**
 * An image that could not be loaded.
 *
 * `message` is public and continues a sentence that starts with the variable's name: `photo` + `could not be reached
 * within 2 s`. Of the data of an origin, it contains only the status number and the host name.
 */
export class ImageError extends Error {
  readonly reason: ImageErrorReason;
  /** The origin's HTTP status, for `status`. */
  readonly status: number | undefined;
  /** Seconds until a retry, for `overloaded`; undefined if unknown. */
  readonly retryAfterSeconds: number | undefined;
  /** The error depends on the load or on earlier requests of the same organization: it does not apply to others. */
  readonly concernsRequester: boolean;

  constructor(
    reason: ImageErrorReason,
    message: string,
    options: {
      status?: number;
      retryAfterSeconds?: number;
      concernsRequester?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ImageError';
    this.reason = reason;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.concernsRequester = options.concernsRequester === true || reason === 'overloaded';
  }
}

/** Message for an address that is blocked. */
export const notPublic = 'cannot be used: its address is not public';

/** A duration for a message: `2 s`, `0.25 s`. */
export function secondsText(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}
