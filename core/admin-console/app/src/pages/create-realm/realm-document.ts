import type { NewRealm } from '../../api/realms.ts';

type Members = Readonly<Record<string, unknown>>;

/** The values of the dialog, in addition to the text of a file. */
export interface NewRealmValues {
  readonly name: string;
  readonly displayName: string;
  readonly isEnabled: boolean;
}

const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** True for a valid name of a realm. */
export const isRealmName = (name: string) => NAME.test(name);

/**
 * @returns undefined for an empty text
 * @throws SyntaxError for invalid JSON, with the message `notRealm` if it is not an object
 */
export function readRealm(text: string, notRealm: string): Members | undefined {
  if (text.trim() === '') return undefined;
  const read: unknown = JSON.parse(text);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new SyntaxError(notRealm);
  return read as Members;
}

/** The values that the dialog asks for, from a file. */
export function valuesIn({ realm, displayName, enabled }: Members): NewRealmValues {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { name: text(realm), displayName: text(displayName), isEnabled: enabled !== false };
}

/** The request. A realm that is renamed from its file gets a new ID. */
export function newRealm(document: Members = {}, { name, displayName, isEnabled }: NewRealmValues): NewRealm {
  const { id, displayName: _, ...others } = document;
  return {
    ...others,
    ...(id !== undefined && document.realm === name ? { id } : {}),
    ...(displayName.trim() === '' ? {} : { displayName }),
    realm: name,
    enabled: isEnabled,
  };
}
