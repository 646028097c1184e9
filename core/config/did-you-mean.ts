import { closest, distance } from 'fastest-levenshtein';

/** The nearest of the known words, when it is near enough to have been meant. */
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
