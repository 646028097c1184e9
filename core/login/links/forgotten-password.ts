import type { Message } from '@keyhost/spi';
import type { LinkMails } from '../../action-tokens/link-mails.js';
import { callerOf, type Endpoint, type Exchange } from '../../http/exchange.js';
import { parseForm, readForm } from '../../http/form.js';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import { answerAuthorizationError } from '../../oidc/authorization/authorization-endpoint.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { localeOf } from '../../pages/page-frame.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import type { Users } from '../../users/users.js';
import { type HostAuthenticationSession, nameOfAuthentication } from '../authentication-sessions.js';
import { emitOfLogin } from '../emit-of-login.js';
import { leaveFlow } from '../flows/brokered-logins.js';
import { isProven } from '../flows/flow-state.js';
import { isCurrent, type LoginActionParts, loginActionEndpoint, showExpired } from '../login-actions.js';
import type { LoginPages } from '../login-pages.js';
import { linkRequest } from './browser-link-logins.js';
import { RESET_CREDENTIALS_MAIL } from './reset-credentials.js';

export interface ForgottenPasswordParts extends LoginActionParts {
  readonly users: Users;
  readonly mails: LinkMails;
  readonly sessions: SessionFactory;
  readonly loginPages: LoginPages;
  readonly background: { run(work: () => Promise<void>): void };
}

const STAGE = 'reset-credentials';
const TOO_LONG = 255;

/**
 * `…/login-actions/reset-credentials`: who has forgotten their password names themselves and is mailed a link. The answer
 * is the same for everybody, and is not kept waiting by what is looked up and sent.
 */
export function forgottenPasswordEndpoint(parts: ForgottenPasswordParts): Endpoint {
  const ofLogin = loginActionEndpoint<ForgottenPasswordParts>(parts, STAGE, withinLogin, ['GET', 'POST']);
  const { GET: within = () => {}, POST } = ofLogin.methods;
  const begin = (exchange: Exchange) =>
    parseForm(exchange.ctx.querystring).given('tab_id') ? within(exchange) : outsideOfLogins(parts, exchange);
  return { ...ofLogin, methods: { GET: begin, ...(POST && { POST }) } };
}

async function withinLogin(
  parts: ForgottenPasswordParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  query: ReturnType<typeof parseForm>,
): Promise<void> {
  requireAllowed(exchange, client);
  if (exchange.ctx.method !== 'POST') {
    const isFirst = authentication.at === 'authenticate' && !isProven(authentication);
    if (!isFirst && authentication.at !== STAGE) return showExpired(parts, exchange, authentication, client);
    if (isFirst) forgetUser(authentication);
    return ask(parts, exchange, authentication, client, undefined);
  }
  if (authentication.at !== STAGE || !isCurrent(authentication, query))
    return showExpired(parts, exchange, authentication, client);
  const form = await readForm(exchange.ctx.req);
  const back = form.given('cancel-aia');
  const username = (form.get('username') ?? '').trim();
  if (!back && (username === '' || username.length > TOO_LONG)) {
    return ask(parts, exchange, authentication, client, { key: 'missingUsernameMessage' });
  }
  if (!back) {
    const locale = localeOf(exchange, authentication.request.uiLocales);
    // The request's own lease on the providers ends with its answer.
    const { providers } = callerOf(exchange);
    providers.lease();
    const mailed = () => mailLink(parts, exchange, authentication, client, { username, locale });
    parts.background.run(() => mailed().finally(() => providers.release()));
  }
  if (authentication.request.linkOnly === true) {
    const message = { severity: 'success', key: 'emailSentMessage' } as const;
    const title = { key: 'emailForgotTitle' };
    return parts.pages.show(exchange, 200, { page: 'info', title }, { client, message });
  }
  authentication.at = 'authenticate';
  delete authentication.waitsFor;
  if (!back) authentication.notice = { severity: 'success', key: 'emailSentMessage' };
  await parts.login.proceed(exchange, authentication, client);
}

/** A login that goes on afterwards asks from the beginning: whom it was about to be is not taken over. */
function forgetUser(authentication: HostAuthenticationSession): void {
  leaveFlow(authentication);
  delete authentication.userId;
}

/** From a link on some other page: the browser has no authentication session, and is not logged in afterwards. */
async function outsideOfLogins(parts: ForgottenPasswordParts, exchange: Exchange): Promise<void> {
  try {
    const clientId = parseForm(exchange.ctx.querystring).get('client_id') ?? 'account';
    const client = exchange.realm.clients.get(clientId);
    if (client === undefined) throw new PageRefusal('client_not_found', { key: 'clientNotFoundMessage' });
    if (!client.enabled) throw new PageRefusal('client_disabled', { key: 'clientDisabledMessage' });
    requireAllowed(exchange, client);
    await ask(
      parts,
      exchange,
      parts.authentications.create(exchange, linkRequest(exchange, client)),
      client,
      undefined,
    );
  } catch (error) {
    await answerAuthorizationError(parts, exchange, error);
  }
}

function requireAllowed({ realm }: Exchange, client: Client): void {
  if (realm.settings.resetPasswordAllowed) return;
  throw new PageRefusal('not_allowed', { key: 'resetCredentialNotAllowedMessage' }, { client });
}

async function ask(
  parts: ForgottenPasswordParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  error: Message | undefined,
): Promise<void> {
  const byEmail = exchange.realm.loginWithEmailAllowed;
  authentication.at = STAGE;
  authentication.waitsFor = STAGE;
  await parts.loginPages.show(exchange, authentication, client, {
    page: 'form',
    title: { key: 'emailForgotTitle' },
    text: { key: byEmail ? 'emailInstruction' : 'emailInstructionUsername' },
    fields: [
      {
        name: 'username',
        type: 'text',
        autocomplete: 'username',
        required: true,
        label: { key: byEmail ? 'usernameOrEmail' : 'username' },
        ...defined({ error }),
      },
    ],
    submit: { key: 'doSubmit' },
    ...(authentication.request.linkOnly === true ? {} : { cancel: { key: 'backToLogin' } }),
  });
}

async function mailLink(
  parts: ForgottenPasswordParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  { username, locale }: { username: string; locale: string },
): Promise<void> {
  const { realm } = exchange;
  const user = await parts.users.byLogin(realm, username);
  const refuse = (error: string) =>
    emitOfLogin(parts.events, exchange, authentication, 'RESET_PASSWORD', {
      error,
      userId: user?.id,
      details: { username },
    });
  if (user === undefined) return refuse('user_not_found');
  if (user.isServiceAccount) return refuse('invalid_user');
  if (!user.enabled) return refuse('user_disabled');
  if (!user.view.email) return refuse('invalid_email');
  const session = parts.sessions.create(realm, callerOf(exchange), 'keyhost');
  try {
    const { clientId } = client;
    await parts.mails.send(session, user, {
      kind: RESET_CREDENTIALS_MAIL,
      clientId,
      login: nameOfAuthentication(authentication, client),
      locale,
    });
  } finally {
    await session.close();
  }
}
