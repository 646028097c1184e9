import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { MIGRATION_CASES } from '../config/migration-cases.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { startHost, TestClock } from '../helpers/host.js';
import { besideKeycloak, startKeycloak } from '../helpers/keycloak.js';
import { type AskAdmin, realmMembers } from '../helpers/realm-members.js';

/** A folder of realm files, such as those that a project has published; without it, files with what those have. */
const { KEYHOST_PEER_REALMS } = process.env;

/** Differences that do not depend on the file: features that are not implemented here, and Keyhost's own additions. */
const KNOWN: readonly RegExp[] = [
  /organization|AuthnContextClassRef|saml[._]|role_list|docker/i,
  // Keycloak reads these two when a realm is changed, but not when it is imported.
  /^realm · clientOfflineSession/,
  / · (description|nodeReRegistrationTimeout|surrogateAuthRequired|disableableCredentialTypes|protocolMappers)$/,
  / · (standardFlowEnabled|authorizationServicesEnabled|serviceAccountsEnabled)$|authorizationSettings/,
  / · attributes · (realm_client|post\.logout\.redirect\.uris|client\.use\.lightweight\.access\.token\.enabled)$/,
  /^realm · (attributes|browserSecurityHeaders|webAuthn|maxSecondary|otpSupported|verifiable|adminPerm|scimApi|events)/,
  /^realm · defaultRole/,
  // Every realm has Keycloak's client scopes and the roles of its own clients.
  /^scope |^(default|optional) scopes$|ClientScopes$/,
  /^client (account|broker|realm-management|account-console|admin-cli|security-admin-console) · /,
  /^role (default-roles-|offline_access|uma_authorization)/,
  // Off by default here.
  /^action VERIFY_PROFILE/,
  /^user service-account-/,
];

/** A file of each trait that public ones have. */
const OWN_FILES: readonly object[] = [
  ...MIGRATION_CASES.map(({ file, before }) => ({ ...file, keycloakVersion: before })),
  {
    // As Keycloak's quickstarts: roles that only users name, names in capitals.
    clients: [{ clientId: 'app', publicClient: true, directAccessGrantsEnabled: true }],
    groups: [
      { name: 'a/b', realmRoles: ['of-group'] },
      { name: 'a', subGroups: [{ name: 'b' }] },
    ],
    users: [
      {
        username: 'Alice',
        email: 'Alice@Example.Test',
        enabled: true,
        groups: ['/a/b'],
        realmRoles: ['user'],
        clientRoles: { app: ['made'] },
        requiredActions: ['update_password', 'MINE'],
      },
    ],
  },
  {
    // As Keycloak 1 wrote files.
    applications: [{ name: 'app', enabled: true, publicClient: true }],
    oauthClients: [{ name: 'third', enabled: true, publicClient: true }],
    roles: { realm: [{ name: 'one' }], application: { app: [{ name: 'r' }] } },
    users: [{ username: 'alice', enabled: true, applicationRoles: { app: ['r'] } }],
  },
];

async function files(): Promise<{ name: string; file: object }[]> {
  if (KEYHOST_PEER_REALMS === undefined) return OWN_FILES.map((file, index) => ({ name: `own ${index}`, file }));
  const found = (await readdir(KEYHOST_PEER_REALMS)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    found.map(async (name) => ({
      name,
      file: JSON.parse(await readFile(join(KEYHOST_PEER_REALMS, name), 'utf8')) as object,
    })),
  );
}

/** Ids are one host's, and in Keycloak one realm's; flows are bound to clients by theirs. */
function withoutIds(file: object): object {
  return JSON.parse(JSON.stringify(file), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || 'topLevel' in value) return value;
    const { id: _id, ...rest } = value as { id?: string };
    return rest;
  }) as object;
}

besideKeycloak(
  'older realm files: files of older Keycloaks become the realm that a real Keycloak makes of them',
  async (t, home) => {
    t.timeout(1_800_000);
    const keycloak = await startKeycloak(t, home);
    // Its admin's token is good to the end.
    const call = await adminCaller(await startHost(t, administered({ clock: new TestClock() })));
    const here: AskAdmin = (method, path, body) => call(method, `/realms${path}`, body);
    const wrong: string[] = [];
    for (const [index, { name, file }] of (await files()).entries()) {
      const realm = `peer-${index}`;
      const sent = { ...withoutIds(file), realm, enabled: true } as RealmRepresentation;
      const both = await Promise.all([keycloak.admin('POST', '', sent), here('POST', '', sent)]);
      if (both.some(({ status }) => status !== 201)) {
        const [there, own] = both.map(({ status }) => status);
        const told = both.map(({ status, text }) => `${status} ${text.slice(0, 300)}`);
        // An internal error of Keycloak reveals nothing about the meaning of the file.
        if (there === 500 || (there !== 201 && own !== 201)) t.log(`${name}: ${there} there, ${own} here`);
        else wrong.push(`${name}: ${told.join(' there, ')} here`);
        await Promise.all([keycloak.admin('DELETE', `/${realm}`), here('DELETE', `/${realm}`)]);
        continue;
      }
      const [theirs, ours] = await Promise.all([realmMembers(keycloak.admin, realm), realmMembers(here, realm)]);
      const places = [...new Set([...theirs.keys(), ...ours.keys()])];
      const different = places
        .filter((place) => theirs.get(place) !== ours.get(place) && !KNOWN.some((known) => known.test(place)))
        .map((place) => `${name}: ${place}: ${theirs.get(place)} there, ${ours.get(place)} here`);
      wrong.push(...different);
      await Promise.all([keycloak.admin('DELETE', `/${realm}`), here('DELETE', `/${realm}`)]);
    }
    t.deepEqual(wrong, []);
  },
);
