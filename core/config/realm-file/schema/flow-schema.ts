const STRING = { type: 'string' } as const;
const BOOLEAN = { type: 'boolean' } as const;

const execution = {
  type: 'object',
  properties: {
    authenticator: STRING,
    authenticatorConfig: STRING,
    authenticatorFlow: BOOLEAN,
    // Keycloak also exports this misspelt name.
    autheticatorFlow: BOOLEAN,
    flowAlias: STRING,
    requirement: STRING,
    priority: { type: 'integer' },
    userSetupAllowed: BOOLEAN,
  },
} as const;

/** An entry of a realm's `authenticationFlows`. */
export const FLOW_SCHEMA = {
  type: 'object',
  properties: {
    id: STRING,
    alias: { type: 'string', minLength: 1 },
    description: STRING,
    providerId: STRING,
    topLevel: BOOLEAN,
    builtIn: BOOLEAN,
    authenticationExecutions: { type: 'array', items: execution },
  },
  required: ['alias'],
} as const;

/** An entry of a realm's `authenticatorConfig`. */
export const AUTHENTICATOR_CONFIG_SCHEMA = {
  type: 'object',
  properties: { id: STRING, alias: STRING, config: { type: 'object', additionalProperties: STRING } },
} as const;

/** A client's `authenticationFlowBindingOverrides`. */
export const FLOW_OVERRIDES_SCHEMA = {
  type: 'object',
  properties: { browser: STRING, direct_grant: STRING },
  additionalProperties: STRING,
} as const;

export const FLOW_KEYS = {
  flow: Object.keys(FLOW_SCHEMA.properties),
  execution: Object.keys(execution.properties),
  flowOverrides: Object.keys(FLOW_OVERRIDES_SCHEMA.properties),
} as const;
