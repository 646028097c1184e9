import type { IssuedActionToken, JsonObject } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import type { User } from '../../model/user.js';
import type { CalledRealm } from '../../registry/sessions/host-session.js';
import type { ActionTokenFilter, ActionTokenRecord } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { AdminError, badRequest, notFound } from '../admin.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { changeUser, requireCoversUser, requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

export interface ActionTokenOperationParts {
  readonly users: Users;
  readonly clock: Clock;
  readonly actionTokens: {
    /** Newest first. */
    list(called: CalledRealm, user: User): Promise<readonly ActionTokenRecord[]>;
    /** A page of a realm's tokens; `next` is the last token, after which the next page begins. */
    page(
      called: CalledRealm,
      filter: Omit<ActionTokenFilter, 'now'>,
    ): Promise<{
      readonly tokens: readonly { readonly token: ActionTokenRecord; readonly user: User }[];
      readonly next?: ActionTokenRecord;
    }>;
    /** The state of a token by its ID; undefined if the ID is invalid. */
    standing(
      called: CalledRealm,
      user: User,
      id: string,
    ): Promise<
      | {
          readonly issuedAt: number;
          readonly token?: ActionTokenRecord;
          readonly state?: (typeof TOKEN_STATES)[number];
        }
      | undefined
    >;
    revoke(called: CalledRealm, user: User, id: string): Promise<boolean>;
    mint(
      called: CalledRealm,
      user: User,
      request: {
        readonly type: string;
        readonly clientId: string | undefined;
        readonly redirectUri: string | undefined;
        readonly lifespan: number | undefined;
        readonly claims: JsonObject;
      },
    ): Promise<IssuedActionToken | 'forbidden' | { readonly problem: string }>;
  };
}

export const TOKEN_STATES = ['out', 'used', 'revoked', 'ended', 'expired'] as const;

const ALL = '/users/{userId}/action-tokens';
const ONE = `${ALL}/{tokenId}`;
const TEXT = { type: 'string', minLength: 1, maxLength: 2000 } as const;
const REQUEST = {
  type: 'object',
  properties: {
    type: { ...TEXT, description: 'The id of an action-token handler, such as reset-credentials.' },
    lifespan: { type: 'integer', description: 'Seconds.' },
    clientId: TEXT,
    redirectUri: { ...TEXT, description: 'Of execute-actions: where the last page leads to.' },
    claims: { type: 'object', description: "The handler's own claims.", maxProperties: 50 },
  },
  required: ['type'],
  additionalProperties: false,
} as const;
export const RECORD = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    type: { type: 'string' },
    clientId: { type: 'string' },
    issuedAt: { type: 'integer', description: 'Milliseconds since the epoch.' },
    expiresAt: { type: 'integer', description: 'Milliseconds since the epoch.' },
  },
} as const;
const MINTED = {
  type: 'object',
  properties: { ...RECORD.properties, link: { type: 'string' }, token: { type: 'string' } },
} as const;

interface SentRequest {
  readonly type: string;
  readonly lifespan?: number;
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly claims?: JsonObject;
}

/**
 * Keyhost only: `/users/{userId}/action-tokens`, the open links of a user whose types the realm's `actionTokenPolicy`
 * lists. The holder of a link can act as the user, so these operations require the rights for setting a password.
 */
export function actionTokenOperations({ users, clock, actionTokens }: ActionTokenOperationParts): AdminOperation[] {
  const change = {
    tag: USERS_TAG,
    roles: ['manage-users'],
    event: { resourceType: 'USER', operation: 'ACTION', detailed: true },
  } as const;
  const covered = async (call: AdminCall) => {
    const user = await requireUser(users, call);
    requireCoversUser(call.admin, call.realm, user);
    return user;
  };
  return [
    {
      method: 'GET',
      path: ALL,
      tag: USERS_TAG,
      summary: 'Active action tokens of a user, of the types that the realm tracks; newest first',
      roles: ['view-users'],
      query: PAGING,
      answers: { status: 200, body: { type: 'array', items: RECORD } },
      async handle(call) {
        const list = await actionTokens.list(call, await requireUser(users, call));
        return ok(pageOf(list, call.query.page()).map(tokenResponse));
      },
    },
    {
      ...change,
      method: 'POST',
      path: ALL,
      summary: "Issue an action token for a user if the realm's policy allows it; only the answer contains the link",
      body: REQUEST,
      answers: { status: 201, body: MINTED },
      async handle(call) {
        const { type, lifespan, clientId, redirectUri, claims = {} } = call.body as SentRequest;
        const user = await covered(call);
        const told = defined({ type, clientId });
        const request = {
          type,
          lifespan,
          clientId,
          redirectUri,
          claims,
          onSigned: ({ id, expiresIn }: { id: string; expiresIn: number }) =>
            call.setEventDetails({ eventRepresentation: { id, ...told, lifespan: expiresIn } }),
        };
        const minted = await actionTokens.mint(call, user, request);
        if (minted === 'forbidden') throw new AdminError(403, { error: 'access_denied', error_description: DENIED });
        if ('problem' in minted) throw badRequest(minted.problem);
        const { id, link, token, expiresIn } = minted;
        return {
          status: 201,
          body: { id, ...told, expiresAt: clock.now() + expiresIn * 1000, link, token },
          isSecret: true,
        };
      },
    },
    {
      ...change,
      method: 'DELETE',
      path: ALL,
      summary: 'Revoke every active link of a user, of any type',
      answers: { status: 204 },
      async handle(call) {
        await changeUser(users, call, (draft) => {
          draft.linksNotBefore = clock.now();
        });
        return undefined;
      },
    },
    {
      ...change,
      method: 'DELETE',
      path: ONE,
      summary: 'Revoke an action token',
      answers: { status: 204 },
      async handle(call) {
        const user = await covered(call);
        if (!(await actionTokens.revoke(call, user, call.params.tokenId ?? ''))) {
          throw notFound('Action token not found');
        }
        return undefined;
      },
    },
  ];
}

const DENIED = "The realm's actionTokenPolicy does not let admins issue action tokens of that type";

export function tokenResponse({ id, type, clientId, issuedAt, expiresAt }: ActionTokenRecord) {
  return defined({ id, type, clientId, issuedAt, expiresAt });
}
