import { closest, distance } from 'fastest-levenshtein';

/** Returns the nearest of the known words if it is near enough to be the intended one. */
export function didYouMean(word: string, knownWords: readonly string[], limit = 3): string | undefined {
  if (knownWords.length === 0) return undefined;
  const nearest = closest(
    word.toLowerCase(),
    knownWords.map((candidate) => candidate.toLowerCase()),
  );
  const match = knownWords.find((candidate) => candidate.toLowerCase() === nearest);
  return match !== undefined && distance(word.toLowerCase(), nearest) <= Math.min(limit, Math.ceil(word.length / 3))
    ? match
    : undefined;
}
