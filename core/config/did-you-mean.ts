import { closest, distance } from 'fastest-levenshtein';

/** Returns the nearest of the known words if it is near enough to be the intended one. */
export function didYouMean(word: string, known: readonly string[], limit = 3): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(
    word.toLowerCase(),
    known.map((candidate) => candidate.toLowerCase()),
  );
  const match = known.find((candidate) => candidate.toLowerCase() === nearest);
  return match !== undefined && distance(word.toLowerCase(), nearest) <= Math.min(limit, Math.ceil(word.length / 3))
    ? match
    : undefined;
}
