import type { Message, Page, PageFrame } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { HostSession } from '../registry/sessions/session.js';

type WithoutFrame<P> = P extends unknown ? Omit<P, keyof PageFrame> : never;

/** A page as an endpoint asks for it: realm, language and client are added by whoever shows it. */
export type PageContent = WithoutFrame<Page>;

export interface PageExtra {
  /** The application that the page is about. */
  readonly client?: Client | undefined;
  readonly message?: PageFrame['message'] | undefined;
  /** The request's session, when there is one; otherwise one is made for the page and closed again. */
  readonly session?: HostSession | undefined;
  /**
   * Addresses that the answer to the page's form may redirect to, and on to from there: Chromium holds every redirect
   * after a form against `form-action`. A scheme such as `https:` stands for all of its addresses.
   */
  readonly formTargets?: readonly string[] | undefined;
  /** The `ui_locales` parameter of the authorization request. */
  readonly uiLocales?: string | undefined;
  /** Files of the page, as paths below the host's base path. */
  readonly resources?: PageFrame['resources'] | undefined;
  /** The page's own address, path and query, where it is not the request's: what the languages link to. */
  readonly address?: string | undefined;
}

/** Shows pages to browsers. Rooms below `login` know it by this alone. */
export interface PageWriter {
  show(exchange: Exchange, status: number, page: PageContent, extra?: PageExtra): Promise<void>;
  /** The English text of a message, for programs, events and logs. */
  english(message: Message): string;
}
