import type { JsonSchema } from '@keyhost/spi';
import { CLAIM_TYPES } from '../../config/json/claim-values.js';

type Settings = Readonly<Record<string, JsonSchema>>;

const flag = (title: string, standard = true): JsonSchema => ({ type: 'boolean', title, default: standard });

/** The claim that the mapper adds. */
export const CLAIM: Settings = {
  'claim.name': {
    type: 'string',
    title: 'Token Claim Name',
    description: 'A dot nests the claim in an object; write "\\." for a dot.',
  },
};
/** The type of its value. */
export const TYPE: Settings = {
  'jsonType.label': {
    enum: [...CLAIM_TYPES],
    title: 'Claim JSON Type',
    default: 'String',
  },
};
export const MULTIVALUED: Settings = { multivalued: flag('Multivalued', false) };
export const AGGREGATED: Settings = {
  'aggregate.attrs': { ...flag('Aggregate attribute values', false), description: 'The values of groups count, too.' },
};
/** For role mappers: a new mapper includes all roles. */
export const ALL_OF_THEM: Settings = { multivalued: flag('Multivalued') };
export const ROLE: Settings = {
  role: { type: 'string', format: 'role', title: 'Role', description: 'A realm role, or "clientId.role".' },
};

// The tokens that get the claim.
export const ID: Settings = { 'id.token.claim': flag('Add to ID token') };
export const ACCESS: Settings = {
  'access.token.claim': flag('Add to access token'),
  'lightweight.claim': flag('Add to lightweight access token', false),
};
export const USERINFO: Settings = { 'userinfo.token.claim': flag('Add to userinfo') };
export const INTROSPECTION: Settings = { 'introspection.token.claim': flag('Add to token introspection') };
export const RESPONSE: Settings = { 'access.tokenResponse.claim': flag('Add to access token response', false) };
export const EVERYWHERE: Settings = { ...ID, ...ACCESS, ...USERINFO, ...INTROSPECTION };
export const IN_ACCESS: Settings = { ...ACCESS, ...INTROSPECTION };
