import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { Browser, type Visit } from './form-browser.js';
import type { Answer, TestHost } from './host.js';
import { post } from './login.js';
import { testRealm } from './realms.js';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const ENABLED = { 'oauth2.device.authorization.grant.enabled': 'true' };

export const TV = { client_id: 'tv' };
export const BOX = { client_id: 'box', client_secret: 'box-secret' };

/** The test realm with clients for devices. `changes` replaces top-level keys. */
export function deviceRealm(name = 'demo', changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  const realm = testRealm(name, changes);
  const scopes = {
    defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
    optionalClientScopes: ['phone', 'offline_access'],
  };
  const clients = [
    { clientId: 'tv', publicClient: true, name: 'Living Room TV', attributes: ENABLED, ...scopes },
    { clientId: 'box', secret: 'box-secret', attributes: ENABLED },
    { clientId: 'careful', publicClient: true, consentRequired: true, attributes: ENABLED },
    {
      clientId: 'proving',
      publicClient: true,
      attributes: { ...ENABLED, 'pkce.code.challenge.method': 'S256' },
    },
    {
      clientId: 'restless',
      publicClient: true,
      attributes: { ...ENABLED, 'oauth2.device.polling.interval': '0' },
    },
    {
      clientId: 'quick',
      publicClient: true,
      attributes: { ...ENABLED, 'oauth2.device.code.lifespan': '60', 'oauth2.device.polling.interval': '1' },
    },
  ];
  return { ...realm, clients: [...(realm.clients ?? []), ...clients] };
}

export interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** Starts the device flow: the codes that the device gets. */
export async function beginDevice(
  host: TestHost,
  form: Record<string, string> = { ...TV, scope: 'openid' },
  realm = host.defaultRealm,
): Promise<DeviceAnswer> {
  const answer = await post(host, 'auth/device', form, {}, realm);
  if (answer.status !== 200) throw new Error(`the device was answered ${answer.status} ${answer.text}`);
  return answer.json as unknown as DeviceAnswer;
}

/** A device asks for its tokens. */
export function poll(
  host: TestHost,
  deviceCode: string,
  changes: Record<string, string> = {},
  realm = host.defaultRealm,
): Promise<Answer> {
  return post(host, 'token', { grant_type: DEVICE_GRANT, device_code: deviceCode, ...TV, ...changes }, {}, realm);
}

/** Enters a user code on the page of the realm. */
export async function enterCode(
  browser: Browser,
  host: TestHost,
  userCode: string,
  realm = host.defaultRealm,
): Promise<Visit> {
  const page = await browser.open(`${host.realm(realm)}/device`);
  return browser.submit(page, { device_user_code: userCode });
}

/** Signs alice in if the page asks for it. Returns the consent page. */
export async function toConsent(
  browser: Browser,
  page: Visit,
  fields: Record<string, string> = { username: 'alice', password: 'Alice-pass-1!' },
): Promise<Visit> {
  return page.text.includes('id="password"') ? browser.submit(page, fields) : page;
}

/** Approves the device as alice in a new browser. */
export async function approve(
  host: TestHost,
  userCode: string,
  browser: Browser = new Browser(),
  realm = host.defaultRealm,
): Promise<Visit> {
  const consent = await toConsent(browser, await enterCode(browser, host, userCode, realm));
  return browser.submit(consent, { accept: 'Yes' });
}
