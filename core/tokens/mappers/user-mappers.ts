import type { MapperInput, UserView } from '@keyhost/spi';
import type { USER_PROPERTIES } from '../../config/realm-file/mapper-hints.js';
import { buildClaim, NO_CLAIMS } from './mapped-claim.js';
import { defineMapper } from './mapper.js';
import { ACCESS_AND_INTROSPECTION, AGGREGATED, CLAIM_NAME, CLAIM_TYPE, EVERYWHERE, MULTIVALUED } from './settings.js';

export const userProperty = defineMapper('oidc-usermodel-property-mapper', {
  describe: {
    displayName: 'User Property',
    helpText: 'Map a built in user property (email, firstName, lastName) to a token claim.',
  },
  settings: { 'user.attribute': { type: 'string', title: 'Property' }, ...CLAIM_NAME, ...CLAIM_TYPE, ...EVERYWHERE },
  map: ({ config, user }) =>
    buildClaim(config, user === undefined ? undefined : propertyOf(user, config['user.attribute'] ?? '')),
});

export const userAttribute = defineMapper('oidc-usermodel-attribute-mapper', {
  describe: { displayName: 'User Attribute', helpText: 'Map a custom user attribute to a token claim.' },
  settings: {
    'user.attribute': { type: 'string', format: 'user-attribute', title: 'User Attribute' },
    ...CLAIM_NAME,
    ...CLAIM_TYPE,
    ...MULTIVALUED,
    ...AGGREGATED,
    ...EVERYWHERE,
  },
  map: ({ config, user, groupAttributes }) => buildClaim(config, attributeOf(config, user, groupAttributes)),
});

export const fullName = defineMapper('oidc-full-name-mapper', {
  describe: {
    displayName: "User's full name",
    helpText: "Maps the user's first and last name to the 'name' claim.",
  },
  settings: EVERYWHERE,
  map({ user }) {
    const name = [user?.firstName, user?.lastName].filter((part) => part !== undefined && part !== '').join(' ');
    return name === '' ? NO_CLAIMS : { name };
  },
});

const ADDRESS_PARTS = ['formatted', 'street', 'locality', 'region', 'postal_code', 'country'];

export const userAddress = defineMapper('oidc-address-mapper', {
  describe: { displayName: 'User Address', helpText: "Maps user address attributes to the 'address' claim." },
  settings: {
    ...Object.fromEntries(
      ADDRESS_PARTS.map((part) => [
        `user.attribute.${part}`,
        { type: 'string', title: `User Attribute Name for ${part}`, default: part },
      ]),
    ),
    ...EVERYWHERE,
  },
  map({ config, user }) {
    const address: Record<string, string> = {};
    for (const part of ADDRESS_PARTS) {
      const [value] = ownAttribute(user, config[`user.attribute.${part}`] ?? part);
      if (value !== undefined) address[part === 'street' ? 'street_address' : part] = value;
    }
    return Object.keys(address).length === 0 ? NO_CLAIMS : { address };
  },
});

export const subject = defineMapper('oidc-sub-mapper', {
  describe: { displayName: 'Subject (sub)', helpText: 'Add Subject (sub) claim' },
  settings: ACCESS_AND_INTROSPECTION,
  map: ({ user }) => (user === undefined ? NO_CLAIMS : { sub: user.id }),
});

/** No effect of its own: the client setting that it represents is applied by `Client.subjectOf`. */
export const pairwiseSubject = defineMapper('oidc-sha256-pairwise-sub-mapper', {
  describe: {
    displayName: 'Pairwise subject identifier',
    helpText:
      'Sets a pairwise subject: only clients of the same sector get the same subject (OpenID Connect Core §8.1).',
  },
  settings: {
    sectorIdentifierUri: {
      type: 'string',
      title: 'Sector Identifier URI',
      description:
        'Address of a JSON list of redirect URIs. Required if the redirect URIs of the client have several hosts.',
    },
    pairwiseSubAlgorithmSalt: { type: 'string', title: 'Salt', description: 'Generated if empty.' },
  },
  map: () => NO_CLAIMS,
});

/** Properties that Keycloak also returns as attributes: its built-in client scopes rely on that. */
const ATTRIBUTE_PROPERTIES = ['username', 'email', 'firstName', 'lastName'];

/**
 * The values of an attribute. They are the user's own or, if there are none, those of the first group that has or
 * inherits some. A group inherits from its nearest ancestor with values. With `aggregate.attrs`, all of these together
 * without duplicates.
 */
function attributeOf(
  config: MapperInput['config'],
  user: UserView | undefined,
  groups: MapperInput['groupAttributes'],
): readonly string[] {
  const name = config['user.attribute'] ?? '';
  const ownValues = ownAttribute(user, name);
  const isAggregated = config['aggregate.attrs'] === 'true';
  if (!isAggregated && (ownValues.length > 0 || groups.length === 0)) return ownValues;
  const groupValues = groups.flatMap((upward) => upward.map((attributes) => valuesOf(attributes, name)));
  if (isAggregated) return [...new Set([ownValues, ...groupValues].flat())];
  return groupValues.find((values) => values.length > 0) ?? ownValues;
}

function ownAttribute(user: UserView | undefined, name: string): readonly string[] {
  if (user === undefined) return NO_VALUES;
  if (!ATTRIBUTE_PROPERTIES.includes(name)) return valuesOf(user.attributes, name);
  const text = propertyOf(user, name);
  return text === undefined ? NO_VALUES : [text];
}

function valuesOf(attributes: UserView['attributes'], name: string): readonly string[] {
  return (Object.hasOwn(attributes, name) ? attributes[name] : undefined) ?? NO_VALUES;
}

const NO_VALUES: readonly string[] = Object.freeze([]);

/** A property of the user as a string, as in Keycloak. Its name may begin with a capital letter, as there. */
function propertyOf(user: UserView, name: string): string | undefined {
  const member = Object.hasOwn(PROPERTIES, name) ? name : name.slice(0, 1).toLowerCase() + name.slice(1);
  const value = Object.hasOwn(PROPERTIES, member) ? PROPERTIES[member]?.(user) : undefined;
  return value === undefined ? undefined : String(value);
}

type Property = (user: UserView) => string | number | boolean | undefined;

const PROPERTIES: Readonly<Record<(typeof USER_PROPERTIES)[number], Property>> & Readonly<Record<string, Property>> = {
  id: ({ id }) => id,
  username: ({ username }) => username,
  email: ({ email }) => email,
  emailVerified: ({ emailVerified }) => emailVerified,
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  enabled: ({ enabled }) => enabled,
  createdTimestamp: ({ createdTimestamp }) => createdTimestamp,
  serviceAccountClientLink: ({ serviceAccountClientId }) => serviceAccountClientId,
};
