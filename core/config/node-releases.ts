/** The end of support of each major version of Node.js, from https://github.com/nodejs/Release. */
const END_OF_LIFE: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
};

/**
 * The last day of support of a version of Node.js, as `YYYY-MM-DD`; undefined if the day is not over, or is unknown.
 *
 * @param version such as `v20.19.0`
 * @param now milliseconds since the epoch
 */
export function endOfLifeSince(version: string, now: number): string | undefined {
  const end = END_OF_LIFE[Number.parseInt(version.replace(/^v/, ''), 10)];
  return end !== undefined && now >= Date.parse(`${end}T24:00:00Z`) ? end : undefined;
}
