const STRING = { type: 'string' } as const;

/** An executor or a condition, by the ID of its provider, which checks the configuration. */
const providerUse = (kind: 'executor' | 'condition') =>
  ({
    type: 'object',
    properties: { [kind]: STRING, configuration: { type: 'object' } },
    required: [kind],
    additionalProperties: false,
  }) as const;

const profile = {
  type: 'object',
  properties: {
    name: STRING,
    description: STRING,
    executors: { type: 'array', items: providerUse('executor') },
  },
  additionalProperties: false,
} as const;

const policy = {
  type: 'object',
  properties: {
    name: STRING,
    description: STRING,
    enabled: { type: 'boolean' },
    conditions: { type: 'array', items: providerUse('condition') },
    profiles: { type: 'array', items: STRING },
  },
  additionalProperties: false,
} as const;

/** Keycloak's ClientProfilesRepresentation, without the global profiles. */
export const CLIENT_PROFILES_SCHEMA = {
  type: 'object',
  properties: { profiles: { type: 'array', items: profile } },
  additionalProperties: false,
} as const;

/** Keycloak's ClientPoliciesRepresentation, without the global policies. */
export const CLIENT_POLICIES_SCHEMA = {
  type: 'object',
  properties: { policies: { type: 'array', items: policy } },
  additionalProperties: false,
} as const;
