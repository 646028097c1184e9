import type { AccountPageIcon, Message } from '@keyhost/spi';
import { type Html, html } from '../pages/html.js';
import type { Texts } from '../pages/messages/texts.js';
import { safeLinkUrl } from '../pages/safe-link-url.js';

export interface NavigationItem {
  readonly path: string;
  /** The message key of the title. */
  readonly title: string;
  /** The title and icon, for a page of a plugin. */
  readonly ofPlugin?: { readonly title: Message; readonly icon: AccountPageIcon };
}

export function titleOf(texts: Texts, { title, ofPlugin }: Omit<NavigationItem, 'path'>): string {
  return ofPlugin === undefined ? texts.of(title) : texts.text(ofPlugin.title);
}

interface LinkedPage {
  readonly url: string;
  /** The message key of the title. */
  readonly title: string;
  readonly ofPlugin?: NavigationItem['ofPlugin'];
  readonly isCurrent: boolean;
}

/** Renders the links to the account's pages. On small screens they have icons with the text below. */
export function renderNavigation(pages: readonly LinkedPage[], texts: Texts): Html {
  const links = pages.map(
    ({ url, title, ofPlugin, isCurrent }) =>
      html`<li><a href="${safeLinkUrl(url)}"${isCurrent && html` aria-current="page"`}>${iconOf(ofPlugin?.icon ?? title)}<span>${titleOf(texts, { title, ofPlugin })}</span></a></li>`,
  );
  return html`<nav id="kc-account-nav" aria-label="${texts.of('accountNavigation')}"><ul>${links}</ul></nav>`;
}

function iconOf(name: string): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${ICONS[name]}</svg>`;
}

/** Icons by the message key of a page's title, and those that plugins may choose. */
const ICONS: Readonly<Record<string, Html>> = {
  personalInfo: html`<circle cx="10" cy="6.5" r="3.2"/><path d="M3.8 17c.5-3.6 2.9-5.4 6.2-5.4s5.7 1.8 6.2 5.4"/>`,
  signingIn: html`<circle cx="6.8" cy="13.2" r="3.5"/><path d="m9.3 10.7 7-7M13.4 6.6l2.6 2.6"/>`,
  deviceActivity: html`<rect x="2.5" y="3.5" width="15" height="10" rx="1.5"/><path d="M7 17h6M10 13.5v3.5"/>`,
  linkedAccounts: html`<path d="M8.5 11.5a3.2 3.2 0 0 0 4.5 0l2.8-2.8a3.2 3.2 0 0 0-4.5-4.5l-1 1M11.5 8.5a3.2 3.2 0 0 0-4.5 0l-2.8 2.8a3.2 3.2 0 0 0 4.5 4.5l1-1"/>`,
  bell: html`<path d="M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 15.5a1.5 1.5 0 0 0 3 0"/>`,
  card: html`<rect x="2.5" y="4.5" width="15" height="11" rx="1.5"/><path d="M2.5 8.5h15M5.5 12.5h4"/>`,
  key: html`<circle cx="6.8" cy="13.2" r="3.5"/><path d="m9.3 10.7 7-7M13.4 6.6l2.6 2.6"/>`,
  list: html`<path d="M7.5 5h9M7.5 10h9M7.5 15h9M3.6 5h.1M3.6 10h.1M3.6 15h.1"/>`,
  mail: html`<rect x="2.5" y="4.5" width="15" height="11" rx="1.5"/><path d="m3 5.5 7 5.5 7-5.5"/>`,
  shield: html`<path d="M10 2.5 16 5v4.5c0 4-2.5 6.7-6 8-3.5-1.3-6-4-6-8V5z"/>`,
  applications: html`<rect x="3" y="3" width="5.5" height="5.5" rx="1.2"/><rect x="11.5" y="3" width="5.5" height="5.5" rx="1.2"/><rect x="3" y="11.5" width="5.5" height="5.5" rx="1.2"/><rect x="11.5" y="11.5" width="5.5" height="5.5" rx="1.2"/>`,
};
