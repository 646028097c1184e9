const STRING = { type: 'string' } as const;

/** An executor or a condition by its id; what its configuration may say is for the one that has it. */
const configured = (kind: 'executor' | 'condition') =>
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
    executors: { type: 'array', items: configured('executor') },
  },
  additionalProperties: false,
} as const;

const policy = {
  type: 'object',
  properties: {
    name: STRING,
    description: STRING,
    enabled: { type: 'boolean' },
    conditions: { type: 'array', items: configured('condition') },
    profiles: { type: 'array', items: STRING },
  },
  additionalProperties: false,
} as const;

/** Keycloak's ClientProfilesRepresentation. A realm's own profiles alone are kept. */
export const CLIENT_PROFILES_SCHEMA = {
  type: 'object',
  properties: { profiles: { type: 'array', items: profile }, globalProfiles: { type: 'array' } },
  additionalProperties: false,
} as const;

/** Keycloak's ClientPoliciesRepresentation. A realm's own policies alone are kept. */
export const CLIENT_POLICIES_SCHEMA = {
  type: 'object',
  properties: { policies: { type: 'array', items: policy }, globalPolicies: { type: 'array' } },
  additionalProperties: false,
} as const;
