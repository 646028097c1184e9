import test from 'ava';
import { adminClient, startAdministered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { startSector } from '../helpers/sector-identifier-server.js';

const REDIRECT = 'https://app.test/cb';

test('T423 · sector identifier: registering a client makes the host call no private address, and no more often than the limit', async (t) => {
  const realms = [testRealm('demo', { providers: {} })];
  const sector = await startSector(t, [REDIRECT]);
  const metadata = { redirect_uris: [REDIRECT], subject_type: 'pairwise', sector_identifier_uri: sector.url };
  for (const options of [
    {},
    { mode: 'start', argv: ['--hostname', 'http://127.0.0.1:8080', '--http-enabled'] },
  ] as const) {
    const isOpen = !('mode' in options);
    const host = await startAdministered(t, { realms, ...options });
    const admin = await adminClient(host);
    const access = (await admin.realms.createClientsInitialAccess({ realm: 'demo' }, { count: 1 })) as {
      token: string;
    };
    const register = () =>
      fetchAnswer(`${host.realm('demo')}/clients-registrations/openid-connect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(metadata),
      });
    const before = sector.requests();
    const { status, json } = await register();
    t.is(status, isOpen ? 201 : 400);
    if (!isOpen) t.regex(json.error_description ?? '', /Failed to get redirect URIs/);
    t.is(sector.requests() - before, isOpen ? 1 : 0);
    if (isOpen) t.is((await register()).status, 401);
    t.is(sector.requests() - before, isOpen ? 1 : 0);
  }
});
