import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

interface Use {
  readonly algorithm: string;
  readonly isDefault: boolean;
  readonly clients: readonly { readonly clientId: string; readonly uses: readonly string[] }[];
  readonly moreClients: number;
  readonly identityProviders: readonly string[];
  readonly moreIdentityProviders: number;
  readonly lifespan?: number;
  readonly isUnlimited: boolean;
}

const realm = testRealm('demo', {
  accessTokenLifespan: 120,
  ssoSessionMaxLifespan: 7200,
  actionTokenGeneratedByAdminLifespan: 600,
  actionTokenGeneratedByUserLifespan: 60,
  identityProviders: [
    {
      alias: 'partner',
      providerId: 'oidc',
      enabled: true,
      config: {
        authorizationUrl: 'https://partner.test/auth',
        tokenUrl: 'https://partner.test/token',
        clientId: 'keyhost',
        clientAuthMethod: 'private_key_jwt',
        clientAssertionSigningAlg: 'PS256',
      },
    },
  ],
});
realm.clients?.push(
  ...Array.from({ length: 22 }, (_, index) => ({
    clientId: `es-${index}`,
    secret: 's',
    attributes: { 'access.token.signed.response.alg': 'ES256', 'id.token.signed.response.alg': 'ES256' },
  })),
  { clientId: 'slow', secret: 's', attributes: { 'access.token.lifespan': '900' } },
  {
    clientId: 'whole',
    secret: 's',
    attributes: {
      'access.token.lifespan': '-1',
      'access.token.signed.response.alg': 'EdDSA',
      'id.token.signed.response.alg': 'EdDSA',
    },
  },
);
realm.users?.push(administrator('keeper', 'view-realm'));

const host = shareHost(test, administered({ realms: [realm] }));

async function usesFor(who: { realm?: string; username?: string; password?: string } = {}) {
  const call = await adminCaller(host(), who);
  const { status, text } = await call('GET', '/realms/demo/keys/uses');
  if (status !== 200) throw new Error(text);
  return new Map((JSON.parse(text) as Use[]).map((use) => [use.algorithm, use]));
}

test('key uses: each algorithm is shown with its clients, and with the longest life of its tokens', async (t) => {
  const uses = await usesFor();
  t.like(uses.get('RS256'), { isDefault: true, lifespan: 900, isUnlimited: false, moreClients: 0 });
  const ecdsa = uses.get('ES256');
  t.like(ecdsa, { isDefault: false, moreClients: 2, lifespan: 120 });
  t.is(ecdsa?.clients.length, 20);
  t.deepEqual(ecdsa?.clients[0]?.uses, ['access_token', 'id_token']);
  t.like(uses.get('EdDSA'), { lifespan: 7200 }, 'tokens that live as long as the session');
  t.deepEqual(uses.get('PS256')?.identityProviders, ['partner']);
  t.like(uses.get('HS512'), { lifespan: 7200, isUnlimited: true });
  t.like(uses.get('AES'), { lifespan: undefined, isUnlimited: true });
});

test('key uses: names of clients and identity providers require the role to view them, and keys have their time of creation', async (t) => {
  const keeper = { realm: 'demo', username: 'keeper', password: 'keeper' };
  const uses = await usesFor(keeper);
  t.like(uses.get('ES256'), { clients: [], moreClients: 22 });
  t.like(uses.get('PS256'), { identityProviders: [], moreIdentityProviders: 1 });
  const call = await adminCaller(host(), keeper);
  const { keys } = (await call('GET', '/realms/demo/keys')).json as unknown as { keys: { createdAt?: number }[] };
  t.true(keys.length > 0);
  t.true(keys.every(({ createdAt = 0 }) => createdAt > 0));
});
