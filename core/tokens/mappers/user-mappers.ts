import type { MapperInput, UserView } from '@keyhost/spi';
import type { USER_PROPERTIES } from '../../config/realm-file/mapper-hints.js';
import { claim, NOTHING } from './mapped-claim.js';
import { mapper } from './mapper.js';
import { AGGREGATED, CLAIM, EVERYWHERE, IN_ACCESS, MULTIVALUED, TYPE } from './settings.js';

export const userProperty = mapper('oidc-usermodel-property-mapper', {
  describe: {
    displayName: 'User Property',
    helpText: 'Map a built in user property (email, firstName, lastName) to a token claim.',
  },
  settings: { 'user.attribute': { type: 'string', title: 'Property' }, ...CLAIM, ...TYPE, ...EVERYWHERE },
  map: ({ config, user }) =>
    claim(config, user === undefined ? undefined : property(user, config['user.attribute'] ?? '')),
});

export const userAttribute = mapper('oidc-usermodel-attribute-mapper', {
  describe: { displayName: 'User Attribute', helpText: 'Map a custom user attribute to a token claim.' },
  settings: {
    'user.attribute': { type: 'string', format: 'user-attribute', title: 'User Attribute' },
    ...CLAIM,
    ...TYPE,
    ...MULTIVALUED,
    ...AGGREGATED,
    ...EVERYWHERE,
  },
  map: ({ config, user, groupAttributes }) => claim(config, attributeOf(config, user, groupAttributes)),
});

export const fullName = mapper('oidc-full-name-mapper', {
  describe: {
    displayName: "User's full name",
    helpText: "Maps the user's first and last name to the 'name' claim.",
  },
  settings: EVERYWHERE,
  map({ user }) {
    const name = [user?.firstName, user?.lastName].filter((part) => part !== undefined && part !== '').join(' ');
    return name === '' ? NOTHING : { name };
  },
});

const ADDRESS_PARTS = ['formatted', 'street', 'locality', 'region', 'postal_code', 'country'];

export const userAddress = mapper('oidc-address-mapper', {
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
    return Object.keys(address).length === 0 ? NOTHING : { address };
  },
});

export const subject = mapper('oidc-sub-mapper', {
  describe: { displayName: 'Subject (sub)', helpText: 'Add Subject (sub) claim' },
  settings: IN_ACCESS,
  map: ({ user }) => (user === undefined ? NOTHING : { sub: user.id }),
});

/** Has no effect itself: `Client.subjectOf` computes the subject everywhere. */
export const pairwiseSubject = mapper('oidc-sha256-pairwise-sub-mapper', {
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
  map: () => NOTHING,
});

/** Properties that Keycloak also returns as attributes: its built-in client scopes rely on that. */
const ALSO_ATTRIBUTES = ['username', 'email', 'firstName', 'lastName'];

/**
 * The user's own values; if there are none, those of the first group that has some itself or by its nearest ancestor.
 * With `aggregate.attrs`, all of these together without duplicates.
 */
function attributeOf(
  config: MapperInput['config'],
  user: UserView | undefined,
  groups: MapperInput['groupAttributes'],
): readonly string[] {
  const name = config['user.attribute'] ?? '';
  const own = ownAttribute(user, name);
  const isOfAll = config['aggregate.attrs'] === 'true';
  if (!isOfAll && own.length > 0) return own;
  const ofGroups = groups.flatMap((upward) => upward.map((attributes) => valuesOf(attributes, name)));
  if (isOfAll) return [...new Set([own, ...ofGroups].flat())];
  return ofGroups.find((values) => values.length > 0) ?? own;
}

function ownAttribute(user: UserView | undefined, name: string): readonly string[] {
  if (user === undefined) return NONE;
  if (!ALSO_ATTRIBUTES.includes(name)) return valuesOf(user.attributes, name);
  const text = property(user, name);
  return text === undefined ? NONE : [text];
}

function valuesOf(attributes: UserView['attributes'], name: string): readonly string[] {
  return (Object.hasOwn(attributes, name) ? attributes[name] : undefined) ?? NONE;
}

const NONE: readonly string[] = Object.freeze([]);

/** As a string, as in Keycloak. There, the name of a property may begin with a capital letter. */
function property(user: UserView, name: string): string | undefined {
  const member = name.slice(0, 1).toLowerCase() + name.slice(1);
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
