import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { Realms } from '../../realms/realms.js';
import type { Welcome, WelcomeRealm } from './welcome.js';

type Users = ReadonlyMap<string, WelcomeRealm['users']>;

/** Maximum number of realms listed. */
const LISTED = 30;

export interface WelcomeParts {
  readonly realms: Realms;
  readonly version: string;
  /** The URL of the management port. */
  readonly managementUrl: () => string;
  /** Test users by realm. */
  readonly users: () => Promise<Users>;
  /** `keyhost console` can sign in to the admin console. */
  readonly hasConsole: boolean;
}

/**
 * Data of the start page of a development host, with the host name of the request.
 * @param admin the URL in front of `/admin`
 * @param showsUsers false: no user is shown
 */
export async function welcomeOf(
  { realms, version, managementUrl, users, hasConsole }: WelcomeParts,
  admin: string,
  host: string | undefined,
  showsUsers: boolean,
): Promise<Welcome> {
  const names = realms.names().filter((name) => name !== MASTER_REALM);
  const known: Users = showsUsers ? await users() : new Map();
  const listed: WelcomeRealm[] = [];
  for (const name of names.sort().slice(0, LISTED)) {
    const realm = await realms.get(name);
    if (realm?.enabled === true) listed.push(realmOf(realms.forHost(realm, host), known.get(name) ?? []));
  }
  return {
    version,
    realms: listed,
    moreRealms: Math.max(0, names.length - LISTED),
    adminConsole: `${admin}/admin/desk/`,
    hasConsole,
    admin: `${admin}/admin/realms`,
    openapi: `${admin}/admin/openapi.json`,
    health: `${managementUrl()}/health`,
  };
}

function realmOf(realm: Realm, users: WelcomeRealm['users']): WelcomeRealm {
  const own = `${realm.baseUrl}/`;
  const applications = [...realm.clients.values()].flatMap(({ enabled, standardFlowEnabled, baseUrl, ...client }) =>
    enabled && standardFlowEnabled && baseUrl !== undefined && /^https?:\/\//i.test(baseUrl) && !baseUrl.startsWith(own)
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
