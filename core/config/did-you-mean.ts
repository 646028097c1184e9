import { closest, distance } from 'fastest-levenshtein';

/**
 * Returns the known word that is most similar to this one if it was probably meant.
 * @param limit the maximum number of letters to change, add or remove. A third of the word's length is another limit
 */
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
