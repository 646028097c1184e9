import type { Message, Page, PageFrame } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { HostSession } from '../registry/sessions/host-session.js';

type WithoutFrame<P> = P extends unknown ? Omit<P, keyof PageFrame> : never;

/** A page without realm, language and client, which are added when it is shown. */
export type PageContent = WithoutFrame<Page>;

export interface PageOptions {
  /** The application of the page. */
  readonly client?: Client | undefined;
  readonly message?: PageFrame['message'] | undefined;
  /** The request's session; default: a session is created for the page and closed. */
  readonly session?: HostSession | undefined;
  /**
   * Targets of redirects after the page's form, including further redirects: Chromium checks all of them against
   * `form-action`. A scheme such as `https:` means all of its URLs.
   */
  readonly formTargets?: readonly string[] | undefined;
  /** The `ui_locales` parameter of the authorization request. */
  readonly uiLocales?: string | undefined;
  /** Files of the page, as paths below the host's base path. */
  readonly resources?: PageFrame['resources'] | undefined;
  /** Path and query of the page for links to other languages, if not those of the request. */
  readonly address?: string | undefined;
}

/** Shows pages to browsers. Modules that `login` depends on use pages only through this interface. */
export interface PageWriter {
  show(exchange: Exchange, status: number, page: PageContent, extra?: PageOptions): Promise<void>;
  /** The English text of a message, for programs, events and logs. */
  english(message: Message): string;
}
