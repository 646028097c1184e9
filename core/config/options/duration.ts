const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PLAIN = /^(\d{1,9})(ms|s|m|h|d)?$/;
const ISO_8601 = /^P(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/i;

/**
 * Parses a duration as Keycloak's options write it: a number of seconds, a number with `ms`, `s`, `m`, `h` or `d`, or
 * an ISO 8601 duration of days and smaller units.
 * @returns milliseconds; undefined for anything else
 */
export function readDuration(text: string): number | undefined {
  const [, count, unit = 's'] = PLAIN.exec(text) ?? [];
  if (count !== undefined) return Number(count) * UNITS[unit as keyof typeof UNITS];
  const [, days, hours, minutes, seconds] = ISO_8601.exec(text) ?? [];
  if ([days, hours, minutes, seconds].every((part) => part === undefined)) return undefined;
  const partInMs = (part: string | undefined, unit: number) => Number(part ?? 0) * unit;
  return Math.round(
    partInMs(days, UNITS.d) + partInMs(hours, UNITS.h) + partInMs(minutes, UNITS.m) + partInMs(seconds, UNITS.s),
  );
}
