/** The time and the reader of a render, for templates whose content depends on them. */

/** Kinds of clients that the content of a template may depend on. */
export const liveClients = ['apple-mail-privacy', 'gmail-proxy', 'yahoo-proxy', 'other'] as const;
export type LiveClient = (typeof liveClients)[number];

/** Facts of a render's time and of its reader. Times are ms since the epoch. */
export interface RenderMoment {
  /** The time of the render, rounded down; absent for a template that needs no clock. */
  timeMs?: number | undefined;
  /**
   * The end of the countdown; absent: the template's clock gives it at `timeMs`. A later `timeMs` with the same end is
   * a later frame of the same countdown.
   */
  untilMs?: number | undefined;
  /** Whether the end moves with the time, as for an evergreen countdown that has not begun. */
  isFloating?: boolean | undefined;
  /** The kind of client; absent: `other`. */
  client?: LiveClient | undefined;
  /** 0 to 99, the same for all renders of a contact; absent: 0. */
  share?: number | undefined;
  /** Milliseconds since the start of the template's motion; absent: the image as designed. */
  motionMs?: number | undefined;
}
