import type { FromSchema } from '@keyhost/spi';

/** The form of a secret (Standard Webhooks): a prefix and the base64 of 24 to 64 bytes. */
const SECRET = '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$';

const secret = { type: 'string', pattern: SECRET, writeOnly: true } as const;

const endpoint = {
  type: 'object',
  properties: {
    url: {
      type: 'string',
      title: 'Address',
      pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$',
      maxLength: 2000,
      description: 'URL that receives the events. http only in networks of --outbound-private-networks.',
    },
    events: {
      type: 'array',
      title: 'Event types',
      minItems: 1,
      maxItems: 100,
      items: { type: 'string', pattern: '^[A-Za-z0-9_.*-]{1,100}$' },
      description: 'Event types, such as "access.LOGIN_ERROR" and "admin.USER-CREATE"; * matches any characters.',
    },
    secret: {
      ...secret,
      title: 'Secret',
      description: 'Secret that signs requests: whsec_ and base64 of 24 to 64 random bytes.',
    },
    previousSecret: {
      ...secret,
      title: 'Previous secret',
      description: 'Previous secret, which also signs while receivers change to the new one.',
    },
    headers: {
      type: 'object',
      title: 'Additional headers',
      propertyNames: { pattern: '^([Aa]uthorization|[Xx]-[A-Za-z0-9-]{1,60})$' },
      additionalProperties: { type: 'string', pattern: '^[\\x20-\\x7e]{1,4000}$', writeOnly: true },
      default: {},
      description: 'Additional request headers: Authorization, and headers that begin with X-.',
    },
    enabled: {
      type: 'boolean',
      title: 'Enabled',
      default: true,
      description: 'Off: new events are not queued; queued events are kept.',
    },
    timeout: {
      type: 'integer',
      title: 'Time limit',
      minimum: 1,
      maximum: 20,
      default: 10,
      description: 'Time limit of one attempt, in seconds.',
    },
    concurrency: {
      type: 'integer',
      title: 'Concurrent requests',
      minimum: 1,
      maximum: 32,
      default: 4,
      description: 'Concurrent requests of each node; one while the endpoint fails.',
    },
    maxAttempts: {
      type: 'integer',
      title: 'Attempts',
      minimum: 1,
      maximum: 10,
      default: 10,
      description: 'Number of attempts before an event becomes a dead letter.',
    },
  },
  required: ['url', 'events', 'secret'],
  additionalProperties: false,
} as const;

/** The webhook settings of a realm. */
export const REALM_CONFIG = {
  type: 'object',
  properties: {
    endpoints: {
      type: 'object',
      title: 'Endpoints',
      maxProperties: 50,
      propertyNames: { pattern: '^[a-z0-9][a-z0-9-]{0,62}$' },
      additionalProperties: endpoint,
      default: {},
      description: 'Endpoints by name. You choose the names.',
    },
    maxPending: {
      type: 'integer',
      title: 'Queued events',
      minimum: 100,
      maximum: 100_000,
      default: 10_000,
      description:
        'Maximum number of queued events of this realm; when it is exceeded, the oldest become dead letters.',
    },
    maxDeadLetters: {
      type: 'integer',
      title: 'Dead letters',
      minimum: 100,
      maximum: 100_000,
      default: 10_000,
      description: 'Maximum number of dead letters of this realm; when it is exceeded, the oldest are deleted.',
    },
    deadLetterDays: {
      type: 'integer',
      title: 'Days of dead letters',
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'Number of days after which a dead letter is deleted.',
    },
  },
  additionalProperties: false,
} as const;

export type Settings = FromSchema<typeof REALM_CONFIG>;
export type Endpoint = FromSchema<typeof endpoint>;

/** An endpoint of the realm, by a name that may be from a request. */
export function endpointOf({ endpoints }: Settings, name: string): Endpoint | undefined {
  return Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
}
