const SECONDS = { D: 86_400, H: 3600, M: 60, S: 1 } as const;

/** The maximum in seconds: browsers limit cookies to 400 days. */
export const MAX_DURATION_S = 400 * SECONDS.D;

/**
 * Converts an ISO 8601 duration of days, hours, minutes and seconds, such as `P90D` or `PT12H`, to seconds. An empty
 * text gives the maximum.
 */
export function secondsOf(duration: string): number {
  const parts = [...duration.matchAll(/(\d+)([DHMS])/g)];
  const sum = parts.reduce((all, [, count, unit]) => all + Number(count) * SECONDS[unit as keyof typeof SECONDS], 0);
  return parts.length === 0 ? MAX_DURATION_S : Math.max(1, Math.min(sum, MAX_DURATION_S));
}
