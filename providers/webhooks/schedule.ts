const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The wait after each failed attempt, in seconds: the schedule of Standard Webhooks. */
const WAITS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const MAX_WAIT_S = 24 * HOUR;
/** Random variation of a tenth, so that messages that failed together are not sent together again. */
const JITTER = 0.1;

/**
 * The wait until the next attempt, in milliseconds.
 * @param attempts the number of attempts so far, at least 1
 */
export function waitAfter(attempts: number): number {
  const seconds = WAITS[Math.min(attempts, WAITS.length) - 1] ?? MAX_WAIT_S;
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * Math.random() - 1)));
}

/**
 * The wait that a `Retry-After` requests (RFC 9110 §10.2.3), at most a day, in milliseconds.
 * @param now milliseconds since the epoch
 * @returns undefined if it is missing or invalid
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_WAIT_S * 1000);
}
