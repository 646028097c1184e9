import type { PageFrame } from '@keyhost/spi';
import { type Html, html } from '../../pages/html.js';
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
import { endOwnSession, endOwnSessions, endSessionsOfLinks, type OwnSession, ownSessions } from './user-sessions.js';

const PATH = '/account-security/device-activity';

/** The user's sessions by device, with buttons to end them. */
export const devicesPage: AccountPage = {
  path: PATH,
  title: 'deviceActivity',
  isOffered: (visit) => hasAnyRole(visit, 'view-profile', 'manage-account'),
  async get(visit) {
    const sessions = await ownSessions(visit.parts, visit);
    await showPage(visit, devicesPage, (texts, frame) => content(visit, texts, frame, sessions), {
      description: 'deviceActivityDescription',
    });
  },
  async post(visit, form) {
    if (!hasAnyRole(visit, 'manage-account'))
      return redirectWithNotice(visit, PATH, { key: 'accountForbidden', severity: 'error' });
    if (form.given('others')) {
      await endOwnSessions(visit.parts, visit, { current: false });
      return redirectWithNotice(visit, PATH, { key: 'otherSessionsEnded', severity: 'success' });
    }
    const clientId = form.get('client');
    if (clientId !== undefined) {
      await endSessionsOfLinks(visit.parts, visit, clientId);
      return redirectWithNotice(visit, PATH, { key: 'linkSessionsEnded', severity: 'success' });
    }
    // If it is not the user's or has ended already, the result is the same for the user.
    await endOwnSession(visit.parts, visit, { id: form.get('session') ?? '', offline: form.given('offline') });
    await redirectWithNotice(visit, PATH, { key: 'sessionEnded', severity: 'success' });
  },
};

function content(visit: AccountRequest, texts: Texts, frame: PageFrame, sessions: readonly OwnSession[]): Html {
  const online = sessions.filter(({ record }) => !record.offline);
  const browsers = online.filter(({ begunBy }) => begunBy === undefined);
  const ofLinks = new Map<string, OwnSession[]>();
  for (const session of online) {
    if (session.begunBy === undefined) continue;
    const { clientId } = session.begunBy;
    ofLinks.set(clientId, [...(ofLinks.get(clientId) ?? []), session]);
  }
  const offline = sessions.filter(({ record }) => record.offline);
  const item = (session: OwnSession) => sessionItem(visit, texts, frame, session);
  return html`<ul class="items" id="kc-sessions">${browsers.map(item)}</ul>
${
  offline.length > 0 &&
  html`<section><h2>${texts.of('offlineSessions')}</h2><p>${texts.of('offlineSessionsDescription')}</p>
<ul class="items" id="kc-offline-sessions">${offline.map(item)}</ul></section>`
}
${
  ofLinks.size > 0 &&
  html`<section><h2>${texts.of('linkSessions')}</h2><p>${texts.of('linkSessionsDescription')}</p>
<ul class="items" id="kc-link-sessions">${[...ofLinks].map(([clientId, begun]) => linkItem(visit, texts, frame, clientId, begun))}</ul></section>`
}
${
  sessions.some(({ current }) => !current) &&
  hasAnyRole(visit, 'manage-account') &&
  html`<section id="kc-sign-out-others"><div class="section-head"><div><h2>${texts.of('signOutOthers')}</h2><p>${texts.of('signOutOthersText')}</p></div>
${buttonForm(visit, PATH, { others: 'true' }, { label: texts.of('signOutOthers') })}</div></section>`
}`;
}

function sessionItem(visit: AccountRequest, texts: Texts, frame: PageFrame, session: OwnSession): Html {
  const { record, clients, current } = session;
  const name = deviceName(texts, session);
  const names = [...new Set(clients.map((client) => texts.name(client.name || client.clientId)))];
  return html`<li><div class="item"><p class="item-title">${name} ${current && html`<span class="badge">${texts.of('currentSession')}</span>`}</p>
${definitionList([
  [texts.of('lastAccess'), timeText(texts, frame, record.lastRefresh)],
  [texts.of('signedInSince'), timeText(texts, frame, record.startedAt)],
  [texts.of('ipAddress'), record.ipAddress],
  [texts.of('sessionApplications'), names.join(', ')],
])}</div>
${!current && hasAnyRole(visit, 'manage-account') && html`<div class="item-actions">${buttonForm(visit, PATH, { session: record.id, ...(record.offline ? { offline: 'true' } : {}) }, { label: texts.of('signOutSession'), name })}</div>`}</li>`;
}

/** All sessions that a client started in the user's name. */
function linkItem(
  visit: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  clientId: string,
  begun: readonly OwnSession[],
): Html {
  const client = begun[0]?.begunBy;
  const name = texts.name(client?.name || clientId);
  const latest = Math.max(...begun.map(({ record }) => record.lastRefresh));
  return html`<li data-client="${clientId}"><div class="item"><p class="item-title">${name}</p>
${definitionList([
  [texts.of('linkSessionCount'), String(begun.length)],
  [texts.of('lastAccess'), timeText(texts, frame, latest)],
])}</div>
${hasAnyRole(visit, 'manage-account') && html`<div class="item-actions">${buttonForm(visit, PATH, { client: clientId }, { label: texts.of('endLinkSessions'), name })}</div>`}</li>`;
}

function deviceName(texts: Texts, { device }: OwnSession): string {
  const browser = device.browser === 'Unknown' ? '' : device.browser.replace(/\/(\d+).*$/, ' $1');
  const system = device.os === 'Other' ? '' : `${device.os} ${device.osVersion}`.trim();
  if (browser !== '' && system !== '') return texts.of('deviceBrowserOnSystem', browser, system);
  return browser || system || texts.of('unknownDevice');
}
