import { type Html, html } from '../../pages/html.js';
import type { PageBody } from '../../pages/page-body.js';
import { ACCOUNT_STYLESHEET_PATH } from '../../pages/resources/login-resources.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
import type { WelcomeData, WelcomeRealm } from './welcome.js';

const DOCUMENTATION = 'https://github.com/keyhost/keyhost/blob/main/core/docs/README.md';

/** The only text of the start page in production. */
export const PRODUCTION_TEXT = 'This is an identity server. Applications send you here to sign in.';

/** Renders the start page. It is for operators and developers, so its language is English, like that of the log. */
export function welcomePage(welcome: WelcomeData | undefined): PageBody {
  if (welcome === undefined) {
    return { title: 'Identity server', heading: 'Identity server', content: html`<p>${PRODUCTION_TEXT}</p>` };
  }
  const { version, realms, moreRealms, adminConsole, hasConsole, admin, openapi, health } = welcome;
  return {
    title: 'Keyhost',
    heading: 'Keyhost is running',
    subtitle: `Version ${version} in development mode.`,
    site: { navigation: html``, person: html``, stylesheet: ACCOUNT_STYLESHEET_PATH },
    content: html`<section id="realms"><h2>Realms</h2>
${realms.length === 0 && html`<p>No realms yet besides master. Add a realm file to the realms folder. Keyhost applies it at once.</p>`}
${realms.some(({ applications }) => applications.length > 0) && html`<p>In a clone of the repository, <code>npm run apps</code> starts the applications of the demo realm.</p>`}
<ul class="items">${realms.map(realmItem)}</ul>
${moreRealms > 0 && html`<p>… and ${moreRealms} more.</p>`}
</section>
<section id="administration"><h2>Administration</h2>
<p>The first start prints the password of the admin of the realm master.${hasConsole && html` Without it, run <code>npx keyhost console</code>, which opens the admin console signed in.`} Use the admin console, Keycloak's tools with the Admin REST API, or the commands that <code>keyhost --help</code> lists.</p>
<ul class="items">
${item('Admin console', html`<a href="${safeLinkUrl(adminConsole)}">Sign in to the admin console</a>`, adminConsole)}
${item('Admin REST API', html`<a href="${safeLinkUrl(openapi)}">OpenAPI document</a>`, admin)}
${item('Health', html`<a href="${safeLinkUrl(health)}">${health}</a>`)}
</ul></section>
<section id="documentation"><h2>Documentation</h2>
<ul class="items">
${item('Tutorials, how-to guides and reference', html`<a href="${DOCUMENTATION}">Documentation of Keyhost</a>`)}
</ul></section>`,
  };
}

function realmItem({ name, displayName, account, discovery, applications, users }: WelcomeRealm): Html {
  const links = applications.map(
    ({ name, url }, index) => html`${index > 0 && ', '}<a href="${safeLinkUrl(url)}">${name}</a>`,
  );
  const userItems = users.map(
    ({ username, password }, index) => html`${index > 0 && ', '}<code>${username}</code> / <code>${password}</code>`,
  );
  return html`<li><div class="item"><div class="item-title">${displayName}${displayName !== name && ` (${name})`}</div>
<dl class="facts">
<dt>Account</dt><dd><a href="${safeLinkUrl(account)}">Sign in to the account page</a></dd>
${users.length > 0 && html`<dt>Users</dt><dd>${userItems}, from the realm file</dd>`}
${links.length > 0 && html`<dt>Applications</dt><dd>${links}</dd>`}
<dt>Endpoints</dt><dd><a href="${safeLinkUrl(discovery)}">OpenID Connect discovery</a></dd>
</dl></div></li>`;
}

function item(title: string, link: Html, text?: string): Html {
  return html`<li><div class="item"><div class="item-title">${title}</div><p>${link}</p>${text !== undefined && html`<p><code>${text}</code></p>`}</div></li>`;
}
