import { type Html, html } from './html.js';

/**
 * Returns the icon of an identity provider's button, by the kind of service that its alias suggests. The icons are our
 * own drawings, without trademarks.
 */
export function providerIcon(alias: string): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true">${KNOWN_ICONS.find(({ aliasPattern: known }) => known.test(alias))?.drawing ?? ORGANISATION}</svg>`;
}

/** An office building, for unknown providers. */
const ORGANISATION = html`<path d="M4 17.2V4.2c0-.8.6-1.4 1.4-1.4h5.2c.8 0 1.4.6 1.4 1.4v13M12 8h2.6c.8 0 1.4.6 1.4 1.4v7.8M2.5 17.2h15M7 6.5h2M7 10h2M7 13.5h2"/>`;
const BRANCH = html`<circle cx="6" cy="4.5" r="1.8"/><circle cx="6" cy="15.5" r="1.8"/><circle cx="14" cy="6.5" r="1.8"/><path d="M6 6.3v7.4M14 8.3c0 3-4.2 2.6-7 4.6"/>`;
const PEOPLE = html`<circle cx="7.5" cy="6.8" r="2.8"/><path d="M2.3 16.2c.3-3 2.4-4.8 5.2-4.8s4.9 1.8 5.2 4.8M12.6 4.3a2.8 2.8 0 0 1 0 5M14.2 11.8c2 .6 3.3 2.2 3.5 4.4"/>`;
const ENVELOPE = html`<rect x="2.5" y="4.5" width="15" height="11" rx="1.6"/><path d="m3 5.8 7 5.2 7-5.2"/>`;

const KNOWN_ICONS: readonly { readonly aliasPattern: RegExp; readonly drawing: Html }[] = [
  { aliasPattern: /^(github|gitlab|bitbucket|gitea|forgejo)\b/i, drawing: BRANCH },
  { aliasPattern: /^(facebook|instagram|linkedin|twitter|x|mastodon|discord)\b/i, drawing: PEOPLE },
  { aliasPattern: /^(google|gmail|microsoft|outlook|yahoo|apple)\b/i, drawing: ENVELOPE },
];
