import type { AdminEvent } from '../../../api/events.ts';
import type { Language } from '../../../messages/language.tsx';
import { adminEventGerman } from './admin-event-german.ts';
import { adminEventTexts } from './admin-event-texts.ts';
import { type AdminNames, type NameLookup, namesOf } from './admin-names.ts';
import { type AdminSentenceKey, matchRule } from './admin-rules.ts';

/** The names in a sentence about a change; a general word is in place of each unknown name. */
export interface AdminWords {
  readonly user: string;
  readonly client: string;
  readonly group: string;
  /** The name of the changed object, such as a role; it begins with a space, or is empty. */
  readonly name: string;
  /** Names in a list that was sent, such as roles; it begins with a colon, or is empty. */
  readonly items: string;
  readonly credential: string;
}

export interface AdminEventSentences {
  readonly someAdmin: string;
  wordsOf(names: AdminNames): AdminWords;
  /** The client that the changed object belongs to. It begins with a space. */
  of(client: string): string;
  readonly nouns: Readonly<Record<string, string>>;
  readonly operations: Readonly<Record<string, (object: string) => string>>;
  /** The rest of the sentence, after the admin's name. */
  readonly predicates: Readonly<Record<AdminSentenceKey, (words: AdminWords) => string>>;
}

const SENTENCES: Readonly<Record<Language, AdminEventSentences>> = { en: adminEventTexts, de: adminEventGerman };

type Event = Pick<
  AdminEvent,
  'operationType' | 'resourceType' | 'resourcePath' | 'representation' | 'details' | 'error'
>;

/** A change by an admin as one sentence. An unknown resource type is named by its code. */
export function adminSentence(event: Event, lookup: NameLookup, language: Language): string {
  const { operationType, resourceType, resourcePath, error } = event;
  const sentences = SENTENCES[language];
  const { key, names: pathNames } = matchRule(operationType, resourcePath);
  const names = namesOf(event, pathNames, lookup);
  const predicate =
    (key === undefined
      ? generalPredicate(event, { ...names, name: names.name ?? names.last }, sentences)
      : sentences.predicates[key](sentences.wordsOf(names))) ?? `${operationType} ${resourceType} ${resourcePath}`;
  const sentence = `${lookup.admin ?? sentences.someAdmin} ${predicate}`;
  return error === undefined ? sentence : `${sentence}: ${error}`;
}

/** @returns undefined for an unknown resource type or operation */
function generalPredicate(
  { operationType, resourceType, resourcePath }: Event,
  names: AdminNames,
  { nouns, operations, of, wordsOf }: AdminEventSentences,
): string | undefined {
  const { name, client } = wordsOf(names);
  const noun = Object.hasOwn(nouns, resourceType) ? nouns[resourceType] : undefined;
  const isBelowClient = /^clients\/[^/]+\/./.test(resourcePath);
  return noun && operations[operationType]?.(`${noun}${name}${isBelowClient ? of(client) : ''}`);
}
