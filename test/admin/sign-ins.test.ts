import test from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { CALLBACK } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { ALICE_LOGIN, post, WEB } from '../helpers/login.js';
import { shareStarted } from '../helpers/shared-host.js';

const demo = codeRealm('demo');
demo.clients?.push({ clientId: 'pushes', secret: 'pushes-secret', redirectUris: [CALLBACK] });
demo.eventsEnabled = false;

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo] })),
}));

interface SignIns {
  readonly signIns: number;
  readonly connected: number;
  readonly failures: readonly { error: string; count: number }[];
}

async function told(clientId: string): Promise<SignIns> {
  const call = await adminCaller(scene().host);
  const { text } = await call('GET', `/realms/demo/clients?clientId=${clientId}`);
  const { id } = JSON.parse(text)[0] as { id: string };
  return JSON.parse((await call('GET', `/realms/demo/clients/${id}/sign-ins`)).text) as SignIns;
}

test('connect an app: an app is connected after it has redeemed its code: a wrong secret is reported as a failure', async (t) => {
  const { host } = scene();
  const code = await freshCode(host);
  t.deepEqual(await told('web'), { signIns: 1, connected: 0, failures: [] });
  t.is((await redeem(host, code, { client_secret: 'wrong' })).status, 401);
  const failures = [{ error: 'invalid_client_credentials', count: 1 }];
  t.deepEqual(await told('web'), { signIns: 1, connected: 0, failures });
  t.is((await redeem(host, code)).status, 200);
  t.deepEqual(await told('web'), { signIns: 1, connected: 1, failures });
  // The password grant signs in and returns tokens in one step.
  t.is((await post(host, 'token', { ...WEB, ...ALICE_LOGIN })).status, 200);
  t.deepEqual(await told('web'), { signIns: 2, connected: 2, failures });
});

test('connect an app: an app that pushes its request with a wrong secret is reported, too', async (t) => {
  const form = { client_id: 'pushes', client_secret: 'wrong', response_type: 'code', redirect_uri: CALLBACK };
  t.is((await post(scene().host, 'ext/par/request', form)).status, 401);
  t.deepEqual(await told('pushes'), {
    signIns: 0,
    connected: 0,
    failures: [{ error: 'invalid_client_credentials', count: 1 }],
  });
});
