import type { PageFrame } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { type Html, html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
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
import { type OwnApplication, ownApplications, revokeAccess } from './own-applications.js';

const PATH = '/applications';

/** The applications that use the account, their granted scopes, and buttons to revoke access. */
export const applicationsPage: AccountPage = {
  path: PATH,
  title: 'applications',
  isOffered: (visit) => hasAnyRole(visit, 'view-applications', 'manage-account'),
  async get(visit) {
    const applications = await ownApplications(visit.parts, visit);
    await showPage(visit, applicationsPage, (texts, frame) => content(visit, texts, frame, applications), {
      description: 'applicationsDescription',
    });
  },
  async post(visit, form) {
    if (!hasAnyRole(visit, 'manage-account', 'manage-consent')) {
      return redirectWithNotice(visit, PATH, { key: 'accountForbidden', severity: 'error' });
    }
    const client = visit.exchange.realm.clients.get(form.get('client') ?? '');
    const revoked = client !== undefined && (await revokeAccess(visit.parts, visit, client));
    await redirectWithNotice(visit, PATH, revoked ? { key: 'accessRemoved', severity: 'success' } : undefined);
  },
};

/** The consent text of a scope. */
export function scopeText(realm: Realm, name: string): string {
  return realm.scopes.get(name)?.consentText ?? name;
}

function content(visit: AccountRequest, texts: Texts, frame: PageFrame, applications: readonly OwnApplication[]): Html {
  if (applications.length === 0) return html`<p class="none">${texts.of('noApplications')}</p>`;
  return html`<ul class="items" id="kc-applications">${applications.map((one) => item(visit, texts, frame, one))}</ul>`;
}

function item(visit: AccountRequest, texts: Texts, frame: PageFrame, application: OwnApplication): Html {
  const { client, inUse, offlineAccess, consent } = application;
  const { realm } = visit.exchange;
  const name = texts.name(client.name || client.clientId);
  const scopes = (consent?.grantedClientScopes ?? []).map((scope) => texts.name(scopeText(realm, scope)));
  const granted = consent?.lastUpdatedDate ?? consent?.createdDate;
  const isWeb = client.baseUrl !== undefined && /^https?:\/\//i.test(client.baseUrl);
  const badge = (key: string) => html` <span class="badge">${texts.of(key)}</span>`;
  const mayRevoke = hasAnyRole(visit, 'manage-account', 'manage-consent') && (consent !== undefined || offlineAccess);
  return html`<li data-client="${client.clientId}"><div class="item"><p class="item-title">${
    isWeb ? html`<a href="${linkAddress(client.baseUrl ?? '')}">${name}</a>` : name
  }${inUse && badge('applicationInUse')}${offlineAccess && badge('applicationOffline')}</p>
${definitionList([
  [texts.of('applicationAccess'), scopes.join(', ')],
  [texts.of('applicationGranted'), granted === undefined ? undefined : timeText(texts, frame, granted)],
])}</div>
${mayRevoke && html`<div class="item-actions">${buttonForm(visit, PATH, { client: client.clientId }, { label: texts.of('removeAccess'), name })}</div>`}</li>`;
}
