import type { Message, PageFrame } from '@keyhost/spi';
import type { Form } from '../http/form.js';
import type { LogoutConfirmations } from '../login/logout/logout-confirmation.js';
import { defined } from '../model/defined.js';
import { hiddenField } from '../pages/field.js';
import { type Html, html } from '../pages/html.js';
import type { Texts } from '../pages/messages/texts.js';
import { ACCOUNT_STYLESHEET_PATH } from '../pages/resources/login-resources.js';
import { safeLinkUrl } from '../pages/safe-link-url.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { AccountContext, AccountParts } from './account.js';
import { ACCOUNT, type AccountSession, type AccountSessions, type Notice } from './account-session.js';
import { type NavigationItem, renderNavigation, titleOf } from './navigation.js';
import { createSignOutCode, signOutTargets, userAndSignOutButton } from './sign-out.js';

/** A request of a signed-in browser to the account page. */
export interface AccountRequest extends AccountContext {
  readonly parts: AccountParts;
  readonly accounts: AccountSessions;
  readonly accountSession: AccountSession;
  readonly hostSession: HostSession;
  readonly confirmations: LogoutConfirmations;
  /** Redirects to the login, which returns to the page `to`. */
  readonly signInAgain: (to: string) => Promise<void>;
  /** Links to the pages that this user may view. */
  readonly navigation: readonly NavigationItem[];
}

/** One page of the account. */
export interface AccountPage extends NavigationItem {
  /** False if the page has nothing to show for this user or realm. */
  isOffered(request: Omit<AccountRequest, 'navigation'>): boolean;
  get(request: AccountRequest, query: Form): Promise<void>;
  /** Called after the form's token and origin were checked. */
  post?(request: AccountRequest, form: Form): Promise<void>;
}

/** The name of the field with the form's token. */
export const FORM_TOKEN = 'stateChecker';

/** The path and query of an account page as a link on the host, for a path below `/account`. */
export function addressOf({ exchange: { realm } }: Pick<AccountContext, 'exchange'>, path: string): string {
  return `${new URL(realm.issuer).pathname}${ACCOUNT}${path}`;
}

/** Shows a page of the account. */
export async function showPage(
  request: AccountRequest,
  page: NavigationItem,
  content: (texts: Texts, frame: PageFrame) => Html,
  options: {
    status?: number;
    message?: PageFrame['message'];
    title?: (texts: Texts) => string;
    description?: string | Message;
  } = {},
): Promise<void> {
  const { exchange, parts, hostSession } = request;
  const message = options.message ?? (await request.accounts.takeNotice(exchange));
  const signOutCode = await createSignOutCode(request);
  await parts.pages.showBody(
    exchange,
    options.status ?? 200,
    (texts, frame) => {
      const heading = options.title?.(texts) ?? titleOf(texts, page);
      return {
        title: texts.of('accountPageTitle', heading, frame.realm.displayName),
        heading,
        subtitle: subtitle(texts, options.description),
        site: {
          navigation: renderNavigation(linkedPages(request, page), texts),
          person: userAndSignOutButton(request, texts, signOutCode),
          stylesheet: ACCOUNT_STYLESHEET_PATH,
        },
        content: content(texts, frame),
      };
    },
    { session: hostSession, message, formTargets: signOutTargets(request) },
  );
}

function subtitle(texts: Texts, description: string | Message | undefined): string | undefined {
  return description && (typeof description === 'string' ? texts.of(description) : texts.text(description));
}

function linkedPages(request: AccountRequest, current: NavigationItem) {
  return request.navigation.map(({ path, title, ofPlugin }) => ({
    url: addressOf(request, path),
    title,
    ...defined({ ofPlugin }),
    isCurrent: path === current.path,
  }));
}

/** Answers a form by redirecting to a page that shows the result. */
export async function redirectWithNotice(
  request: Pick<AccountRequest, 'exchange' | 'accounts'>,
  path: string,
  notice?: Notice,
): Promise<void> {
  const { ctx } = request.exchange;
  if (notice !== undefined) await request.accounts.storeNotice(request.exchange, notice);
  ctx.status = 303;
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.set('Location', addressOf(request, path));
  ctx.body = '';
}

/**
 * Answers a form that requires a fresh login: shows a page with a link that starts it. A form's response may not
 * redirect to another host, such as an identity provider.
 */
export async function askToSignInAgain(request: AccountRequest, path: string, textKey: string): Promise<void> {
  const continueUrl = `${request.exchange.realm.issuer}${ACCOUNT}${path}`;
  const { exchange, parts, hostSession: session } = request;
  const message = { key: textKey, severity: 'info' as const };
  await parts.pages.show(
    exchange,
    403,
    { page: 'info', title: { key: 'signInAgainTitle' }, continueUrl },
    { session, message },
  );
}

/** A form with one button. */
export function buttonForm(
  request: AccountRequest,
  path: string,
  fields: Readonly<Record<string, string>>,
  button: { readonly label: string; readonly kind?: string; readonly name?: string },
): Html {
  return html`<form action="${safeLinkUrl(addressOf(request, path))}" method="post">${tokenField(request)}${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}
<div class="buttons"><button type="submit" class="button ${button.kind ?? 'secondary small'}"${button.name !== undefined && html` aria-label="${button.label}: ${button.name}"`}>${button.label}</button></div></form>`;
}

export function tokenField({ accountSession }: AccountRequest): Html {
  return hiddenField(FORM_TOKEN, accountSession.formToken);
}

/** Formats a date and time for users. It is in UTC, because their time zone is unknown. */
export function timeText(texts: Texts, { locale }: PageFrame, milliseconds: number): Html {
  const moment = new Date(milliseconds);
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
    moment,
  );
  return html`<time datetime="${moment.toISOString()}">${texts.of('timeInUtc', text)}</time>`;
}

/** A definition list of names and values; undefined and empty values are left out. */
export function definitionList(
  entries: readonly (readonly [name: string, value: Html | string | undefined])[],
): Html | undefined {
  const presentEntries = entries.filter(([, value]) => value !== undefined && value !== '');
  if (presentEntries.length === 0) return undefined;
  return html`<dl class="facts">${presentEntries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}
