import type { Message, Page, PageFrame, ThemeProvider } from '@keyhost/spi';
import type { Context } from 'koa';
import { callerOf, type Exchange } from '../http/exchange.js';
import { defined } from '../model/defined.js';
import { messageOf } from '../model/thrown.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { contentSecurityPolicy, type PageSources } from './content-security-policy.js';
import { renderDocument } from './document.js';
import { escapeCss } from './html.js';
import { Texts, type TextTable } from './messages/texts.js';
import { TEXTS_FOR_PROGRAMS } from './messages/texts-for-programs.js';
import type { PageBody } from './page-body.js';
import { pageBodyOf } from './page-body-of.js';
import { createFrame, realmTexts } from './page-frame.js';
import type { PageContent, PageOptions, PageWriter } from './page-writer.js';
import { STYLESHEET_PATH, scriptPath } from './resources/login-resources.js';
import { themeOf } from './theme-of-realm.js';

/** A document to send, and the contents of its style elements. */
interface RenderedPage {
  readonly document: string;
  readonly styles: readonly string[];
  /** True if it runs the page's script. Never true for a theme's document: `'self'` would allow plugins' files too. */
  readonly scripts: boolean;
  /** Paths of the only files that the page may load. */
  readonly exactPaths?: PageSources['exactFiles'];
}

/** The theme's additions to the built-in pages. */
interface ThemeAdditions {
  readonly css?: string | undefined;
  readonly texts?: TextTable | undefined;
}

const TRANSIT_PAGES: ReadonlySet<Page['page']> = new Set(['form-post', 'frontchannel-logout']);

/** The frame of pages outside of realms. */
const NO_REALM: PageFrame = { realm: { name: '', displayName: 'Keyhost' }, locale: 'en', languages: [] };

/** Pages that show the application's logo. */
const LOGO_PAGES: ReadonlySet<Page['page']> = new Set(['login', 'consent']);

/** Shows pages to browsers, rendered by the realm's theme or else by the built-in pages. */
export class Pages implements PageWriter {
  readonly #parts: { sessions: SessionFactory; baseUrl: () => string; production: boolean };
  readonly #english = new Texts('en');

  /**
   * @param parts.baseUrl the host's public URL
   * @param parts.production true: pages only have https URLs of applications, and do not show the applications' errors
   */
  constructor(parts: { sessions: SessionFactory; baseUrl: () => string; production: boolean }) {
    this.#parts = parts;
  }

  /** Answers the request with a page of its realm. Sets status, body and all headers. */
  async show(exchange: Exchange, status: number, content: PageContent, extra: PageOptions = {}): Promise<void> {
    const { ctx, realm } = exchange;
    const frame = createFrame(exchange, extra, this.#parts.production);
    // Pages that continue automatically cannot be requested again.
    const languages = TRANSIT_PAGES.has(content.page) ? [] : frame.languages;
    const resources = extra.resources && mapFiles(extra.resources, (path) => `${this.#basePath}${path}`);
    const page = { ...frame, ...defined({ resources }), languages, ...content } as Page;
    const session = extra.session ?? this.#parts.sessions.create(realm, callerOf(exchange), 'keyhost');
    try {
      const rendered = await this.#render(exchange, page, session);
      writePage(ctx, status, page, rendered, {
        ...pageSources(page, extra.formTargets),
        exactFiles: this.#exactFileUrls(exchange, rendered.exactPaths),
      });
    } finally {
      if (extra.session === undefined) await session.close();
    }
  }

  /**
   * Answers the request with a built-in body that themes cannot replace, in the styles and texts of the realm's
   * `accountTheme` or else `loginTheme`.
   */
  async showBody(
    exchange: Exchange,
    status: number,
    createBody: (texts: Texts, frame: PageFrame) => PageBody,
    extra: PageOptions & { readonly session: HostSession },
  ): Promise<void> {
    const { ctx, realm } = exchange;
    const { session } = extra;
    const frame = createFrame(exchange, extra, this.#parts.production);
    let additions: ThemeAdditions = {};
    try {
      const theme = themeOf(realm, session, 'accountTheme') ?? themeOf(realm, session, 'loginTheme');
      if (theme !== undefined) additions = await loadAdditions(session, theme, frame.locale);
    } catch (error) {
      logFailedTheme(session, error, 'account', 'account');
    }
    const texts = new Texts(frame.locale, [realmTexts(realm, frame.locale), additions.texts]);
    const rendered = this.#toRenderedPage(frame, createBody(texts, frame), texts, additions.css, undefined);
    writePage(ctx, status, frame, rendered, {
      images: [],
      forms: extra.formTargets ?? [],
      frames: [],
      sendsRequests: false,
    });
  }

  /** Answers a request outside of realms. */
  showWithoutRealm(ctx: Context, status: number, content: PageContent, message: PageFrame['message']): void {
    const page = { ...NO_REALM, ...defined({ message }), ...content } as Page;
    writePage(ctx, status, page, this.#renderBuiltIn(page, this.#english), pageSources(page));
  }

  /** Answers a request outside of realms with a built-in body, in English. */
  showBodyWithoutRealm(ctx: Context, status: number, body: PageBody): void {
    const rendered = this.#toRenderedPage(NO_REALM, body, this.#english, undefined, undefined);
    writePage(ctx, status, NO_REALM, rendered, { images: [], forms: [], frames: [], sendsRequests: false });
  }

  /**
   * Returns the URLs of the only files that a page may load, at the host's public URL and at the host of the request.
   * CSP cannot express some hosts, such as IPv6 addresses. If it can express neither host, all files of the host are
   * allowed.
   */
  #exactFileUrls({ ctx, secure }: Exchange, paths: PageSources['exactFiles']): PageSources['exactFiles'] {
    if (paths === undefined) return undefined;
    const hosts = [new URL(this.#parts.baseUrl()).origin, `${secure ? 'https' : 'http'}://${ctx.host}`];
    const origins = [...new Set(hosts)].filter((origin) => /^https?:\/\/[a-z0-9.-]+(:\d+)?$/i.test(origin));
    if (origins.length === 0) return undefined;
    return mapFiles(paths, (path) => origins.map((origin) => `${origin}${path}`).join(' '));
  }

  get #basePath(): string {
    return new URL(this.#parts.baseUrl()).pathname.replace(/\/$/, '');
  }

  english(message: Message): string {
    return TEXTS_FOR_PROGRAMS.text(message);
  }

  async #render(exchange: Exchange, page: Page, session: HostSession): Promise<RenderedPage> {
    const { realm } = exchange;
    let additions: ThemeAdditions = {};
    try {
      const theme = themeOf(realm, session, 'loginTheme');
      const document = await withThemeTimeLimit(session, theme?.render?.(structuredClone(page)));
      if (typeof document === 'string') return { document, styles: findStyles(document), scripts: false };
      if (theme !== undefined) additions = await loadAdditions(session, theme, page.locale);
    } catch (error) {
      logFailedTheme(session, error, 'login', page.page);
    }
    return this.#renderBuiltIn(
      page,
      new Texts(page.locale, [realmTexts(realm, page.locale), additions.texts]),
      additions.css,
    );
  }

  #renderBuiltIn(page: Page, texts: Texts, css?: string): RenderedPage {
    return this.#toRenderedPage(
      page,
      pageBodyOf(page, texts, !this.#parts.production),
      texts,
      css,
      scriptPath(page.page),
    );
  }

  #toRenderedPage(
    frame: PageFrame,
    body: PageBody,
    texts: Texts,
    css: string | undefined,
    script: string | undefined,
  ): RenderedPage {
    const base = this.#basePath;
    const { resources } = frame;
    const styles = css === undefined ? [] : [escapeCss(css)];
    const sheets = [STYLESHEET_PATH, ...(body.site === undefined ? [] : [body.site.stylesheet])];
    const stylesheets = [...sheets.map((path) => `${base}${path}`), ...(resources?.styles ?? [])];
    const scripts = [...(script === undefined ? [] : [`${base}${script}`]), ...(resources?.scripts ?? [])];
    const document = renderDocument(frame, body, texts, {
      stylesheets,
      scripts,
      styles,
    });
    const exactPaths = resources && {
      scripts: [...scripts, ...resources.workers],
      styles: stylesheets,
      workers: resources.workers,
    };
    return { document: document.toString(), styles, scripts: scripts.length > 0, exactPaths };
  }
}

function mapFiles(
  files: NonNullable<PageSources['exactFiles']>,
  change: (path: string) => string,
): NonNullable<PageSources['exactFiles']> {
  const { scripts, styles, workers } = files;
  return { scripts: scripts.map(change), styles: styles.map(change), workers: workers.map(change) };
}

function withThemeTimeLimit<T>(session: HostSession, answer: Promise<T> | undefined): Promise<T> | undefined {
  return answer === undefined ? undefined : session.withTimeLimit(answer);
}

async function loadAdditions(session: HostSession, theme: ThemeProvider, locale: string): Promise<ThemeAdditions> {
  const css = await withThemeTimeLimit(session, theme.styles?.());
  const texts = await withThemeTimeLimit(session, theme.messages?.(locale));
  return {
    css: typeof css === 'string' ? css : undefined,
    texts: typeof texts === 'object' ? (texts ?? undefined) : undefined,
  };
}

/** Returns the contents of the style elements in a theme's document. The policy allows them by hash. */
function findStyles(document: string): string[] {
  return [...document.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style/gi)].map(([, text = '']) => text);
}

function logFailedTheme({ logger, compiledRealm }: HostSession, error: unknown, kind: string, page: string): void {
  const reason = messageOf(error);
  logger.error(`the ${kind} theme failed`, { realm: compiledRealm.name, page, reason });
}

function pageSources(page: Page, formTargets: readonly string[] = []): Omit<PageSources, 'styles' | 'scripts'> {
  const action = 'action' in page ? [page.action] : [];
  return {
    images: LOGO_PAGES.has(page.page) && page.client?.logoUri !== undefined ? [page.client.logoUri] : [],
    forms: [...action, ...formTargets],
    frames: page.page === 'frontchannel-logout' ? page.logouts.map(({ url }) => url) : [],
    sendsRequests: page.page === 'form' && page.poll !== undefined,
  };
}

function writePage(
  ctx: Context,
  status: number,
  { locale }: PageFrame,
  { document, styles, scripts }: RenderedPage,
  sources: Omit<PageSources, 'styles' | 'scripts'>,
): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', contentSecurityPolicy({ ...sources, styles, scripts }));
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.set('Content-Language', locale);
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = document;
}
