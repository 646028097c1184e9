import { ActionTokenHandler, type ActionTokenHandlerDeclaration, type JsonObject } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { MAX_ACTION_TOKEN_LIFESPAN, type Realm } from '../../model/realm.js';
import { isEnabledInRealm } from '../../registry/generations/realm-providers.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import { badRequest } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, ok } from '../operation.js';
import { type ActionTokenOperationParts, RECORD, tokenResponse } from '../users/action-token-operations.js';
import { ACTION_TOKENS_TAG } from './action-tokens-tag.js';

/** Maximum number of tokens on a page. */
const PAGE_LIMIT = 200;
const DEFAULT_PAGE = 100;

const TEXT = { type: 'string' } as const;
const LISTED = {
  type: 'object',
  properties: { ...RECORD.properties, userId: TEXT, username: TEXT },
} as const;
const TYPE = {
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

/** Keyhost only: `/action-tokens` and `/action-token-types`, the open links of a realm and the types of links. */
export function tokenListOperations({ actionTokens }: ActionTokenOperationParts): AdminOperation[] {
  const own = { method: 'GET', tag: ACTION_TOKENS_TAG, roles: ['view-users'] } as const;
  return [
    {
      ...own,
      path: '/action-tokens',
      summary: 'Active action tokens of the realm, of the types that it tracks; newest first',
      query: {
        type: { type: 'string', description: 'ID of their handler, such as execute-actions.' },
        userId: { type: 'string' },
        clientId: { type: 'string' },
        max: {
          type: 'integer',
          description:
            `Most tokens that are looked at: ${DEFAULT_PAGE} without it, and ${PAGE_LIMIT} at most. ` +
            'Used, revoked and expired tokens are not listed.',
        },
        after: { type: 'string', description: '`next` of the previous page.' },
      },
      answers: {
        status: 200,
        body: {
          type: 'object',
          properties: {
            actionTokens: { type: 'array', items: LISTED },
            next: { type: 'string', description: 'Start of the next page; absent on the last page.' },
          },
        },
      },
      async handle(call) {
        const { query } = call;
        const max = query.integer('max') ?? DEFAULT_PAGE;
        const after = query.string('after');
        const filter = {
          type: query.string('type'),
          userId: query.string('userId'),
          clientId: query.string('clientId'),
          max: max < 0 ? PAGE_LIMIT : Math.min(Math.max(max, 1), PAGE_LIMIT),
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
      ...own,
      path: '/action-token-types',
      summary: 'The types of action tokens that the realm has handlers for, and whether admins can issue them',
      answers: { status: 200, body: { type: 'array', items: TYPE } },
      handle({ realm, caller, exchange }) {
        const words = new AdminTexts({ exchange });
        const handlers = caller.providers.list().filter(({ spi }) => spi.id === ActionTokenHandler.id);
        const on = handlers.filter((handler) => isEnabledInRealm(realm, handler)) as RegisteredProvider<
          ActionTokenHandlerDeclaration,
          unknown
        >[];
        return ok(on.map((handler) => typeOf(realm, handler, words)).sort((a, b) => (a.id < b.id ? -1 : 1)));
      },
    },
  ];
}

type ObjectSchema = JsonObject & { readonly properties?: JsonObject; readonly required?: readonly string[] };

function typeOf(realm: Realm, handler: RegisteredProvider<ActionTokenHandlerDeclaration, unknown>, words: AdminTexts) {
  const { id, declaration, plugin } = handler;
  const rule = realm.actionTokenRule(id);
  const { actionTokenByAdmin } = realm.lifespans;
  const most = Math.min(rule?.maxLifespan ?? actionTokenByAdmin, MAX_ACTION_TOKEN_LIFESPAN);
  return defined({
    id,
    ...words.description(handler),
    isMintable: rule?.mint === true,
    isListed: rule !== undefined,
    lifespan: Math.min(actionTokenByAdmin, most),
    maxLifespan: most,
    claims: plugin.builtin ? sentClaims(declaration.claims) : declaration.claims,
    plugin: { name: plugin.name, version: plugin.version, builtIn: plugin.builtin },
  });
}

/** Claims that the host fills in for its own types: the user's address, and the redirect URI of the request. */
const FILLED_IN = new Set(['eml', 'reduri']);

function sentClaims(schema: ActionTokenHandlerDeclaration['claims']): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const { properties = {}, required = [], ...rest } = schema as ObjectSchema;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !FILLED_IN.has(name))),
    required: required.filter((name) => !FILLED_IN.has(name)),
  };
}

/** @throws AdminError 400 */
function parseCursor(after: string): { readonly issuedAt: number; readonly id: string } {
  const [, issuedAt, id] = /^(\d{1,15})\.(.{1,200})$/.exec(after) ?? [];
  if (issuedAt === undefined || id === undefined) throw badRequest('after: must be the `next` of the previous page');
  return { issuedAt: Number(issuedAt), id };
}
