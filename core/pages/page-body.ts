import type { Html } from './html.js';

/** The part of a page that differs from page to page. All but `content` is text. */
export interface PageBody {
  /** The document's title. */
  readonly title: string;
  readonly heading: string;
  /** Above the heading: the application's logo. */
  readonly logo?: string | undefined;
  /** Below the heading. */
  readonly subtitle?: string | undefined;
  /** Where the page itself shows the frame's message. */
  readonly showsMessage?: boolean;
  readonly content: Html;
  /** Of a page that is more than one step: links to the others, who uses them, and the stylesheet that places them. */
  readonly site?: { readonly navigation: Html; readonly person: Html; readonly stylesheet: string };
}
