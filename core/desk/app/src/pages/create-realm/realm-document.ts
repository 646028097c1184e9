import type { NewRealm } from '../../api/realms.ts';

type Members = Readonly<Record<string, unknown>>;

/** What the dialog holds beside the text of a file. */
export interface NewRealmValues {
  readonly name: string;
  readonly displayName: string;
  readonly isEnabled: boolean;
}

const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

/** As the host names realms. */
export const isRealmName = (name: string) => NAME.test(name);

/** @returns undefined for no text @throws SyntaxError for no JSON; its message for no object is `notRealm` */
export function readRealm(text: string, notRealm: string): Members | undefined {
  if (text.trim() === '') return undefined;
  const read: unknown = JSON.parse(text);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new SyntaxError(notRealm);
  return read as Members;
}

/** What a file says of what the dialog asks for. */
export function valuesIn({ realm, displayName, enabled }: Members): NewRealmValues {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { name: text(realm), displayName: text(displayName), isEnabled: enabled !== false };
}

/** What is sent. Under another name than its file has, a realm gets an id of its own. */
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
