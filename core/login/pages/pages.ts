import type { Message, Page, PageFrame, ThemeProvider } from '@keyhost/spi';
import type { Context } from 'koa';
import { callerOf, type Exchange } from '../../http/exchange.js';
import type { PageContent, PageExtra, PageWriter } from '../../http/page-writer.js';
import type { HostSession, SessionFactory } from '../../registry/session.js';
import { Texts, type TextTable } from '../messages/texts.js';
import { frameOf, realmTexts } from '../page-frame.js';
import { STYLESHEET_PATH, scriptPath } from '../resources/login-resources.js';
import { themeOf } from '../theme-of-realm.js';
import { contentSecurityPolicy } from './content-security-policy.js';
import { documentOf } from './document.js';
import { inertCss } from './html.js';
import { pageBodyOf } from './page-body-of.js';

/** A document to send, and the text of the style elements in it. */
interface Rendered {
  readonly document: string;
  readonly styles: readonly string[];
}

/** What the theme adds to the host's own pages. */
interface Additions {
  readonly css?: string | undefined;
  readonly texts?: TextTable | undefined;
}

const PASSING: ReadonlySet<Page['page']> = new Set(['form-post', 'frontchannel-logout']);

/** Shows the pages of the browser login: the realm's theme first, else the host's own. */
export class Pages implements PageWriter {
  readonly #sessions: SessionFactory;
  readonly #baseUrl: () => string;
  readonly #english = new Texts('en');

  /** @param parts.baseUrl the host's public address */
  constructor(parts: { sessions: SessionFactory; baseUrl: () => string }) {
    this.#sessions = parts.sessions;
    this.#baseUrl = parts.baseUrl;
  }

  /** Answers the request with a page of its realm. Sets the status, the body and every header of a page. */
  async show(exchange: Exchange, status: number, content: PageContent, extra: PageExtra = {}): Promise<void> {
    const { ctx, realm } = exchange;
    const frame = frameOf(exchange, extra);
    // Pages that go on by themselves cannot be asked for again.
    const languages = PASSING.has(content.page) ? [] : frame.languages;
    const page = { ...frame, languages, ...content } as Page;
    const session = extra.session ?? this.#sessions.create(realm, callerOf(exchange), 'keyhost');
    try {
      const rendered = await this.#render(exchange, page, session);
      write(ctx, status, page, rendered, extra.formTargets ?? []);
    } finally {
      if (extra.session === undefined) await session.close();
    }
  }

  /** Answers a request that belongs to no realm. */
  showWithoutRealm(ctx: Context, status: number, content: PageContent, message: PageFrame['message']): void {
    const frame = { realm: { name: '', displayName: 'Keyhost' }, locale: 'en', languages: [] };
    const page = { ...frame, ...(message === undefined ? {} : { message }), ...content } as Page;
    write(ctx, status, page, this.#own(page, this.#english), []);
  }

  english(message: Message): string {
    return this.#english.text(message);
  }

  async #render(exchange: Exchange, page: Page, session: HostSession): Promise<Rendered> {
    const { realm } = exchange;
    let additions: Additions = {};
    try {
      const theme = themeOf(realm, session, 'loginTheme');
      const document = await ofTheme(session, theme?.render?.(structuredClone(page)));
      if (typeof document === 'string') return { document, styles: stylesIn(document) };
      if (theme !== undefined) additions = await additionsOf(session, theme, page.locale);
    } catch (error) {
      const reason = String((error as Error | undefined)?.message ?? error);
      session.logger.error('the login theme failed', { realm: realm.name, page: page.page, reason });
    }
    return this.#own(page, new Texts(page.locale, [realmTexts(realm, page.locale), additions.texts]), additions.css);
  }

  #own(page: Page, texts: Texts, css?: string): Rendered {
    const base = new URL(this.#baseUrl()).pathname.replace(/\/$/, '');
    const script = scriptPath(page.page);
    const styles = css === undefined ? [] : [inertCss(css)];
    const document = documentOf(page, pageBodyOf(page, texts), texts, {
      stylesheet: `${base}${STYLESHEET_PATH}`,
      script: script && `${base}${script}`,
      styles,
    });
    return { document: document.toString(), styles };
  }
}

function ofTheme<T>(session: HostSession, answer: Promise<T> | undefined): Promise<T> | undefined {
  return answer === undefined ? undefined : session.limited(answer);
}

async function additionsOf(session: HostSession, theme: ThemeProvider, locale: string): Promise<Additions> {
  const css = await ofTheme(session, theme.styles?.());
  const texts = await ofTheme(session, theme.messages?.(locale));
  return {
    css: typeof css === 'string' ? css : undefined,
    texts: typeof texts === 'object' ? (texts ?? undefined) : undefined,
  };
}

/** The texts of the style elements in a theme's document: they alone are let through. */
function stylesIn(document: string): string[] {
  return [...document.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style/gi)].map(([, text = '']) => text);
}

function write(ctx: Context, status: number, page: Page, rendered: Rendered, formTargets: readonly string[]): void {
  const action = 'action' in page ? [page.action] : [];
  ctx.status = status;
  ctx.set(
    'Content-Security-Policy',
    contentSecurityPolicy({
      scripts: scriptPath(page.page) !== undefined,
      styles: rendered.styles,
      forms: [...action, ...formTargets],
      frames: page.page === 'frontchannel-logout' ? page.logouts.map(({ url }) => url) : [],
    }),
  );
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.set('Content-Language', page.locale);
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = rendered.document;
}
