import type { IssuedActionToken, JsonObject } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import type { User } from '../../model/user.js';
import type { CalledRealm } from '../../registry/sessions/caller.js';
import type { ActionTokenFilter, ActionTokenRecord } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import { AdminError, badRequest, notFoundError } from '../admin.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { changeUser, requireRightsOfUser, requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

export interface ActionTokenOperationParts {
  readonly users: Users;
  readonly clock: Clock;
  readonly actionTokens: {
    /** The user's active tokens, newest first. */
    list(calledRealm: CalledRealm, user: User): Promise<readonly ActionTokenRecord[]>;
    /** A page of a realm's tokens. `next` is the last token of the page, if there are more. */
    page(
      calledRealm: CalledRealm,
      filter: Omit<ActionTokenFilter, 'now'>,
    ): Promise<{
      readonly tokens: readonly { readonly token: ActionTokenRecord; readonly user: User }[];
      readonly next?: ActionTokenRecord;
    }>;
    /** The state of a token by its ID. Undefined if the ID is invalid. */
    stateOf(
      calledRealm: CalledRealm,
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
    revoke(calledRealm: CalledRealm, user: User, id: string): Promise<boolean>;
    issue(
      calledRealm: CalledRealm,
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

const LIST_PATH = '/users/{userId}/action-tokens';
const TOKEN_PATH = `${LIST_PATH}/{tokenId}`;
const TEXT = { type: 'string', minLength: 1, maxLength: 2000 } as const;
const REQUEST_SCHEMA = {
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
export const TOKEN_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    type: { type: 'string' },
    clientId: { type: 'string' },
    issuedAt: { type: 'integer', description: 'Milliseconds since the epoch.' },
    expiresAt: { type: 'integer', description: 'Milliseconds since the epoch.' },
  },
} as const;
const ISSUED_TOKEN_SCHEMA = {
  type: 'object',
  properties: { ...TOKEN_SCHEMA.properties, link: { type: 'string' }, token: { type: 'string' } },
} as const;

interface TokenRequest {
  readonly type: string;
  readonly lifespan?: number;
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly claims?: JsonObject;
}

/**
 * Keyhost's own API: `/users/{userId}/action-tokens`, the active tokens of a user whose types the realm's
 * `actionTokenPolicy` lists. The holder of a link can act as the user, so these operations require the same rights as
 * setting a password.
 */
export function actionTokenOperations({ users, clock, actionTokens }: ActionTokenOperationParts): AdminOperation[] {
  const writeOperation = {
    tag: USERS_TAG,
    roles: ['manage-users'],
    event: { resourceType: 'USER', operation: 'ACTION', detailed: true },
  } as const;
  const requireUserAndRights = async (call: AdminCall) => {
    const user = await requireUser(users, call);
    requireRightsOfUser(call.admin, call.realm, user);
    return user;
  };
  return [
    {
      method: 'GET',
      path: LIST_PATH,
      tag: USERS_TAG,
      summary: 'Active action tokens of a user, of the types that the realm tracks; newest first',
      roles: ['view-users'],
      query: PAGING,
      answers: { status: 200, body: { type: 'array', items: TOKEN_SCHEMA } },
      async handle(call) {
        const tokens = await actionTokens.list(call, await requireUser(users, call));
        return ok(pageOf(tokens, call.query.page()).map(tokenResponse));
      },
    },
    {
      ...writeOperation,
      method: 'POST',
      path: LIST_PATH,
      summary: "Issue an action token for a user if the realm's policy allows it; only the answer contains the link",
      body: REQUEST_SCHEMA,
      answers: { status: 201, body: ISSUED_TOKEN_SCHEMA },
      async handle(call) {
        const { type, lifespan, clientId, redirectUri, claims = {} } = call.body as TokenRequest;
        const user = await requireUserAndRights(call);
        const members = defined({ type, clientId });
        const request = {
          type,
          lifespan,
          clientId,
          redirectUri,
          claims,
          onSigned: ({ id, expiresIn }: { id: string; expiresIn: number }) =>
            call.setEventDetails({ eventRepresentation: { id, ...members, lifespan: expiresIn } }),
        };
        const issued = await actionTokens.issue(call, user, request);
        if (issued === 'forbidden')
          throw new AdminError(403, { error: 'access_denied', error_description: DENIED_MESSAGE });
        if ('problem' in issued) throw badRequest(issued.problem);
        const { id, link, token, expiresIn } = issued;
        return {
          status: 201,
          body: { id, ...members, expiresAt: clock.now() + expiresIn * 1000, link, token },
          isSecret: true,
        };
      },
    },
    {
      ...writeOperation,
      method: 'DELETE',
      path: LIST_PATH,
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
      ...writeOperation,
      method: 'DELETE',
      path: TOKEN_PATH,
      summary: 'Revoke an action token',
      answers: { status: 204 },
      async handle(call) {
        const user = await requireUserAndRights(call);
        if (!(await actionTokens.revoke(call, user, call.params.tokenId ?? ''))) {
          throw notFoundError('Action token not found');
        }
        return undefined;
      },
    },
  ];
}

const DENIED_MESSAGE = "The realm's actionTokenPolicy does not let admins issue action tokens of that type";

export function tokenResponse({ id, type, clientId, issuedAt, expiresAt }: ActionTokenRecord) {
  return defined({ id, type, clientId, issuedAt, expiresAt });
}
