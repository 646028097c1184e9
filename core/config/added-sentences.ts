import type { RealmRepresentation } from '../model/representation.js';

/**
 * The sentences about a realm that apply since a change. `before` is examined only if there are sentences about
 * `after`.
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
