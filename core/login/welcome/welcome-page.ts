import { type Html, html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { PageBody } from '../../pages/page-body.js';
import { ACCOUNT_STYLESHEET_PATH } from '../../pages/resources/login-resources.js';
import type { Welcome, WelcomeRealm } from './welcome.js';

/** All that a host in production says of itself. */
export const PLAIN_WORDS = 'This is an identity host. Applications send you here to sign in.';

/** For operators and developers, who read it in English as they read the log. */
export function welcomePage(welcome: Welcome | undefined): PageBody {
  if (welcome === undefined) {
    return { title: 'Identity host', heading: 'Identity host', content: html`<p>${PLAIN_WORDS}</p>` };
  }
  const { version, realms, moreRealms, desk, admin, openapi, health } = welcome;
  return {
    title: 'Keyhost',
    heading: 'Keyhost is running',
    subtitle: `Version ${version}, started to try things out: an identity host that speaks Keycloak's protocol.`,
    site: { navigation: html``, person: html``, stylesheet: ACCOUNT_STYLESHEET_PATH },
    content: html`<section id="realms"><h2>Realms</h2>
${realms.length === 0 && html`<p>There is none yet besides master. Put a realm file into the realms folder: it is applied at once.</p>`}
${realms.some(({ applications }) => applications.length > 0) && html`<p>An application that does not answer has to be started first: in a clone, <code>npm run apps</code> starts those of the demo realm.</p>`}
<ul class="items">${realms.map(realmItem)}</ul>
${moreRealms > 0 && html`<p>… and ${moreRealms} more.</p>`}
</section>
<section id="administration"><h2>Administration</h2>
<p>The first start prints the password of the admin of the realm master. Besides the desk there are the Admin REST API, which Keycloak's tools and libraries speak, and the commands that <code>keyhost --help</code> lists.</p>
<ul class="items">
${item('Desk', html`<a href="${linkAddress(desk)}">Sign in to the desk</a>`, desk)}
${item('Admin REST API', html`<a href="${linkAddress(openapi)}">Its OpenAPI document</a>`, admin)}
${item('Health', html`<a href="${linkAddress(health)}">${health}</a>`)}
</ul></section>
<section id="documentation"><h2>Documentation</h2>
<p>Beside the code: README.md to begin with, realms/README.md for realm files, core/spi/README.md and providers/README.md for plugins, core/desk/README.md for the desk, core/admin/README.md for the Admin REST API, core/account/README.md for the account page.</p></section>`,
  };
}

function realmItem({ name, displayName, account, discovery, applications, users }: WelcomeRealm): Html {
  const links = applications.map(
    ({ name, url }, index) => html`${index > 0 && ', '}<a href="${linkAddress(url)}">${name}</a>`,
  );
  const known = users.map(
    ({ username, password }, index) => html`${index > 0 && ', '}<code>${username}</code> / <code>${password}</code>`,
  );
  return html`<li><div class="item"><div class="item-title">${displayName}${displayName !== name && ` (${name})`}</div>
<dl class="facts">
<dt>Account</dt><dd><a href="${linkAddress(account)}">Sign in to the account page</a></dd>
${users.length > 0 && html`<dt>Users</dt><dd>${known}, as the realm file sets them</dd>`}
${links.length > 0 && html`<dt>Applications</dt><dd>${links}</dd>`}
<dt>For libraries</dt><dd><a href="${linkAddress(discovery)}">OpenID Connect discovery</a></dd>
</dl></div></li>`;
}

function item(title: string, link: Html, text?: string): Html {
  return html`<li><div class="item"><div class="item-title">${title}</div><p>${link}</p>${text !== undefined && html`<p><code>${text}</code></p>`}</div></li>`;
}
