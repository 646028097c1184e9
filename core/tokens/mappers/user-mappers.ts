import type { Json, UserView } from '@keyhost/spi';
import { claim, NOTHING } from './mapped-claim.js';
import { mapper } from './mapper.js';
import { CLAIM, EVERYWHERE, IN_ACCESS, MULTIVALUED, TYPE } from './settings.js';

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
    ...EVERYWHERE,
  },
  map({ config, user }) {
    const name = config['user.attribute'] ?? '';
    if (user === undefined) return NOTHING;
    if (ALSO_ATTRIBUTES.includes(name)) return claim(config, property(user, name));
    const values = Object.hasOwn(user.attributes, name) ? user.attributes[name] : undefined;
    if (values === undefined || values.length === 0) return NOTHING;
    if (config.multivalued === 'true') return claim(config, values);
    return claim(config, values[0]);
  },
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
      const attribute = config[`user.attribute.${part}`] ?? part;
      const value = user?.attributes[attribute]?.[0];
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

/** The subject is the client's, wherever it is told (`Client.subjectOf`). */
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

/** Properties that Keycloak also answers as attributes: its built-in client scopes ask for them so. */
const ALSO_ATTRIBUTES = ['username', 'email', 'firstName', 'lastName'];

function property(user: UserView, name: string): Json | undefined {
  switch (name) {
    case 'id':
    case 'username':
    case 'email':
    case 'firstName':
    case 'lastName':
    case 'emailVerified':
    case 'enabled':
      return user[name];
    default:
      return undefined;
  }
}
