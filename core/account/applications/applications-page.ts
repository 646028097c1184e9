import type { PageFrame } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { type Html, html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
import { hasAnyRole } from '../account.js';
import {
  type AccountPage,
  type AccountRequest,
  buttonForm,
  definitionList,
  redirectWithNotice,
  showPage,
  timeText,
} from '../account-request.js';
import { listApplications, type OwnApplication, revokeAccess } from './own-applications.js';

const PATH = '/applications';

/** The applications that use the account, their granted scopes, and buttons to revoke access. */
export const applicationsPage: AccountPage = {
  path: PATH,
  title: 'applications',
  isOffered: (request) => hasAnyRole(request, 'view-applications', 'manage-account'),
  async get(request) {
    const applications = await listApplications(request.parts, request);
    await showPage(request, applicationsPage, (texts, frame) => renderContent(request, texts, frame, applications), {
      description: 'applicationsDescription',
    });
  },
  async post(request, form) {
    if (!hasAnyRole(request, 'manage-account', 'manage-consent')) {
      return redirectWithNotice(request, PATH, { key: 'accountForbidden', severity: 'error' });
    }
    const client = request.exchange.realm.clients.get(form.get('client') ?? '');
    const isRevoked = client !== undefined && (await revokeAccess(request.parts, request, client));
    await redirectWithNotice(request, PATH, isRevoked ? { key: 'accessRemoved', severity: 'success' } : undefined);
  },
};

/** The consent text of a scope. */
export function scopeText(realm: Realm, name: string): string {
  return realm.scopes.get(name)?.consentText ?? name;
}

function renderContent(
  request: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  applications: readonly OwnApplication[],
): Html {
  if (applications.length === 0) return html`<p class="none">${texts.of('noApplications')}</p>`;
  return html`<ul class="items" id="kc-applications">${applications.map((application) => renderItem(request, texts, frame, application))}</ul>`;
}

function renderItem(request: AccountRequest, texts: Texts, frame: PageFrame, application: OwnApplication): Html {
  const { client, inUse, offlineAccess, consent } = application;
  const { realm } = request.exchange;
  const name = texts.name(client.name || client.clientId);
  const scopes = (consent?.grantedClientScopes ?? []).map((scope) => texts.name(scopeText(realm, scope)));
  const grantedAt = consent?.lastUpdatedDate ?? consent?.createdDate;
  const isWeb = client.baseUrl !== undefined && /^https?:\/\//i.test(client.baseUrl);
  const badge = (key: string) => html` <span class="badge">${texts.of(key)}</span>`;
  const mayRevoke = hasAnyRole(request, 'manage-account', 'manage-consent') && (consent !== undefined || offlineAccess);
  return html`<li data-client="${client.clientId}"><div class="item"><p class="item-title">${
    isWeb ? html`<a href="${safeLinkUrl(client.baseUrl ?? '')}">${name}</a>` : name
  }${inUse && badge('applicationInUse')}${offlineAccess && badge('applicationOffline')}</p>
${definitionList([
  [texts.of('applicationAccess'), scopes.join(', ')],
  [texts.of('applicationGranted'), grantedAt === undefined ? undefined : timeText(texts, frame, grantedAt)],
])}</div>
${mayRevoke && html`<div class="item-actions">${buttonForm(request, PATH, { client: client.clientId }, { label: texts.of('removeAccess'), name })}</div>`}</li>`;
}
