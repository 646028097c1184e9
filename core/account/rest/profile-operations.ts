import { readJsonAs } from '../../http/json-body.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import { offeredLocales } from '../../pages/locale/locale.js';
import { attributeValues, isRootAttribute } from '../../users/profile/attribute-values.js';
import { accountAttributes, ProfileRefused, type SentValues } from '../../users/profile/change-profile.js';
import type { AttributeMistake } from '../../users/profile/check-profile.js';
import { withDefaults } from '../../users/profile/default-values.js';
import { mistakeForPrograms } from '../../users/profile/mistake-for-programs.js';
import type { OwnAttribute } from '../../users/profile/own-profile.js';
import type { Account, AccountParts } from '../account.js';
import { needsFreshLogin, requireProfile, saveProfile } from '../profile/save-profile.js';
import { type RestOperation, requireRecent } from './rest-call.js';

const TEXT = { type: ['string', 'null'] } as const;
/** Keycloak's UserRepresentation as its account console sends it; other members are ignored. */
const BODY = {
  type: 'object',
  properties: {
    username: TEXT,
    email: TEXT,
    firstName: TEXT,
    lastName: TEXT,
    attributes: {
      type: ['object', 'null'],
      additionalProperties: { type: ['array', 'string', 'null'], items: TEXT, maxItems: 100 },
    },
  },
} as const;

type Value = readonly (string | null)[] | string | null | undefined;
type Sent = Readonly<Record<string, Value>> & { readonly attributes?: Readonly<Record<string, Value>> | null };

export function profileOperations(parts: AccountParts): RestOperation[] {
  return [
    {
      method: 'GET',
      path: '/',
      roles: ['view-profile', 'manage-account'],
      handle: (account, { query }) => ({ body: shownProfile(account, query.get('userProfileMetadata') !== 'false') }),
    },
    {
      method: 'POST',
      path: '/',
      roles: ['manage-account'],
      async handle(account) {
        const sent = valuesOf(await readJsonAs<Sent>(account.exchange.ctx, BODY));
        try {
          await requireProfile(parts, account, sent);
          if (needsFreshLogin(parts, account, sent)) requireRecent(parts, account);
          await saveProfile(parts, account, sent);
          return undefined;
        } catch (error) {
          if (!(error instanceof ProfileRefused)) throw error;
          return { status: 400, body: { errors: error.mistakes.map((mistake) => shownMistake(account, mistake)) } };
        }
      },
    },
    {
      method: 'GET',
      path: '/supportedLocales',
      roles: ['view-profile', 'manage-account'],
      handle: ({ exchange }) => ({ body: offeredLocales(exchange.realm) }),
    },
  ];
}

/** Keycloak's UserRepresentation of the account: only attributes that users may view. */
function shownProfile({ exchange: { realm }, user }: Account, withMetadata: boolean): object {
  const { representation } = user;
  const shown = accountAttributes(realm, representation);
  const values = withDefaults(realm, attributeValues(representation));
  const named = shown.map(({ attribute }): [string, readonly string[]] => [attribute.name, values(attribute.name)]);
  const others = named.filter(([name, all]) => !isRootAttribute(name) && all.length > 0);
  return {
    id: user.id,
    username: user.username,
    ...Object.fromEntries(named.flatMap(([name, [value]]) => (isRootAttribute(name) && value ? [[name, value]] : []))),
    emailVerified: user.view.emailVerified,
    userProfileMetadata: withMetadata ? metadataOf(realm, shown) : undefined,
    attributes: Object.fromEntries(others),
  };
}

/** Keycloak's UserProfileMetadata. */
function metadataOf(realm: Realm, shown: readonly OwnAttribute[]): object {
  return {
    attributes: shown.map(({ attribute, required, readOnly }) => {
      const { name, displayName, group, annotations, validations } = attribute;
      const multivalued = attribute.multivalued === true;
      return {
        name,
        displayName: displayName || name,
        required,
        readOnly,
        multivalued,
        defaultValue: attribute.defaultValue || undefined,
        annotations: annotations || undefined,
        group: group || undefined,
        validators: { ...(multivalued ? {} : { multivalued: { max: '1' } }), ...validations },
      };
    }),
    groups: profileOf(realm).groups ?? [],
  };
}

/** The sent values: an absent member is unchanged, a null or empty one is removed. */
function valuesOf(sent: Sent): SentValues {
  return (name) => {
    const from: Readonly<Record<string, Value>> = isRootAttribute(name) ? sent : (sent.attributes ?? {});
    const value = Object.hasOwn(from, name) ? from[name] : undefined;
    if (value === undefined) return undefined;
    const values = [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
    return name === 'username' || name === 'email' ? values.map((one) => one.trim().toLowerCase()) : values;
  };
}

function shownMistake({ exchange, user }: Account, mistake: AttributeMistake): object {
  const [locale] = user.representation.attributes?.locale ?? [];
  return mistakeForPrograms(mistake, locale ?? exchange.realm.settings.defaultLocale ?? 'en');
}
