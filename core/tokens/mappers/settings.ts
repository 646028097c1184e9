import type { JsonSchema } from '@keyhost/spi';
import { CLAIM_TYPES } from '../../config/json/claim-values.js';

type Settings = Readonly<Record<string, JsonSchema>>;

const flagSetting = (title: string, defaultValue = true): JsonSchema => ({
  type: 'boolean',
  title,
  default: defaultValue,
});

/** The name of the claim that the mapper adds. */
export const CLAIM_NAME: Settings = {
  'claim.name': {
    type: 'string',
    title: 'Token Claim Name',
    description: 'A dot nests the claim in an object; write "\\." for a dot.',
  },
};
/** The JSON type of the claim. */
export const CLAIM_TYPE: Settings = {
  'jsonType.label': {
    enum: [...CLAIM_TYPES],
    title: 'Claim JSON Type',
    default: 'String',
  },
};
export const MULTIVALUED: Settings = { multivalued: flagSetting('Multivalued', false) };
export const AGGREGATED: Settings = {
  'aggregate.attrs': {
    ...flagSetting('Aggregate attribute values', false),
    description: 'The values of groups count, too.',
  },
};
/** For role mappers: unlike others, a new one includes all values. */
export const MULTIVALUED_BY_DEFAULT: Settings = { multivalued: flagSetting('Multivalued') };
export const ROLE: Settings = {
  role: { type: 'string', format: 'role', title: 'Role', description: 'A realm role, or "clientId.role".' },
};

// The tokens that get the claim.
export const ID_TOKEN: Settings = { 'id.token.claim': flagSetting('Add to ID token') };
export const ACCESS_TOKEN: Settings = {
  'access.token.claim': flagSetting('Add to access token'),
  'lightweight.claim': flagSetting('Add to lightweight access token', false),
};
export const USERINFO: Settings = { 'userinfo.token.claim': flagSetting('Add to userinfo') };
export const INTROSPECTION: Settings = { 'introspection.token.claim': flagSetting('Add to token introspection') };
export const TOKEN_RESPONSE: Settings = {
  'access.tokenResponse.claim': flagSetting('Add to access token response', false),
};
export const EVERYWHERE: Settings = { ...ID_TOKEN, ...ACCESS_TOKEN, ...USERINFO, ...INTROSPECTION };
export const ACCESS_AND_INTROSPECTION: Settings = { ...ACCESS_TOKEN, ...INTROSPECTION };
