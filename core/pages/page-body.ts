import type { Html } from './html.js';

/** The variable part of a page. All members except `content` are text. */
export interface PageBody {
  /** The document's title. */
  readonly title: string;
  readonly heading: string;
  /** Logo of the application, above the heading. */
  readonly logo?: string | undefined;
  /** Below the heading. */
  readonly subtitle?: string | undefined;
  /** True if the page itself shows the frame's message. */
  readonly showsMessage?: boolean;
  readonly content: Html;
  /**
   * Only for sites with several pages: the navigation, the user's name with the sign-out button, and the path of the
   * stylesheet.
   */
  readonly site?: { readonly navigation: Html; readonly person: Html; readonly stylesheet: string };
}
