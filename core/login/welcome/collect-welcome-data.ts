import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { Realms } from '../../realms/realms.js';
import type { WelcomeData, WelcomeRealm } from './welcome.js';

type Users = ReadonlyMap<string, WelcomeRealm['users']>;

/** Maximum number of realms on the page. */
const MAX_LISTED = 30;

export interface WelcomeParts {
  readonly realms: Realms;
  readonly version: string;
  /** The URL of the management port. */
  readonly managementUrl: () => string;
  /** Test users by realm. */
  readonly users: () => Promise<Users>;
  /** True if `keyhost console` can sign in to the admin console. */
  readonly hasConsole: boolean;
}

/**
 * Collects the data of the start page of a development host. Its URLs have the host name of the request.
 * @param adminBaseUrl the base URL of the admin console and API, without `/admin`
 * @param showsUsers false: no users are included
 */
export async function collectWelcomeData(
  { realms, version, managementUrl, users, hasConsole }: WelcomeParts,
  adminBaseUrl: string,
  host: string | undefined,
  showsUsers: boolean,
): Promise<WelcomeData> {
  const names = realms
    .names()
    .filter((name) => name !== MASTER_REALM)
    .sort();
  const usersByRealm: Users = showsUsers ? await users() : new Map();
  const welcomeRealms: WelcomeRealm[] = [];
  let read = 0;
  while (read < names.length && welcomeRealms.length < MAX_LISTED) {
    const name = names[read] as string;
    read += 1;
    const realm = await realms.get(name);
    if (realm?.enabled === true)
      welcomeRealms.push(welcomeRealmOf(realms.forHost(realm, host), usersByRealm.get(name) ?? []));
  }
  return {
    version,
    realms: welcomeRealms,
    moreRealms: names.length - read,
    adminConsole: `${adminBaseUrl}/admin/desk/`,
    hasConsole,
    admin: `${adminBaseUrl}/admin/realms`,
    openapi: `${adminBaseUrl}/admin/openapi.json`,
    health: `${managementUrl()}/health`,
  };
}

function welcomeRealmOf(realm: Realm, users: WelcomeRealm['users']): WelcomeRealm {
  const ownUrl = `${realm.baseUrl}/`;
  const applications = [...realm.clients.values()].flatMap(({ enabled, standardFlowEnabled, baseUrl, ...client }) =>
    enabled &&
    standardFlowEnabled &&
    baseUrl !== undefined &&
    /^https?:\/\//i.test(baseUrl) &&
    !baseUrl.startsWith(ownUrl)
      ? [{ name: client.name ?? client.clientId, url: baseUrl }]
      : [],
  );
  return {
    name: realm.name,
    displayName: realm.view.displayName || realm.name,
    account: `${realm.issuer}/account`,
    discovery: `${realm.issuer}/.well-known/openid-configuration`,
    applications,
    users,
  };
}
