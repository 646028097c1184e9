import { isPast, newSecret, SECRET_ATTRIBUTES, withoutRotatedSecret } from '../../../model/client-secrets.js';
import type { ClientRepresentation } from '../../../model/representation.js';
import type { ClientPolicyExecutor } from '../executor.js';
import type { PolicyConfig } from '../property.js';

const DAY = 86_400;
const EXPIRATION = 'expiration-period';
const ROTATED = 'rotated-expiration-period';
const REMAINING = 'remaining-rotation-period';

/** Client secrets expire, and the previous secret stays valid for a while in addition to the new one. */
export const secretRotation: ClientPolicyExecutor = {
  id: 'secret-rotation',
  helpText: 'Client secrets expire. For some time, the rotated secret works in addition to the new secret.',
  properties: [
    {
      name: EXPIRATION,
      label: 'Secret expiration',
      type: 'String',
      isSeconds: true,
      defaultValue: 29 * DAY,
      helpText: 'How long a secret is valid, in seconds.',
    },
    {
      name: ROTATED,
      label: 'Rotated Secret expiration',
      type: 'String',
      isSeconds: true,
      defaultValue: 2 * DAY,
      helpText: 'How long the rotated secret is valid in addition to the new secret, in seconds. 0: not at all.',
    },
    {
      name: REMAINING,
      label: 'Remain Expiration Time',
      type: 'String',
      isSeconds: true,
      defaultValue: 10 * DAY,
      helpText: 'A client that updates its registration this many seconds before its secret expires gets a new secret.',
    },
  ],
  findMistake(config) {
    const period = Number(config[EXPIRATION]);
    if (period === 0) return `${EXPIRATION} must be greater than 0`;
    for (const name of [ROTATED, REMAINING]) {
      if (Number(config[name]) > period) return `${name} must not be longer than ${EXPIRATION}`;
    }
    return undefined;
  },
  // The lifespan of a secret that is older than the policy begins with its next use. In Keycloak this does not apply to
  // service accounts.
  requests: ['TOKEN_REQUEST', 'SERVICE_ACCOUNT_TOKEN_REQUEST'],
  request(config, { client, effects }) {
    const isEndless = !client.attributes[SECRET_ATTRIBUTES.expiresAt] && client.hasSecret;
    if (isEndless && !client.publicClient) effects?.endSecret?.(Number(config[EXPIRATION]));
  },
  change(config, { client, before, updater, now }) {
    if (client.publicClient === true || client.bearerOnly === true || client.secret === undefined) return;
    // The policy sets the expiration, and values in the request are ignored.
    client.attributes = { ...withoutTimes(client.attributes), ...timesOf(before?.attributes) };
    const { [SECRET_ATTRIBUTES.expiresAt]: expiresAt } = client.attributes;
    // The lifespan begins now for a new secret, and for one that had no expiration.
    if (client.secret !== before?.secret || expiresAt === undefined || expiresAt === '') {
      countFromNow(config, client, now);
      return;
    }
    const isUpdatedByClient = updater.context !== 'ByAuthenticatedUser';
    const earlyMs = isUpdatedByClient ? Number(config[REMAINING]) * 1000 : 0;
    if (isPast(expiresAt, now + earlyMs)) rotateSecret(config, client, now);
  },
  onSecretRenewed: (config, { client, before, now }) => keepRotated(config, client, before, now),
};

const TIMES: readonly string[] = Object.values(SECRET_ATTRIBUTES);

function timesOf(attributes: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => TIMES.includes(name)));
}

function withoutTimes(attributes: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !TIMES.includes(name)));
}

function rotateSecret(config: PolicyConfig, client: ClientRepresentation, now: number): void {
  const before = { ...client };
  client.secret = newSecret();
  keepRotated(config, client, before, now);
}

function keepRotated(
  config: PolicyConfig,
  client: ClientRepresentation,
  before: ClientRepresentation | undefined,
  now: number,
): void {
  const seconds = Math.floor(now / 1000);
  const period = Number(config[ROTATED]);
  const { secret, attributes } = before ?? {};
  // A secret that has expired does not become valid again as the rotated one.
  const isOver = isPast(attributes?.[SECRET_ATTRIBUTES.expiresAt], now);
  client.attributes = {
    ...withoutRotatedSecret(client.attributes),
    ...(secret === undefined || period === 0 || isOver
      ? {}
      : {
          [SECRET_ATTRIBUTES.rotated]: secret,
          [SECRET_ATTRIBUTES.rotatedAt]: String(seconds),
          [SECRET_ATTRIBUTES.rotatedExpiresAt]: String(seconds + period),
        }),
  };
  countFromNow(config, client, now);
}

function countFromNow(config: PolicyConfig, client: ClientRepresentation, now: number): void {
  const seconds = Math.floor(now / 1000);
  client.attributes = {
    ...client.attributes,
    [SECRET_ATTRIBUTES.createdAt]: String(seconds),
    [SECRET_ATTRIBUTES.expiresAt]: String(seconds + Number(config[EXPIRATION])),
  };
}
