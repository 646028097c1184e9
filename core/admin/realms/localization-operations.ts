import { REALM_MANAGEMENT_ROLES } from '../../model/built-in-names.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { badRequest, notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';

export interface LocalizationOperationParts {
  readonly edits: RealmEdits;
}

const TAG = 'Realms Admin';
const PATH = '/localization/{locale}';
const TEXTS_SCHEMA = { type: 'object', additionalProperties: { type: 'string', maxLength: 4000 } };
/** Maximum length of a key and of a text, in characters. */
const KEY_LIMIT = 255;
const TEXT_LIMIT = 4000;

type Texts = Readonly<Record<string, string>>;

/** Operations on a realm's own texts, which take precedence over those of every theme. */
export function localizationOperations({ edits }: LocalizationOperationParts): AdminOperation[] {
  // As in Keycloak, every admin may read these texts, since public pages contain them.
  const readOperation = { tag: TAG, roles: REALM_MANAGEMENT_ROLES } as const;
  const writeOperation = { tag: TAG, roles: ['manage-realm'], answers: { status: 204 } } as const;
  /**
   * Edits the texts of a locale.
   * @param changeTexts returns the new texts of the locale; undefined removes all
   */
  const editTexts = async (
    realm: string,
    locale: string | undefined,
    changeTexts: (texts: Texts | undefined) => Texts | undefined,
  ) => {
    const name = requireLocale(locale);
    await edits.edit(realm, (draft) => {
      const textsByLocale = draft.localizationTexts ?? {};
      const texts = changeTexts(Object.hasOwn(textsByLocale, name) ? textsByLocale[name] : undefined);
      const { [name]: _, ...remaining } = textsByLocale;
      draft.localizationTexts = { ...remaining, ...(texts === undefined || isEmpty(texts) ? {} : { [name]: texts }) };
    });
    return undefined;
  };
  return [
    {
      method: 'GET',
      path: '/localization',
      ...readOperation,
      summary: 'The languages with texts of the realm',
      answers: { status: 200, body: { type: 'array', items: { type: 'string' } } },
      handle: ({ realm }) => ok(Object.keys(realm.representation.localizationTexts ?? {}).sort()),
    },
    {
      method: 'GET',
      path: PATH,
      ...readOperation,
      summary: "The realm's texts of a language; an empty object if it has none",
      answers: { status: 200, body: TEXTS_SCHEMA },
      handle: ({ realm, params: { locale } }) => ok(textsOf(realm.representation.localizationTexts, locale) ?? {}),
    },
    {
      method: 'POST',
      path: PATH,
      ...writeOperation,
      event: { resourceType: 'REALM_LOCALIZATION' },
      summary: 'Add texts of a language; they replace those with the same key',
      body: TEXTS_SCHEMA,
      handle: ({ realm, params: { locale }, body }) =>
        editTexts(realm.name, locale, (texts) => {
          for (const key of Object.keys(body as Texts)) checkKey(key);
          return { ...texts, ...(body as Texts) };
        }),
    },
    {
      method: 'DELETE',
      path: PATH,
      ...writeOperation,
      event: { resourceType: 'REALM_LOCALIZATION' },
      summary: 'Remove all texts of a language',
      handle: ({ realm, params: { locale } }) =>
        editTexts(realm.name, locale, (texts) => {
          if (texts === undefined) throw notFoundError(`No localization texts for locale ${locale} found.`);
          return undefined;
        }),
    },
    {
      method: 'GET',
      path: `${PATH}/{key}`,
      ...readOperation,
      summary: 'One text',
      answers: { status: 200 },
      handle({ realm, params: { locale, key = '' } }) {
        const texts = textsOf(realm.representation.localizationTexts, locale) ?? {};
        if (!Object.hasOwn(texts, key)) throw notFoundError('Localization text not found');
        return { status: 200, text: { type: 'text/plain; charset=utf-8', content: texts[key] ?? '' } };
      },
    },
    {
      method: 'PUT',
      path: `${PATH}/{key}`,
      ...writeOperation,
      event: { resourceType: 'REALM_LOCALIZATION' },
      summary: 'Set one text',
      textBody: true,
      handle({ realm, params: { locale, key = '' }, body }) {
        checkKey(key);
        const text = String(body);
        if (text.length > TEXT_LIMIT) throw badRequest(`a text has ${TEXT_LIMIT} characters at most`);
        return editTexts(realm.name, locale, (texts) => ({ ...texts, [key]: text }));
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/{key}`,
      ...writeOperation,
      event: { resourceType: 'REALM_LOCALIZATION' },
      summary: 'Remove one text',
      handle: ({ realm, params: { locale, key = '' } }) =>
        editTexts(realm.name, locale, (texts = {}) => {
          if (!Object.hasOwn(texts, key)) throw notFoundError('Localization text not found');
          const { [key]: _, ...remaining } = texts;
          return remaining;
        }),
    },
  ];
}

function isEmpty(texts: Texts): boolean {
  return Object.keys(texts).length === 0;
}

function textsOf(textsByLocale: Readonly<Record<string, Texts>> | undefined, locale = ''): Texts | undefined {
  return textsByLocale !== undefined && Object.hasOwn(textsByLocale, locale) ? textsByLocale[locale] : undefined;
}

/** Requires a BCP 47 tag. Like Keycloak, it may contain an underscore. */
function requireLocale(locale = ''): string {
  if (!/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(locale))
    throw badRequest('locale: must be a language, such as de or pt-BR');
  return locale;
}

function checkKey(key: string): void {
  if (key === '__proto__' || key.length > KEY_LIMIT)
    throw badRequest(`key: must be a key of ${KEY_LIMIT} characters at most`);
}
