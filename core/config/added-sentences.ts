import type { RealmRepresentation } from '../model/representation.js';

/**
 * The sentences about a realm that a change has added. Most realms have none, so `before` is examined only if `after`
 * has some.
 * @param before undefined for a new realm
 */
export function addedSentences(
  before: RealmRepresentation | undefined,
  after: RealmRepresentation,
  sentencesOf: (realm: RealmRepresentation) => readonly string[],
): readonly string[] {
  const sentences = sentencesOf(after);
  if (before === undefined || sentences.length === 0) return sentences;
  const sentencesBefore = new Set(sentencesOf(before));
  return sentences.filter((sentence) => !sentencesBefore.has(sentence));
}
