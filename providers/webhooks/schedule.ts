const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds after each failed attempt: the schedule of Standard Webhooks. */
const WAITS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const LONGEST = 24 * HOUR;
/** A tenth more or less, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * Milliseconds until the next attempt.
 * @param attempts made so far, from 1
 */
export function waitAfter(attempts: number): number {
  const seconds = WAITS[Math.min(attempts, WAITS.length) - 1] ?? LONGEST;
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * Math.random() - 1)));
}

/**
 * Milliseconds that a `Retry-After` asks for (RFC 9110 §10.2.3), at most a day.
 * @param now milliseconds since the epoch
 * @returns undefined without one, or where it cannot be read
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST * 1000);
}
