import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/clock.js';
import type { InitialAccessRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { AdminError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { INITIAL_ACCESS_MEMBERS } from '../strict-representations.js';
import { INITIAL_ACCESS, issueRegistrationToken, type RegistrationTokenParts } from './registration-token.js';

const TAG = 'Client Initial Access';
const PATH = '/clients-initial-access';
const MAX_INTEGER = 2_147_483_647;

/**
 * Operations on initial access tokens, which allow registering clients (Keycloak's ClientInitialAccessResource). The
 * realm stores their data.
 */
export function initialAccessOperations(
  parts: RegistrationTokenParts & { readonly edits: RealmEdits; readonly clock: Clock },
): AdminOperation[] {
  const { edits, clock } = parts;
  return [
    {
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'The initial access tokens of the realm, without the tokens themselves',
      roles: ['view-clients'],
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle: ({ realm }) => ok(realm.representation.clientsInitialAccess ?? []),
    },
    {
      method: 'POST',
      path: PATH,
      tag: TAG,
      summary: 'Create an initial access token, which is shown only once',
      roles: ['manage-clients'],
      body: {
        type: 'object',
        properties: {
          expiration: { type: ['integer', 'null'], maximum: MAX_INTEGER },
          count: { type: ['integer', 'null'], maximum: MAX_INTEGER },
        },
      },
      strict: INITIAL_ACCESS_MEMBERS,
      answers: { status: 201, body: { type: 'object' } },
      event: { resourceType: 'CLIENT_INITIAL_ACCESS_MODEL' },
      async handle({ realm, body, setEventDetails }) {
        const input = body as { expiration?: number | null; count?: number | null };
        const expiration = requireNonNegative('expiration', input.expiration ?? 0);
        const count = requireNonNegative('count', input.count ?? 1);
        const timestamp = Math.floor(clock.now() / 1000);
        const id = randomUUID();
        const access = { id, timestamp, expiration, count, remainingCount: count };
        setEventDetails({ created: id, eventRepresentation: access });
        await edits.edit(realm.name, (draft) => {
          const validTokens = (draft.clientsInitialAccess ?? []).filter((other) => isValid(other, timestamp));
          draft.clientsInitialAccess = [...validTokens, access];
        });
        const token = await issueRegistrationToken(parts, realm, { type: INITIAL_ACCESS, id, expiration });
        return { status: 201, body: { ...access, token } };
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/{id}`,
      tag: TAG,
      summary: 'Revoke an initial access token',
      roles: ['manage-clients'],
      answers: { status: 204 },
      event: { resourceType: 'CLIENT_INITIAL_ACCESS_MODEL' },
      async handle({ realm, params }) {
        await edits.edit(realm.name, (draft) => {
          draft.clientsInitialAccess = draft.clientsInitialAccess?.filter(({ id }) => id !== params.id) ?? [];
        });
        return undefined;
      },
    },
  ];
}

function requireNonNegative(name: string, value: number): number {
  if (value >= 0) return value;
  throw new AdminError(400, {
    error: `Invalid value for ${name}`,
    error_description: `The ${name} cannot be less than 0`,
  });
}

function isValid({ timestamp, expiration, remainingCount }: InitialAccessRepresentation, now: number): boolean {
  return remainingCount > 0 && (expiration === 0 || timestamp + expiration > now);
}
