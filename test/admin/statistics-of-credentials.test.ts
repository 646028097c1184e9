import test from 'ava';
import { adminCaller } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { partnerRealm, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { Browser, codeRequest, unescapeHtml } from '../helpers/form-browser.js';
import { HandMade } from '../helpers/passkeys.js';
import { codeOf } from '../helpers/read-page.js';
import { ALICE } from '../helpers/realms.js';
import { NEWCOMER } from '../helpers/registration.js';

interface Told {
  readonly totals: object;
  readonly factors: object;
  readonly activeUsers: { readonly day: number };
}

test('statistics: a sign-up, a brokered sign-in and one with a passkey are counted once each', async (t) => {
  const key = new HandMade();
  const users = (codeRealm('demo').users ?? []).map((user) =>
    user.username === 'alice'
      ? { ...user, credentials: [...(user.credentials ?? []), key.stored('webauthn-passwordless')] }
      : user,
  );
  const clients = (partnerRealm().clients ?? []).map((client) =>
    client.clientId === 'keyhost'
      ? { ...client, redirectUris: ['http://localhost/realms/demo/broker/partner/endpoint'] }
      : client,
  );
  const { host } = await startWithPartner(t, {
    demo: { users, registrationAllowed: true, eventsEnabled: false, webAuthnPolicyPasswordlessPasskeysEnabled: true },
    partner: { clients },
    // Passkeys need a host name, so do not listen on an IP address.
    argv: ['--http-host', 'localhost'],
  });
  const call = await adminCaller(host);
  const told = async () => JSON.parse((await call('GET', '/realms/demo/statistics')).text) as Told;
  t.like(await told(), { totals: { signIns: 0, failures: 0, signUps: 0 }, activeUsers: { day: 0 } });

  const newcomer = new Browser();
  const login = await newcomer.open(codeRequest(host).url);
  const href = /id="kc-registration"[\s\S]*?href="([^"]*)"/.exec(login.text)?.[1] ?? '';
  const register = await newcomer.open(new URL(unescapeHtml(href), login.url).href);
  t.truthy(codeOf(await newcomer.submit(register, NEWCOMER)));
  t.like(await told(), { totals: { signIns: 1, failures: 0, signUps: 1 }, activeUsers: { day: 1 } });

  const paula = new TwoRealmBrowser();
  t.truthy(codeOf(await paula.signInByPartner(host)));
  t.like(await told(), { totals: { signIns: 2, failures: 0 }, activeUsers: { day: 2 } });

  const alice = new Browser();
  const page = await alice.open(codeRequest(host).url);
  t.truthy(codeOf(await alice.submit(page, { credential: key.assertion(page, { userHandle: ALICE }) })));
  t.like(await told(), {
    totals: { signIns: 3, failures: 0 },
    // A registration uses no credential.
    factors: { signIns: 2, passkeys: 1, identityProviders: 1, passwords: 0 },
    activeUsers: { day: 3 },
  });
});
