import type { FromSchema } from '@keyhost/spi';

/** The database settings in plugins.json. */
export const SETTINGS = {
  type: 'object',
  required: ['host', 'database', 'username'],
  properties: {
    host: {
      type: 'string',
      minLength: 1,
      description: 'A name, an address, or the folder of a Unix socket, which has no TLS.',
    },
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 5432 },
    database: { type: 'string', minLength: 1 },
    username: { type: 'string', minLength: 1 },
    password: { type: 'string', minLength: 1 },
    schema: {
      type: 'string',
      pattern: '^[a-z_][a-z0-9_]{0,62}$',
      mustBe: 'a name of lowercase letters, digits and underscores that begins with no digit, at most 63 characters',
      default: 'keyhost_events',
    },
    tls: { enum: ['verify-server', 'disabled'], default: 'verify-server' },
    authorities: { type: 'string', minLength: 1, description: 'Certificates in PEM that sign the server’s.' },
    connections: { type: 'integer', minimum: 1, maximum: 100, default: 4 },
    timeout: { type: 'number', exclusiveMinimum: 0, maximum: 25, default: 8, description: 'Seconds.' },
  },
  additionalProperties: false,
} as const;

export type Settings = FromSchema<typeof SETTINGS>;
