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
import { findPageAction, type PageAction, requireUniqueNames } from './page-actions.js';
import { ACTION_FIELD, BLOCK_FIELD, type FormState, ROW_FIELD, renderBlocks } from './render-blocks.js';

type Enabled = EnabledProvider<AccountPageDeclaration, AccountPageProvider>;

/** Query parameter: the user must sign in again before the page is shown. */
const FRESH_LOGIN_PARAMETER = 'fresh';
/** Maximum size of a notice as JSON, in bytes: it is stored in a cookie for the next page. */
const MAX_NOTICE_BYTES = 1500;

/** The plugin pages that the realm has enabled, in the order of registration. */
export function pluginPages(exchange: Exchange): readonly AccountPage[] {
  const { providers } = exchange.ctx;
  return providers.all(AccountPageKind).flatMap(({ id }) => {
    const provider = findEnabledProvider(exchange, id);
    return provider === undefined ? [] : [new PluginPage(provider)];
  });
}

/**
 * The page's provider if the realm enables it. A page with an invalid configuration is hidden; the check of the realm
 * reports it.
 */
function findEnabledProvider({ ctx, realm }: Exchange, id: string): Enabled | undefined {
  try {
    return enabledProvider(ctx.providers, realm, AccountPageKind, id);
  } catch {
    return undefined;
  }
}

/** The state of the page in addition to the content that the plugin returns. */
interface PageState extends Partial<FormState> {
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
    this.ofPlugin = { title: this.#declaredText(declaration.title), icon: declaration.icon ?? 'list' };
  }

  isOffered(request: Omit<AccountRequest, 'navigation'>): boolean {
    return hasAnyRole(request, 'view-profile', 'manage-account');
  }

  async get(request: AccountRequest, query: Form): Promise<void> {
    if (query.isPresent(FRESH_LOGIN_PARAMETER) && !isRecentLogin(request.parts, request))
      return request.signInAgain(this.#freshPath);
    await this.#show(request, await this.#content(request));
  }

  async post(request: AccountRequest, form: Form): Promise<void> {
    if (!hasAnyRole(request, 'manage-account'))
      return redirectWithNotice(request, this.path, { key: 'accountForbidden', severity: 'error' });
    const content = await this.#content(request);
    if (content === undefined) return this.#show(request, undefined);
    const name = form.get(ACTION_FIELD) ?? '';
    const pageAction = findPageAction(content, {
      action: name,
      block: form.get(BLOCK_FIELD),
      row: form.get(ROW_FIELD),
    });
    const action = this.#action(name);
    // Users can only start actions that the page offers at this moment.
    if (pageAction === undefined || action === undefined) {
      return redirectWithNotice(request, this.path, { key: 'accountPageChanged', severity: 'info' });
    }
    if (action.recent && !isRecentLogin(request.parts, request)) {
      return askToSignInAgain(request, this.#freshPath, 'signInAgainText');
    }
    await this.#act(request, content, pageAction, formValues(form));
  }

  async #act(
    request: AccountRequest,
    content: AccountPageContent,
    pageAction: PageAction,
    submitted: AccountPageCall['form'],
  ) {
    const { action, block, row, fields } = pageAction;
    const form = Object.fromEntries(
      fields.map(({ name }) => [name, Object.hasOwn(submitted, name) ? submitted[name] : '']),
    );
    const call = {
      ...this.#request(request),
      action,
      ...defined({ block, row }),
      form: form as AccountPageCall['form'],
    };
    const result = await this.#callProvider(request, (provider): Promise<AccountPageResult> => {
      if (provider.act === undefined) throw new Error('the page has actions, and no method act');
      return provider.act(call);
    });
    if (result === undefined) {
      const message = { key: 'accountPageUnavailable', severity: 'error' } as const;
      return this.#show(request, content, { status: 503, rejectedInput: { pageAction, form }, message });
    }
    if (result.outcome === 'done') return this.#redirectWithMessage(request, result.message);
    const errors = Object.fromEntries((result.errors ?? []).map(({ field, message }) => [field, message]));
    const message = result.message && { ...this.#withPluginTexts(result.message), severity: 'error' as const };
    await this.#show(request, content, {
      status: 400,
      rejectedInput: { pageAction, form, errors },
      ...defined({ message }),
    });
  }

  /** Redirects to the page with a notice. A notice that is too long for the cookie is shown at once. */
  async #redirectWithMessage(request: AccountRequest, message: Notice | undefined): Promise<void> {
    if (message === undefined) return redirectWithNotice(request, this.path);
    const severity = message.severity === 'warning' ? 'info' : message.severity;
    const notice = { ...inLanguage(this.#withPluginTexts(message), localeOf(request.exchange, undefined)), severity };
    if (Buffer.byteLength(JSON.stringify(notice)) <= MAX_NOTICE_BYTES)
      return redirectWithNotice(request, this.path, notice);
    await this.#show(request, await this.#content(request), { message: notice });
  }

  /**
   * Shows the page.
   * @param content undefined if the plugin failed
   */
  async #show(request: AccountRequest, content: AccountPageContent | undefined, state: PageState = {}): Promise<void> {
    const { description } = this.#enabled.registered.declaration;
    const { rejectedInput, ...options } = state;
    const unavailable = {
      status: 503,
      message: { key: 'accountPageUnavailable', severity: 'error' } as const,
    };
    await showPage(
      request,
      this,
      (texts, frame) =>
        content === undefined
          ? html``
          : renderBlocks(content, {
              request,
              texts,
              frame,
              path: this.path,
              rejectedInput,
              mayAct: hasAnyRole(request, 'manage-account'),
              withTexts: (message) => this.#withPluginTexts(message),
              action: (name) => this.#action(name),
              label: (text) => texts.text(this.#declaredText(text)),
            }),
      {
        ...(content === undefined ? unavailable : options),
        ...defined({ description: description && this.#declaredText(description) }),
      },
    );
  }

  #content(request: AccountRequest): Promise<AccountPageContent | undefined> {
    return this.#callProvider(request, async (provider) => {
      const content = await provider.show(this.#request(request));
      requireUniqueNames(content, [FORM_TOKEN, ACTION_FIELD, BLOCK_FIELD, ROW_FIELD]);
      return content;
    });
  }

  #request({ exchange, user }: AccountRequest) {
    return { user: user.view, locale: localeOf(exchange, undefined) };
  }

  /**
   * Calls the plugin's provider.
   * @returns undefined if it fails, which is logged
   */
  async #callProvider<T>(
    { hostSession, exchange }: AccountRequest,
    call: (provider: AccountPageProvider) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await hostSession.withTimeLimit(call(createProvider(this.#enabled, hostSession)));
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
    return `${this.path}?${FRESH_LOGIN_PARAMETER}=1`;
  }

  /** The message for a text of the declaration. */
  #declaredText(text: string): Message {
    return declaredMessage(this.#enabled.registered.plugin, text);
  }

  /** Adds the plugin's texts to a message of its answer. */
  #withPluginTexts(message: Message): Message {
    return message.texts === undefined
      ? { ...message, ...defined({ texts: this.#declaredText(message.key).texts }) }
      : message;
  }
}

/** Removes the texts in languages that the page does not use. */
function inLanguage({ texts, ...message }: Message, locale: string): Message {
  const languages = languagesOf(locale);
  const remaining = Object.entries(texts ?? {}).filter(([language]) => languages.includes(language));
  return remaining.length === 0 ? message : { ...message, texts: Object.fromEntries(remaining) };
}
