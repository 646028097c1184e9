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
import {
  type AccountUserSession,
  endSession,
  endSessions,
  endSessionsStartedBy,
  listSessions,
} from './user-sessions.js';

const PATH = '/account-security/device-activity';

/** The user's sessions by device, with buttons to end them. */
export const devicesPage: AccountPage = {
  path: PATH,
  title: 'deviceActivity',
  isOffered: (request) => hasAnyRole(request, 'view-profile', 'manage-account'),
  async get(request) {
    const sessions = await listSessions(request.parts, request);
    await showPage(request, devicesPage, (texts, frame) => renderContent(request, texts, frame, sessions), {
      description: 'deviceActivityDescription',
    });
  },
  async post(request, form) {
    if (!hasAnyRole(request, 'manage-account'))
      return redirectWithNotice(request, PATH, { key: 'accountForbidden', severity: 'error' });
    if (form.isPresent('others')) {
      await endSessions(request.parts, request, { current: false });
      return redirectWithNotice(request, PATH, { key: 'otherSessionsEnded', severity: 'success' });
    }
    const clientId = form.get('client');
    if (clientId !== undefined) {
      await endSessionsStartedBy(request.parts, request, clientId);
      return redirectWithNotice(request, PATH, { key: 'linkSessionsEnded', severity: 'success' });
    }
    // Users see the same result if the session has ended already, or is not theirs.
    await endSession(request.parts, request, { id: form.get('session') ?? '', offline: form.isPresent('offline') });
    await redirectWithNotice(request, PATH, { key: 'sessionEnded', severity: 'success' });
  },
};

function renderContent(
  request: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  sessions: readonly AccountUserSession[],
): Html {
  const online = sessions.filter(({ record }) => !record.offline);
  const browsers = online.filter(({ startedBy }) => startedBy === undefined);
  const sessionsByClient = new Map<string, AccountUserSession[]>();
  for (const session of online) {
    if (session.startedBy === undefined) continue;
    const { clientId } = session.startedBy;
    sessionsByClient.set(clientId, [...(sessionsByClient.get(clientId) ?? []), session]);
  }
  const offline = sessions.filter(({ record }) => record.offline);
  const item = (session: AccountUserSession) => renderSession(request, texts, frame, session);
  return html`<ul class="items" id="kc-sessions">${browsers.map(item)}</ul>
${
  offline.length > 0 &&
  html`<section><h2>${texts.of('offlineSessions')}</h2><p>${texts.of('offlineSessionsDescription')}</p>
<ul class="items" id="kc-offline-sessions">${offline.map(item)}</ul></section>`
}
${
  sessionsByClient.size > 0 &&
  html`<section><h2>${texts.of('linkSessions')}</h2><p>${texts.of('linkSessionsDescription')}</p>
<ul class="items" id="kc-link-sessions">${[...sessionsByClient].map(([clientId, sessionsOfClient]) => renderClientSessions(request, texts, frame, clientId, sessionsOfClient))}</ul></section>`
}
${
  sessions.some(({ current }) => !current) &&
  hasAnyRole(request, 'manage-account') &&
  html`<section id="kc-sign-out-others"><div class="section-head"><div><h2>${texts.of('signOutOthers')}</h2><p>${texts.of('signOutOthersText')}</p></div>
${buttonForm(request, PATH, { others: 'true' }, { label: texts.of('signOutOthers') })}</div></section>`
}`;
}

function renderSession(request: AccountRequest, texts: Texts, frame: PageFrame, session: AccountUserSession): Html {
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
${!current && hasAnyRole(request, 'manage-account') && html`<div class="item-actions">${buttonForm(request, PATH, { session: record.id, ...(record.offline ? { offline: 'true' } : {}) }, { label: texts.of('signOutSession'), name })}</div>`}</li>`;
}

/** One row for all sessions that a client started in the user's name. */
function renderClientSessions(
  request: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  clientId: string,
  sessions: readonly AccountUserSession[],
): Html {
  const client = sessions[0]?.startedBy;
  const name = texts.name(client?.name || clientId);
  const latest = Math.max(...sessions.map(({ record }) => record.lastRefresh));
  return html`<li data-client="${clientId}"><div class="item"><p class="item-title">${name}</p>
${definitionList([
  [texts.of('linkSessionCount'), String(sessions.length)],
  [texts.of('lastAccess'), timeText(texts, frame, latest)],
])}</div>
${hasAnyRole(request, 'manage-account') && html`<div class="item-actions">${buttonForm(request, PATH, { client: clientId }, { label: texts.of('endLinkSessions'), name })}</div>`}</li>`;
}

function deviceName(texts: Texts, { device }: AccountUserSession): string {
  const browser = device.browser === 'Unknown' ? '' : device.browser.replace(/\/(\d+).*$/, ' $1');
  const system = device.os === 'Other' ? '' : `${device.os} ${device.osVersion}`.trim();
  if (browser !== '' && system !== '') return texts.of('deviceBrowserOnSystem', browser, system);
  return browser || system || texts.of('unknownDevice');
}
