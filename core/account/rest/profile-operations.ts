import { compileSchema } from '../../config/schema-check.js';
import { invalidBody, readJson } from '../../http/json-body.js';
import { offeredLocales } from '../../login/locale.js';
import type { Realm } from '../../model/realm.js';
import { ProfileRefused, type SentValues } from '../../realms/change-profile.js';
import { type ProfileField, profileFields, profileValues, ROOT_ATTRIBUTES } from '../../realms/profile-form.js';
import { profileOf } from '../../realms/profile-of-realm.js';
import type { Account, AccountParts } from '../account.js';
import { needsFreshLogin, saveProfile } from '../profile/save-profile.js';
import { type RestOperation, requireRecent } from './rest-call.js';

const TEXT = { type: ['string', 'null'] } as const;
/** Keycloak's UserRepresentation, as its account console sends it back; what else it holds is not looked at. */
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

type Sent = Partial<Record<(typeof ROOT_ATTRIBUTES)[number], string | null>> & {
  readonly attributes?: Readonly<Record<string, readonly (string | null)[] | string | null>> | null;
};

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
        const body = await readJson(account.exchange.ctx);
        const check = compileSchema(BODY);
        if (!check(body)) throw invalidBody((check.errors ?? []) as Parameters<typeof invalidBody>[0]);
        const sent = valuesOf(body as Sent);
        if (needsFreshLogin(parts, account, sent)) requireRecent(parts, account);
        try {
          await saveProfile(parts, account, sent);
          return undefined;
        } catch (error) {
          if (!(error instanceof ProfileRefused)) throw error;
          return { status: 400, body: { errors: error.mistakes.map(shownMistake) } };
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

/** Keycloak's UserRepresentation of the account: what users may see of themselves, and nothing else. */
function shownProfile({ exchange: { realm }, user }: Account, withMetadata: boolean): object {
  const fields = profileFields(realm);
  const isRoot = (name: string) => ROOT_ATTRIBUTES.some((root) => root === name);
  const roots = ROOT_ATTRIBUTES.filter((root) => root === 'username' || fields.some(({ name }) => name === root));
  const values = (name: string) => profileValues(user.representation, name);
  return {
    id: user.id,
    ...Object.fromEntries(roots.flatMap((name) => values(name).map((value) => [name, value]))),
    emailVerified: user.view.emailVerified,
    ...(withMetadata ? { userProfileMetadata: metadataOf(realm, fields) } : {}),
    attributes: Object.fromEntries(
      fields.filter(({ name }) => !isRoot(name) && values(name).length > 0).map(({ name }) => [name, values(name)]),
    ),
  };
}

/** Keycloak's UserProfileMetadata. */
function metadataOf(realm: Realm, fields: readonly ProfileField[]): object {
  const { attributes, groups = [] } = profileOf(realm);
  return {
    attributes: fields.map(({ name, label, required, readOnly, multivalued, group }) => {
      const { annotations, validations } = attributes.find((attribute) => attribute.name === name) ?? {};
      return {
        ...{ name, displayName: label, required, readOnly, multivalued },
        ...(annotations ? { annotations } : {}),
        ...(group === undefined ? {} : { group }),
        validators: { ...(multivalued ? {} : { multivalued: { max: '1' } }), ...validations },
      };
    }),
    groups,
  };
}

/** Of what was sent: a member that is absent stays as it is; one that is null or empty goes. */
function valuesOf(sent: Sent): SentValues {
  return (name) => {
    const root = ROOT_ATTRIBUTES.find((key) => key === name);
    const from = root === undefined ? (sent.attributes ?? undefined) : sent;
    if (from === undefined || !Object.hasOwn(from, name)) return undefined;
    const value = (from as Readonly<Record<string, readonly (string | null)[] | string | null | undefined>>)[name];
    if (value === undefined) return undefined;
    return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
  };
}

function shownMistake({ attribute, message, parameters }: ProfileRefused['mistakes'][number]): object {
  return { field: attribute, errorMessage: message, params: [attribute, ...parameters] };
}
