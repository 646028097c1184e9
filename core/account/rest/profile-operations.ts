import { readJsonAs } from '../../http/json-body.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import { offeredLocales } from '../../pages/locale/locale.js';
import { attributeValues, isRootAttribute } from '../../users/profile/attribute-values.js';
import { accountAttributes, ProfileInvalidError, type SubmittedValues } from '../../users/profile/change-profile.js';
import { withDefaults } from '../../users/profile/default-values.js';
import type { UserAttribute } from '../../users/profile/own-profile.js';
import { profileProblemRepresentation } from '../../users/profile/problem-representation.js';
import type { AttributeProblem } from '../../users/profile/profile-problems.js';
import type { AccountContext, AccountParts } from '../account.js';
import { needsFreshLogin, requireValidProfile, saveProfile } from '../profile/save-profile.js';
import { type RestOperation, requireRecentLogin } from './rest-endpoint.js';

const NULLABLE_STRING = { type: ['string', 'null'] } as const;
/** Keycloak's UserRepresentation as its account console sends it. Other members are ignored. */
const BODY_SCHEMA = {
  type: 'object',
  properties: {
    username: NULLABLE_STRING,
    email: NULLABLE_STRING,
    firstName: NULLABLE_STRING,
    lastName: NULLABLE_STRING,
    attributes: {
      type: ['object', 'null'],
      additionalProperties: { type: ['array', 'string', 'null'], items: NULLABLE_STRING, maxItems: 100 },
    },
  },
} as const;

type Value = readonly (string | null)[] | string | null | undefined;
type ProfileBody = Readonly<Record<string, Value>> & { readonly attributes?: Readonly<Record<string, Value>> | null };

export function profileOperations(parts: AccountParts): RestOperation[] {
  return [
    {
      method: 'GET',
      path: '/',
      roles: ['view-profile', 'manage-account'],
      handle: (account, { query }) => ({
        body: profileRepresentation(account, query.get('userProfileMetadata') !== 'false'),
      }),
    },
    {
      method: 'POST',
      path: '/',
      roles: ['manage-account'],
      async handle(account) {
        const submitted = valuesOf(await readJsonAs<ProfileBody>(account.exchange.ctx, BODY_SCHEMA));
        try {
          await requireValidProfile(parts, account, submitted);
          if (needsFreshLogin(parts, account, submitted)) requireRecentLogin(parts, account);
          await saveProfile(parts, account, submitted);
          return undefined;
        } catch (error) {
          if (!(error instanceof ProfileInvalidError)) throw error;
          return {
            status: 400,
            body: { errors: error.problems.map((problem) => problemRepresentation(account, problem)) },
          };
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

/** Keycloak's UserRepresentation of the account, with only the attributes that users may view. */
function profileRepresentation({ exchange: { realm }, user }: AccountContext, includesMetadata: boolean): object {
  const { representation } = user;
  const attributes = accountAttributes(realm, representation);
  const values = withDefaults(realm, attributeValues(representation));
  const valuesByName = attributes.map(({ attribute }): [string, readonly string[]] => [
    attribute.name,
    values(attribute.name),
  ]);
  const customValues = valuesByName.filter(([name, list]) => !isRootAttribute(name) && list.length > 0);
  return {
    id: user.id,
    username: user.username,
    ...Object.fromEntries(
      valuesByName.flatMap(([name, [value]]) => (isRootAttribute(name) && value ? [[name, value]] : [])),
    ),
    emailVerified: user.view.emailVerified,
    userProfileMetadata: includesMetadata ? metadataOf(realm, attributes) : undefined,
    attributes: Object.fromEntries(customValues),
  };
}

/** Keycloak's UserProfileMetadata. */
function metadataOf(realm: Realm, attributes: readonly UserAttribute[]): object {
  return {
    attributes: attributes.map(({ attribute, required, readOnly }) => {
      const { name, displayName, group, annotations, validations } = attribute;
      const isMultivalued = attribute.multivalued === true;
      return {
        name,
        displayName: displayName || name,
        required,
        readOnly,
        multivalued: isMultivalued,
        defaultValue: attribute.defaultValue || undefined,
        annotations: annotations || undefined,
        group: group || undefined,
        validators: { ...(isMultivalued ? {} : { multivalued: { max: '1' } }), ...validations },
      };
    }),
    groups: profileOf(realm).groups ?? [],
  };
}

/** The submitted values: an absent member means unchanged, a null or empty one means removed. */
function valuesOf(body: ProfileBody): SubmittedValues {
  return (name) => {
    const source: Readonly<Record<string, Value>> = isRootAttribute(name) ? body : (body.attributes ?? {});
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    if (value === undefined) return undefined;
    const values = [value].flat().filter((item): item is string => typeof item === 'string' && item !== '');
    return name === 'username' || name === 'email' ? values.map((item) => item.trim().toLowerCase()) : values;
  };
}

function problemRepresentation({ exchange, user }: AccountContext, problem: AttributeProblem): object {
  const [locale] = user.representation.attributes?.locale ?? [];
  return profileProblemRepresentation(problem, locale ?? exchange.realm.settings.defaultLocale ?? 'en');
}
