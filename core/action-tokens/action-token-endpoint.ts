import {
  type ActionToken,
  type ActionTokenContext,
  type ActionTokenHandlerDeclaration,
  type ActionTokenInfo,
  type ActionTokenProvider,
  HostError,
  type ResourceResponse,
} from '@keyhost/spi';
import { writeJson } from '../http/errors.js';
import { callerOf, type Endpoint, type Exchange } from '../http/exchange.js';
import { readForm } from '../http/form.js';
import { acceptsHtml } from '../http/page.js';
import { writePluginAnswer } from '../http/plugin-answer.js';
import { isPrefetch } from '../http/prefetch.js';
import type { RequestEvents } from '../http/request-events.js';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import { linkToClient } from '../model/link-to-client.js';
import { codeOf, isUnavailable } from '../model/thrown.js';
import type { PageWriter } from '../pages/page-writer.js';
import { createProvider, type EnabledProvider } from '../registry/generations/realm-providers.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { RightRefusals } from '../registry/sessions/right-refusals.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { type ActionTokenRefusal, createRefusal } from './action-token-refusal.js';
import { newAuthenticationSessionId } from './authentication-session-id.js';
import { linkConfirmationPage } from './link-confirmation-page.js';
import type { LinkLogins, SignInLinkActions } from './link-logins.js';
import { requireLinkRights } from './link-rights.js';
import type { SingleUseRecord, SingleUseRecords } from './single-use-record.js';
import type { ActionTokenChecks, LinkEventData, VerifiedActionToken } from './verify-action-token.js';

export interface ActionTokenParts {
  readonly checks: ActionTokenChecks;
  readonly records: SingleUseRecords;
  readonly sessions: SessionFactory;
  readonly events: RequestEvents;
  readonly pages: PageWriter;
  readonly linkLogins: LinkLogins;
  readonly refusals: RightRefusals;
}

/** Maximum length in characters of the value of the pressed button. */
const MAX_CHOICE_LENGTH = 64;

type Handler = EnabledProvider<ActionTokenHandlerDeclaration, ActionTokenProvider>;

/** `GET|POST /realms/{realm}/login-actions/action-token`: verifies the token and calls its handler. */
export function actionTokenEndpoint(parts: ActionTokenParts): Endpoint {
  return {
    path: '/login-actions/action-token',
    cors: 'none',
    skipsRealmChecks: true,
    head: 'nothing',
    methods: {
      GET: (exchange) => answerLink(parts, exchange, false),
      POST: (exchange) => answerLink(parts, exchange, true),
    },
  };
}

async function answerLink(parts: ActionTokenParts, exchange: Exchange, isConfirmed: boolean): Promise<void> {
  const { ctx, realm } = exchange;
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  if (isPrefetch(ctx)) {
    ctx.status = 204;
    return;
  }
  const session = parts.sessions.create(realm, callerOf(exchange), 'keyhost');
  const eventData: LinkEventData = { exchange, eventType: 'EXECUTE_ACTION_TOKEN', details: {} };
  let error: string | undefined;
  let shouldEmit = true;
  try {
    const outcome = await followLink(parts, eventData, session, isConfirmed);
    if (outcome === 'awaits-confirmation') shouldEmit = false;
    else error = outcome;
  } catch (thrown) {
    const refusal = (thrown ?? {}) as Partial<ActionTokenRefusal>;
    if (refusal.eventError === undefined || refusal.pageMessage === undefined) {
      error = isUnavailable(thrown) ? 'temporarily_unavailable' : 'unknown_error';
      throw thrown;
    }
    error = refusal.eventError;
    const text = parts.pages.english(refusal.pageMessage);
    eventData.details.reason ??= text;
    if (acceptsHtml(exchange.ctx)) {
      const message = { ...refusal.pageMessage, severity: 'error' as const };
      const client = eventData.clientId === undefined ? undefined : realm.clients.get(eventData.clientId);
      await parts.pages.show(
        exchange,
        400,
        { page: 'error', ...linkToClient('backUrl', client) },
        { session, client, message },
      );
    } else writeJson(exchange.ctx, 400, { error: 'invalid_request', error_description: text });
  } finally {
    const { eventType, userId, clientId, details } = eventData;
    if (shouldEmit) {
      parts.events.emit(exchange, { type: eventType, error, userId, clientId, details });
    }
    await session.close();
  }
}

/**
 * Verifies the link. Then asks for confirmation, starts or continues a login with its required actions, or calls its
 * handler.
 * @returns the event error if the handler's own response is a refusal; `awaits-confirmation` if the confirmation page
 * was shown
 */
async function followLink(
  parts: ActionTokenParts,
  eventData: LinkEventData,
  session: HostSession,
  isConfirmed: boolean,
): Promise<string | 'awaits-confirmation' | undefined> {
  const { exchange } = eventData;
  const { realm } = exchange;
  const { key, choice } = await readKey(exchange);
  const verified = await parts.checks.verify(eventData, key);
  const { handler, token, user, client, authenticationSessionId: authenticationName } = verified;
  const isJoined = authenticationName !== undefined && (await parts.linkLogins.isActive(exchange, authenticationName));
  const provider = createProvider(handler, session);
  const context = contextOf(parts, eventData, verified, { joined: isJoined, choice });
  const refusal = await session.withTimeLimit(provider.verify?.(token, context));
  if (refusal !== undefined) {
    const { error, message, params, texts } = refusal;
    throw createRefusal(error, message, defined({ params, texts }));
  }
  const isReusable = (await session.withTimeLimit(provider.reusable?.(token))) ?? true;
  const record = parts.records.recordFor(realm, isReusable ? undefined : token);
  await record.requireUnused();
  const confirmation = isConfirmed ? false : await session.withTimeLimit(provider.confirm?.(token, context));
  if (confirmation !== undefined && confirmation !== false) {
    await parts.pages.show(
      exchange,
      200,
      linkConfirmationPage(realm, { key, token, username: user.username, confirmation }),
      {
        session,
        client,
        formTargets: handler.registered.plugin.builtin ? formTargetsOf(client) : client?.webOriginList,
      },
    );
    return 'awaits-confirmation';
  }
  const linkedActions = await session.withTimeLimit(provider.requiredActions?.(token, context));
  if (linkedActions !== undefined) {
    const joinedSession = isJoined ? authenticationName : undefined;
    await requireLinkRights(parts, eventData, verified, linkedActions, joinedSession);
    const signIn = handler.registered.plugin.builtin ? (linkedActions as SignInLinkActions).signsIn : undefined;
    // A link that signs its user in is used up at once. So it is worthless if someone finds it later in a history or a
    // log.
    if (signIn !== undefined) await record.claim();
    const singleUseKey = signIn === undefined ? record.singleUseKey : undefined;
    await parts.linkLogins.followLink(exchange, {
      user,
      client,
      token,
      authenticationName: joinedSession,
      linkedActions,
      signsIn: signIn,
      singleUseKey,
    });
    return undefined;
  }
  await record.claim();
  const response = await runHandler(session, provider, token, context).catch(async (error: unknown) => {
    // After a timeout the handler may still take effect, so the link remains used up.
    if (codeOf(error) !== 'provider_timeout') await record.release();
    throw error;
  });
  if (!('info' in response)) return writeHandlerResponse(exchange, response, record, handler);
  const { title, text } = response.info;
  const message = { ...text, severity: 'success' as const };
  await parts.pages.show(exchange, 200, { page: 'info', title }, { session, client, message });
  return undefined;
}

/** The context that the handler gets. */
function contextOf(
  { linkLogins }: ActionTokenParts,
  { exchange, details }: LinkEventData,
  { user, client }: VerifiedActionToken,
  { joined, choice }: { readonly joined: boolean; readonly choice: string | undefined },
): ActionTokenContext {
  const notes = new Map<string, string>();
  return {
    user: user.view,
    choice,
    authenticationSession: {
      id: newAuthenticationSessionId(exchange.realm, client),
      client: client?.view,
      joined,
      notes: async () => Object.fromEntries(notes),
      setNote: async (name, value) => {
        notes.set(String(name), String(value));
        details[`note.${name}`] = String(value);
      },
    },
    browserUser: async () => (await linkLogins.browserUser(exchange))?.view,
  };
}

async function runHandler(
  session: HostSession,
  provider: ActionTokenProvider,
  token: ActionToken,
  context: ActionTokenContext,
): Promise<ResourceResponse | ActionTokenInfo> {
  const response = await session.withTimeLimit(provider.handle?.(token, context));
  if (response === undefined) throw new HostError('provider_incomplete', `${token.type} has no actions`);
  return response;
}

/**
 * Writes the handler's own response. If it is a refusal, the link may be followed again.
 * @returns the event error of a refusal
 */
async function writeHandlerResponse(
  { ctx }: Exchange,
  response: ResourceResponse,
  record: SingleUseRecord,
  { registered }: Handler,
): Promise<string | undefined> {
  const hasFailed = (response.status ?? 200) >= 400;
  if (hasFailed) await record.release();
  writePluginAnswer(ctx, response);
  return hasFailed ? registered.declaration.defaultError : undefined;
}

/**
 * Reads the token from `key` of the query or of a posted form, and the pressed button. Rejects a missing key, a
 * repeated key in the query, and keys that differ.
 */
async function readKey({ ctx }: Exchange): Promise<{ readonly key: string; readonly choice: string | undefined }> {
  const queryKeys = new URLSearchParams(ctx.querystring).getAll('key');
  const form = ctx.method === 'POST' && ctx.get('content-type') !== '' ? await readForm(ctx.req) : undefined;
  const keys = [...queryKeys, ...(form?.all('key') ?? [])].filter((key) => key !== '');
  const [key] = keys;
  if (key === undefined || keys.some((other) => other !== key) || queryKeys.length > 1) {
    throw createRefusal('not_allowed', 'invalidRequestMessage');
  }
  const choice = form?.get('choice');
  return { key, choice: choice !== undefined && choice.length <= MAX_CHOICE_LENGTH ? choice : undefined };
}

/**
 * The form targets of the pages of built-in links: http, https, and custom schemes of the application's redirect URIs.
 */
function formTargetsOf(client: Client | undefined): string[] {
  const schemes = (client?.redirectUris ?? []).map((uri) => /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0]);
  return ['https:', 'http:', ...schemes.filter((scheme) => scheme !== undefined)];
}
