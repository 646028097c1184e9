import type { UserEvent } from '../../../api/events.ts';
import type { Language } from '../../../messages/language.tsx';
import { own, reasonOf } from './reason.ts';
import { userEventGerman } from './user-event-german.ts';
import { userEventTexts } from './user-event-texts.ts';

/** The names in an event; undefined if the event has no user or no client. */
export interface EventNames {
  readonly user: string | undefined;
  readonly client: string | undefined;
  readonly details: Readonly<Record<string, string>>;
}

/** Parts of sentences, in one language. Those that can be empty begin with a space. */
interface Words {
  readonly user: string;
  readonly of: string;
  readonly client: string;
  readonly to: string;
  readonly from: string;
  readonly provider: string;
  readonly credential: string;
  readonly action: string;
  readonly impersonator: string;
  readonly email: string;
  /** The client whose access a user has revoked; undefined if a client has revoked a token. */
  readonly revoked: string | undefined;
  /** True if the event is about a link that the user opened, and not about its email. */
  readonly isLink: boolean;
}

export interface UserEventSentences {
  wordsOf(names: EventNames): Words;
  because(sentence: string, reason: string): string;
  unknownType(type: string, names: EventNames): string;
  readonly types: Readonly<Record<string, (words: Words) => readonly [success: string, failure: string]>>;
}

const SENTENCES: Readonly<Record<Language, UserEventSentences>> = { en: userEventTexts, de: userEventGerman };
const ERROR_SUFFIX = '_ERROR';

/** An event as one sentence, with the reason if it is a failure. Event types of plugins are named by their code. */
export function userSentence(
  { type, error }: Pick<UserEvent, 'type' | 'error'>,
  names: EventNames,
  language: Language,
): string {
  const { types, wordsOf, because, unknownType } = SENTENCES[language];
  const isFailure = type.endsWith(ERROR_SUFFIX);
  const sentences = own(types, isFailure ? type.slice(0, -ERROR_SUFFIX.length) : type);
  const [success, failure] = sentences?.(wordsOf(names)) ?? [];
  const sentence = (isFailure ? failure : success) ?? unknownType(type, names);
  return error === undefined ? sentence : because(sentence, reasonOf(error, names.details, language));
}
