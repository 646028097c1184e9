import {
  type AccountPageCall,
  type AccountPageContent,
  type AccountPageDeclaration,
  AccountPage as AccountPageKind,
  type AccountPageProvider,
  type AccountPageResult,
  type Message,
  type Notice,
} from '@keyhost/spi';
import type { Exchange } from '../../http/exchange.js';
import type { Form } from '../../http/form.js';
import { formValues } from '../../login/login-actions.js';
import { defined } from '../../model/defined.js';
import { languagesOf } from '../../model/languages-of.js';
import { messageOf } from '../../model/thrown.js';
import { html } from '../../pages/html.js';
import { localeOf } from '../../pages/page-frame.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import { declaredMessage } from '../../registry/loading/plugin-messages.js';
import { hasAnyRole, isRecentLogin } from '../account.js';
import {
  type AccountPage,
  type AccountRequest,
  askToSignInAgain,
  FORM_TOKEN,
  redirectWithNotice,
  showPage,
} from '../account-request.js';
import { ACTION, BLOCK, drawBlocks, type FormState, ROW } from './draw-blocks.js';
import { type Offer, offerOf, requireOwnNames } from './offers.js';

type Enabled = EnabledProvider<AccountPageDeclaration, AccountPageProvider>;

/** Query parameter: the user must sign in again before the page is shown. */
const FRESH = 'fresh';
/** Maximum size of the next page's notice as JSON, in bytes, because it is stored in a cookie. */
const LONGEST_NOTICE = 1500;

/** The plugin pages that the realm has enabled, in the order of registration. */
export function pluginPages(exchange: Exchange): readonly AccountPage[] {
  const { providers } = exchange.ctx;
  return providers.all(AccountPageKind).flatMap(({ id }) => {
    const enabled = enabledHere(exchange, id);
    return enabled === undefined ? [] : [new PluginPage(enabled)];
  });
}

/** A page with an invalid configuration in the realm is hidden; the check of the realm reports it. */
function enabledHere({ ctx, realm }: Exchange, id: string): Enabled | undefined {
  try {
    return enabledProvider(ctx.providers, realm, AccountPageKind, id);
  } catch {
    return undefined;
  }
}

/** The state of the page in addition to the plugin's present content. */
interface Shown extends Partial<FormState> {
  readonly status?: number;
  readonly message?: Notice;
}

class PluginPage implements AccountPage {
  readonly path: string;
  readonly title: string;
  readonly ofPlugin: NonNullable<AccountPage['ofPlugin']>;
  readonly #enabled: Enabled;

  constructor(enabled: Enabled) {
    const { id, declaration } = enabled.registered;
    this.#enabled = enabled;
    this.path = `/pages/${encodeURIComponent(id)}`;
    this.title = declaration.title;
    this.ofPlugin = { title: this.#said(declaration.title), icon: declaration.icon ?? 'list' };
  }

  isOffered(visit: Omit<AccountRequest, 'navigation'>): boolean {
    return hasAnyRole(visit, 'view-profile', 'manage-account');
  }

  async get(visit: AccountRequest, query: Form): Promise<void> {
    if (query.given(FRESH) && !isRecentLogin(visit.parts, visit)) return visit.signInAgain(this.#freshPath);
    await this.#show(visit, await this.#content(visit));
  }

  async post(visit: AccountRequest, form: Form): Promise<void> {
    if (!hasAnyRole(visit, 'manage-account'))
      return redirectWithNotice(visit, this.path, { key: 'accountForbidden', severity: 'error' });
    const content = await this.#content(visit);
    if (content === undefined) return this.#show(visit, undefined);
    const name = form.get(ACTION) ?? '';
    const offer = offerOf(content, { action: name, block: form.get(BLOCK), row: form.get(ROW) });
    const action = this.#action(name);
    // Users can only trigger actions that the page offers them now.
    if (offer === undefined || action === undefined) {
      return redirectWithNotice(visit, this.path, { key: 'accountPageChanged', severity: 'info' });
    }
    if (action.recent && !isRecentLogin(visit.parts, visit)) {
      return askToSignInAgain(visit, this.#freshPath, 'signInAgainText');
    }
    await this.#act(visit, content, offer, formValues(form));
  }

  async #act(visit: AccountRequest, content: AccountPageContent, offer: Offer, answers: AccountPageCall['form']) {
    const { action, block, row, fields } = offer;
    const form = Object.fromEntries(
      fields.map(({ name }) => [name, Object.hasOwn(answers, name) ? answers[name] : '']),
    );
    const call = { ...this.#request(visit), action, ...defined({ block, row }), form: form as AccountPageCall['form'] };
    const result = await this.#ask(visit, (provider): Promise<AccountPageResult> => {
      if (provider.act === undefined) throw new Error('the page has actions, and no method act');
      return provider.act(call);
    });
    if (result === undefined) {
      const message = { key: 'accountPageUnavailable', severity: 'error' } as const;
      return this.#show(visit, content, { status: 503, typed: { offer, form }, message });
    }
    if (result.outcome === 'done') return this.#tell(visit, result.message);
    const errors = Object.fromEntries((result.errors ?? []).map(({ field, message }) => [field, message]));
    const message = result.message && { ...this.#words(result.message), severity: 'error' as const };
    await this.#show(visit, content, { status: 400, typed: { offer, form, errors }, ...defined({ message }) });
  }

  /** Redirects to the page with a notice. A notice too long for the cookie is shown at once. */
  async #tell(visit: AccountRequest, message: Notice | undefined): Promise<void> {
    if (message === undefined) return redirectWithNotice(visit, this.path);
    const severity = message.severity === 'warning' ? 'info' : message.severity;
    const notice = { ...inLanguage(this.#words(message), localeOf(visit.exchange, undefined)), severity };
    if (Buffer.byteLength(JSON.stringify(notice)) <= LONGEST_NOTICE)
      return redirectWithNotice(visit, this.path, notice);
    await this.#show(visit, await this.#content(visit), { message: notice });
  }

  /** @param content undefined: the plugin returned none */
  async #show(visit: AccountRequest, content: AccountPageContent | undefined, shown: Shown = {}): Promise<void> {
    const { description } = this.#enabled.registered.declaration;
    const { typed, ...options } = shown;
    const unavailable = {
      status: 503,
      message: { key: 'accountPageUnavailable', severity: 'error' } as const,
    };
    await showPage(
      visit,
      this,
      (texts, frame) =>
        content === undefined
          ? html``
          : drawBlocks(content, {
              visit,
              texts,
              frame,
              path: this.path,
              typed,
              mayAct: hasAnyRole(visit, 'manage-account'),
              words: (message) => this.#words(message),
              action: (name) => this.#action(name),
              label: (text) => texts.text(this.#said(text)),
            }),
      {
        ...(content === undefined ? unavailable : options),
        ...defined({ description: description && this.#said(description) }),
      },
    );
  }

  #content(visit: AccountRequest): Promise<AccountPageContent | undefined> {
    return this.#ask(visit, async (provider) => {
      const content = await provider.show(this.#request(visit));
      requireOwnNames(content, [FORM_TOKEN, ACTION, BLOCK, ROW]);
      return content;
    });
  }

  #request({ exchange, user }: AccountRequest) {
    return { user: user.view, locale: localeOf(exchange, undefined) };
  }

  /** @returns undefined if the plugin fails, which is logged */
  async #ask<T>(
    { hostSession, exchange }: AccountRequest,
    ask: (provider: AccountPageProvider) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await hostSession.withTimeLimit(ask(createProvider(this.#enabled, hostSession)));
    } catch (error) {
      const { id, plugin } = this.#enabled.registered;
      const fields = { plugin: plugin.name, provider: `account-page/${id}`, realm: exchange.realm.name };
      hostSession.logger.error('a page of the account failed', { ...fields, reason: messageOf(error) });
      return undefined;
    }
  }

  #action(name: string) {
    const { actions = {} } = this.#enabled.registered.declaration;
    return Object.hasOwn(actions, name) ? actions[name] : undefined;
  }

  get #freshPath(): string {
    return `${this.path}?${FRESH}=1`;
  }

  /** A text of the declaration. */
  #said(text: string): Message {
    return declaredMessage(this.#enabled.registered.plugin, text);
  }

  /** A message of an answer, whose key may be one of the plugin's. */
  #words(message: Message): Message {
    return message.texts === undefined ? { ...message, ...defined({ texts: this.#said(message.key).texts }) } : message;
  }
}

/** Removes the texts in languages other than the page's. */
function inLanguage({ texts, ...message }: Message, locale: string): Message {
  const spoken = languagesOf(locale);
  const kept = Object.entries(texts ?? {}).filter(([language]) => spoken.includes(language));
  return kept.length === 0 ? message : { ...message, texts: Object.fromEntries(kept) };
}
