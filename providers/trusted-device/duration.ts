const SECONDS = { D: 86_400, H: 3600, M: 60, S: 1 } as const;

/** Seconds: no browser keeps a cookie for longer than 400 days. */
export const LONGEST = 400 * SECONDS.D;

/** The seconds of an ISO 8601 duration in days, hours, minutes and seconds, such as `P90D` or `PT12H`; of none, the longest. */
export function secondsOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d+)([DHMS])/g)];
  const sum = parts.reduce((all, [, count, unit]) => all + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0);
  return parts.length === 0 ? LONGEST : Math.max(1, Math.min(sum, LONGEST));
}
