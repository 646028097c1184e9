import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { ProtocolMapperRepresentation } from '../../core/model/representation.js';
import { adminCaller, clientUuid, startDemo } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { redeem } from '../helpers/codes.js';
import { keyhost } from '../helpers/command.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { claimsOf, startHost, TestClock } from '../helpers/host.js';
import { introspect, logIn, userinfo, WEB } from '../helpers/login.js';
import { folder } from '../helpers/process.js';
import { shareHost } from '../helpers/shared-host.js';

const EVERYWHERE = Object.fromEntries(
  ['id', 'access', 'userinfo', 'introspection'].map((name) => [`${name}.token.claim`, 'true']),
);

function mapper(protocolMapper: string, config: Record<string, string> = EVERYWHERE): ProtocolMapperRepresentation {
  return { name: `${protocolMapper} ${JSON.stringify(config)}`, protocolMapper, config };
}

/** `codeRealm` whose client `web` has these mappers. */
function mapped(name: string, ...mappers: ProtocolMapperRepresentation[]) {
  const realm = codeRealm(name);
  const clients = realm.clients?.map((client) =>
    client.clientId === 'web'
      ? { ...client, protocolMappers: [...(client.protocolMappers ?? []), ...mappers] }
      : client,
  );
  return { ...realm, clients: clients ?? [] };
}

const rename = (role: string, to: string) => mapper('oidc-role-name-mapper', { role, 'new.role.name': to });
const host = shareHost(test, {
  realms: [
    mapped(
      'demo',
      mapper('oidc-session-state-mapper'),
      mapper('oidc-amr-mapper'),
      mapper('oidc-nonce-backwards-compatible-mapper', {}),
      mapper('oidc-claims-param-token-mapper'),
      mapper('oidc-claims-param-value-idtoken-mapper', { 'claim.name': 'tenant', 'id.token.claim': 'true' }),
      mapper('oidc-claims-param-value-idtoken-mapper', { 'claim.name': 'iss', 'id.token.claim': 'true' }),
    ),
    mapped(
      'roles',
      mapper('oidc-hardcoded-role-mapper', { role: 'svc.extra' }),
      mapper('oidc-hardcoded-role-mapper', { role: 'realm-admin' }),
      mapper('oidc-hardcoded-role-mapper', { role: 'realm-management.realm-admin' }),
      rename('default-roles-roles', 'svc.moved'),
      rename('realm-admin', 'renamed too late'),
      rename('offline_access', 'offline'),
      mapper('oidc-usermodel-realm-role-mapper', { ...EVERYWHERE, 'claim.name': 'all', multivalued: 'true' }),
    ),
  ],
});

type Shown = Record<string, unknown>;

async function codeTokens(parameters: Record<string, string>, browser = new Browser(), at = host()) {
  const { url, verifier } = codeRequest(at, parameters);
  const first = await browser.open(url);
  const back =
    first.status === 302 ? first : await browser.submit(first, { username: 'alice', password: 'Alice-pass-1!' });
  const code = back.location?.searchParams.get('code') ?? '';
  const { json } = await redeem(at, { code, verifier, session: '' });
  return { json, access: claimsOf(String(json.access_token)) as Shown, id: claimsOf(String(json.id_token)) as Shown };
}

test('Keycloak’s mappers: hardcoded and renamed roles are wherever roles are shown', async (t) => {
  const tokens = await logIn(host(), {}, 'roles');
  const access = claimsOf(tokens.access_token) as Shown;
  const { roles } = access.realm_access as { roles: string[] };
  t.true(roles.includes('realm-admin') && roles.includes('offline'));
  t.false(roles.includes('offline_access') || roles.includes('default-roles-roles'));
  t.deepEqual((access.resource_access as Record<string, unknown>).svc, { roles: ['moved', 'extra'] });
  t.true([access.aud].flat().includes('svc'), 'a client whose role is shown is of the audience');
  const info = (await userinfo(host(), tokens.access_token, 'roles')).json as Shown;
  t.deepEqual(new Set(info.all as string[]), new Set(roles));
});

test('Keycloak’s mappers: a hardcoded role gives nobody admin rights', async (t) => {
  const { access_token: token } = await logIn(host(), {}, 'roles');
  const answer = await fetch(`${host().url}/admin/realms/roles/users`, {
    headers: { authorization: `Bearer ${token}` },
  });
  t.is(answer.status, 403);
});

test('Keycloak’s mappers: the session is in all responses, and the nonce in access tokens for as long as the login lasts', async (t) => {
  const { json, access, id } = await codeTokens({ nonce: 'n-1' });
  const { sid } = access;
  t.deepEqual([access.session_state, id.session_state, access.nonce, id.nonce], [sid, sid, 'n-1', 'n-1']);
  const info = (await userinfo(host(), String(json.access_token))).json as Shown;
  t.deepEqual([info.session_state, info.nonce], [sid, undefined]);
  const told = (await introspect(host(), String(json.access_token))).json as Shown;
  t.deepEqual([told.session_state, told.nonce], [sid, 'n-1']);
  const form = { ...WEB, grant_type: 'refresh_token', refresh_token: String(json.refresh_token) };
  const next = (await host().token('demo', form)).json;
  t.is((claimsOf(String(next.access_token)) as Shown).nonce, 'n-1');
  const plain = await logIn(host());
  t.is((claimsOf(plain.access_token) as Shown).nonce, undefined, 'a login without a request has none');
});

test('Keycloak’s mappers: an essential claim with a requested value is returned in the ID token alone, and none of the protocol', async (t) => {
  const claims = { id_token: { tenant: { essential: true, value: 'acme' }, iss: { essential: true, value: 'evil' } } };
  const { access, id } = await codeTokens({ claims: JSON.stringify(claims) });
  t.deepEqual([id.tenant, access.tenant, id.iss], ['acme', undefined, host().realm('demo')]);
  const voluntary = await codeTokens({ claims: '{"id_token":{"tenant":{"value":"acme"}}}' });
  t.is(voluntary.id.tenant, undefined);
});

test('Keycloak’s mappers: amr has the references of the login’s steps, and of earlier ones while they are valid', async (t) => {
  const clock = new TestClock();
  const realm = mapped('demo', mapper('oidc-amr-mapper'));
  const step = (authenticator: string, requirement: string, priority: number, authenticatorConfig?: string) => ({
    authenticator,
    requirement,
    priority,
    ...(authenticatorConfig === undefined ? {} : { authenticatorConfig }),
  });
  const one = await startHost(t, {
    clock,
    realms: [
      {
        ...realm,
        browserFlow: 'own',
        directGrantFlow: 'direct',
        authenticationFlows: [
          {
            alias: 'own',
            authenticationExecutions: [
              step('auth-cookie', 'ALTERNATIVE', 10),
              step('auth-username-password-form', 'ALTERNATIVE', 20, 'minutes'),
            ],
          },
          {
            alias: 'direct',
            authenticationExecutions: [
              step('direct-grant-validate-username', 'REQUIRED', 10),
              step('direct-grant-validate-password', 'REQUIRED', 20, 'now'),
            ],
          },
        ],
        authenticatorConfig: [
          { alias: 'minutes', config: { 'default.reference.value': 'pwd', 'default.reference.maxAge': '600' } },
          { alias: 'now', config: { 'default.reference.value': 'direct' } },
        ],
      },
    ],
  });
  const browser = new Browser();
  const { id, access } = await codeTokens({}, browser, one);
  t.deepEqual([id.amr, access.amr], [['pwd'], ['pwd']]);
  clock.forward(500);
  t.deepEqual((await codeTokens({}, browser, one)).id.amr, ['pwd'], 'single sign-on within its age');
  clock.forward(200);
  t.deepEqual((await codeTokens({}, browser, one)).id.amr, [], 'and beyond');
  t.deepEqual((claimsOf((await logIn(one)).id_token) as Shown).amr, ['direct']);
  t.deepEqual((claimsOf((await logIn(host())).id_token) as Shown).amr, [], 'steps without references');
});

test('Keycloak’s mappers: a mapper that does not exist is reported by realm check at its place, and refused by the Admin API', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  const realm = {
    ...mapped('demo', mapper('oidc-organization-membership-mapper')),
    providers: {},
    organizationsEnabled: true,
  };
  await writeFile(file, JSON.stringify(realm, null, 2));
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const { code, stdout: out } = await keyhost(['realm', 'check', file, ...places]);
  t.is(code, 0, out);
  t.regex(
    out,
    /demo\.json:\d+:\d+ clients\[\d+]\.protocolMappers\[\d+]\.protocolMapper: .*membership-mapper.*\[warning]/,
  );
  const { host: one } = await startDemo(t);
  const call = await adminCaller(one);
  const models = `/realms/demo/clients/${await clientUuid(one, 'web')}/protocol-mappers/models`;
  const added = await call('POST', models, { ...mapper('oidc-nobody-mapper'), protocol: 'openid-connect' });
  t.deepEqual([added.status, added.json.error], [404, 'ProtocolMapper provider not found']);
});
