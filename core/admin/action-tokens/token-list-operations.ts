import { ActionTokenHandler, type ActionTokenHandlerDeclaration, type JsonObject } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { MAX_ACTION_TOKEN_LIFESPAN, type Realm } from '../../model/realm.js';
import { isEnabledInRealm } from '../../registry/generations/realm-providers.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import { badRequest } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, ok } from '../operation.js';
import { type ActionTokenOperationParts, TOKEN_SCHEMA, tokenResponse } from '../users/action-token-operations.js';
import { ACTION_TOKENS_TAG } from './action-tokens-tag.js';

/** Maximum number of tokens on a page. */
const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 100;

const TEXT = { type: 'string' } as const;
const LISTED_TOKEN_SCHEMA = {
  type: 'object',
  properties: { ...TOKEN_SCHEMA.properties, userId: TEXT, username: TEXT },
} as const;
const TOKEN_TYPE_SCHEMA = {
  type: 'object',
  properties: {
    id: { ...TEXT, description: 'Type of the tokens: the ID of their handler.' },
    displayName: TEXT,
    helpText: TEXT,
    isMintable: { type: 'boolean', description: 'Admins can issue them (actionTokenPolicy of the realm).' },
    isListed: { type: 'boolean', description: 'The realm tracks active tokens of this type.' },
    lifespan: { type: 'integer', description: 'Default lifespan of a token that an admin issues, in seconds.' },
    maxLifespan: { type: 'integer', description: 'Seconds.' },
    claims: {
      type: 'object',
      description: 'JSON Schema of the claims of the request to issue one; absent: any claims.',
    },
    plugin: { type: 'object', properties: { name: TEXT, version: TEXT, builtIn: { type: 'boolean' } } },
  },
} as const;

/** Keyhost's own API: `/action-tokens` lists a realm's active tokens, and `/action-token-types` the types of tokens. */
export function tokenListOperations({ actionTokens }: ActionTokenOperationParts): AdminOperation[] {
  const readOperation = { method: 'GET', tag: ACTION_TOKENS_TAG, roles: ['view-users'] } as const;
  return [
    {
      ...readOperation,
      path: '/action-tokens',
      summary: 'Active action tokens of the realm, of the types that it tracks; newest first',
      query: {
        type: { type: 'string', description: 'ID of their handler, such as execute-actions.' },
        userId: { type: 'string' },
        clientId: { type: 'string' },
        max: {
          type: 'integer',
          description:
            `Maximum number of tokens to examine; default ${DEFAULT_PAGE_SIZE}, at most ${MAX_PAGE_SIZE}. ` +
            'A page may have fewer, since used, revoked and expired tokens are left out.',
        },
        after: { type: 'string', description: '`next` of the previous page.' },
      },
      answers: {
        status: 200,
        body: {
          type: 'object',
          properties: {
            actionTokens: { type: 'array', items: LISTED_TOKEN_SCHEMA },
            next: { type: 'string', description: 'Start of the next page; absent on the last page.' },
          },
        },
      },
      async handle(call) {
        const { query } = call;
        const max = query.integer('max') ?? DEFAULT_PAGE_SIZE;
        const after = query.string('after');
        const filter = {
          type: query.string('type'),
          userId: query.string('userId'),
          clientId: query.string('clientId'),
          max: max < 0 ? MAX_PAGE_SIZE : Math.min(Math.max(max, 1), MAX_PAGE_SIZE),
          before: after === undefined ? undefined : parseCursor(after),
        };
        const { tokens, next } = await actionTokens.page(call, filter);
        return ok({
          actionTokens: tokens.map(({ token, user }) => ({
            ...tokenResponse(token),
            userId: user.id,
            username: user.username,
          })),
          ...defined({ next: next && `${next.issuedAt}.${next.id}` }),
        });
      },
    },
    {
      ...readOperation,
      path: '/action-token-types',
      summary: 'The types of action tokens that the realm has handlers for, and whether admins can issue them',
      answers: { status: 200, body: { type: 'array', items: TOKEN_TYPE_SCHEMA } },
      handle({ realm, caller, exchange }) {
        const texts = new AdminTexts({ exchange });
        const handlers = caller.providers.list().filter(({ spi }) => spi.id === ActionTokenHandler.id);
        const enabledHandlers = handlers.filter((handler) => isEnabledInRealm(realm, handler)) as RegisteredProvider<
          ActionTokenHandlerDeclaration,
          unknown
        >[];
        return ok(
          enabledHandlers
            .map((handler) => describeTokenType(realm, handler, texts))
            .sort((a, b) => (a.id < b.id ? -1 : 1)),
        );
      },
    },
  ];
}

type ObjectSchema = JsonObject & { readonly properties?: JsonObject; readonly required?: readonly string[] };

function describeTokenType(
  realm: Realm,
  handler: RegisteredProvider<ActionTokenHandlerDeclaration, unknown>,
  texts: AdminTexts,
) {
  const { id, declaration, plugin } = handler;
  const rule = realm.actionTokenRule(id);
  const { actionTokenByAdmin } = realm.lifespans;
  const maxLifespan = Math.min(rule?.maxLifespan ?? actionTokenByAdmin, MAX_ACTION_TOKEN_LIFESPAN);
  return defined({
    id,
    ...texts.description(handler),
    isMintable: rule?.mint === true,
    isListed: rule !== undefined,
    lifespan: Math.min(actionTokenByAdmin, maxLifespan),
    maxLifespan,
    claims: plugin.builtin ? requestClaims(declaration.claims) : declaration.claims,
    plugin: { name: plugin.name, version: plugin.version, builtIn: plugin.builtin },
  });
}

/** Claims of built-in types that the host sets itself: the user's address, and the redirect URI of the request. */
const HOST_CLAIMS = new Set(['eml', 'reduri']);

function requestClaims(schema: ActionTokenHandlerDeclaration['claims']): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const { properties = {}, required = [], ...members } = schema as ObjectSchema;
  return {
    ...members,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !HOST_CLAIMS.has(name))),
    required: required.filter((name) => !HOST_CLAIMS.has(name)),
  };
}

/** Parses the position after which a page begins. @throws AdminError 400 */
function parseCursor(after: string): { readonly issuedAt: number; readonly id: string } {
  const [, issuedAt, id] = /^(\d{1,15})\.(.{1,200})$/.exec(after) ?? [];
  if (issuedAt === undefined || id === undefined) throw badRequest('after: must be the `next` of the previous page');
  return { issuedAt: Number(issuedAt), id };
}
