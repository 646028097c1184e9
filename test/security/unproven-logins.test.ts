import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { PARTNER_ALICE, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import type { Answer, TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import {
  flow,
  GRANT,
  inner,
  isOutside,
  namingSteps,
  refusal,
  step,
  storeDirectly,
  WEAK,
  withManager,
  withWeak,
} from '../helpers/weak-flows.js';

const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: [{ module: 'steps' }, { module: 'apart', isolation: 'worker' }],
    packages: { steps: namingSteps(), apart: namingSteps('apart-') },
  }),
  // Logged for flows that were written to the store and that the API would reject.
  /no step verified the user|answered authenticate with what its SPI does not allow/,
);

/** Checks that the login fails, and that its event has the reason. */
async function unproven(t: ExecutionContext, host: TestHost, answer: Answer, what: string): Promise<void> {
  t.deepEqual([answer.status, answer.json.error], [400, 'invalid_grant'], what);
  t.notRegex(answer.text, /_token/, what);
  t.like((await host.stored(host.defaultRealm))[0], { type: 'LOGIN_ERROR', error: 'user_not_proven' }, what);
}

test('T465 · unproven logins: a stored flow without proof signs nobody in, and is logged', async (t) => {
  for (const [what, flows] of Object.entries(WEAK)) {
    const host = await withManager(shared(), withWeak(flows));
    await storeDirectly(host, () => ({ directGrantFlow: 'weak', browserFlow: 'weak' }));
    await unproven(t, host, await host.token(host.defaultRealm, GRANT), what);
    await unproven(t, host, await host.token(host.defaultRealm, { ...GRANT, password: 'wrong' }), what);
    isOutside(t, await new Browser().open(codeRequest(host).url), what);
    await storeDirectly(host, ({ clients = [] }) => ({
      directGrantFlow: 'direct grant',
      clients: clients.map((client) => ({ ...client, authenticationFlowBindingOverrides: { direct_grant: 'weak' } })),
    }));
    await unproven(t, host, await host.token(host.defaultRealm, GRANT), `${what}, of the client`);
    t.true(
      host.log.some(
        ({ level, fields }) =>
          level === 'error' && 'steps' in fields && JSON.stringify(fields).includes(host.defaultRealm),
      ),
    );
  }
});

test('T465 · unproven logins: a flow of few lines that expands to millions of steps is refused, and lets nobody in', async (t) => {
  const wide = (name: string) => [
    ...Array.from({ length: 10 }, (_, index) =>
      flow(index === 0 ? name : `f${index}`, ...Array.from({ length: 8 }, () => inner(`f${index + 1}`))),
    ),
    flow('f10', step('direct-grant-validate-username'), step('direct-grant-validate-password')),
  ];
  const says = 'the flow "wide" has more than 1000 executions, including its subflows';
  const bound = { browserFlow: 'wide', directGrantFlow: 'wide', registrationFlow: 'wide' };
  for (const changes of [{}, bound]) {
    const realm = testRealm('file', { ...changes, authenticationFlows: wide('wide') });
    t.true((await refusal(t, shared(), realm)).includes(says));
    const answer = await (await adminCaller(shared()))('POST', '/realms', { ...realm, realm: 'wide' });
    t.deepEqual([answer.status, answer.text.includes(JSON.stringify(says).slice(1, -1))], [400, true], answer.text);
  }
  const host = await withManager(shared());
  await storeDirectly(host, ({ clients = [] }) => ({
    ...bound,
    authenticationFlows: wide('wide'),
    clients: clients.map((client) => ({ ...client, authenticationFlowBindingOverrides: { browser: 'wide' } })),
  }));
  t.not((await host.token(host.defaultRealm, GRANT)).status, 200);
  isOutside(t, await new Browser().open(codeRequest(host).url), 'the browser');
  const call = await adminCaller(host);
  const shown = await call('GET', `/realms/${host.defaultRealm}/authentication/flows/wide/executions`);
  t.deepEqual([shown.status, (shown.json as unknown as unknown[]).length], [200, 8]);
  const mended = { browserFlow: 'browser', directGrantFlow: 'direct grant', registrationFlow: 'registration' };
  t.is((await call('PUT', `/realms/${host.defaultRealm}`, mended)).status, 204);
});

test('T466 · unproven logins: a plugin’s step proves a user if it declares that, and answers nothing else', async (t) => {
  const of = (id: string): Partial<RealmRepresentation> => ({
    directGrantFlow: 'own',
    browserFlow: 'own',
    authenticationFlows: [flow('own', step(id))],
  });
  for (const id of ['names', 'says-nothing', 'claims']) {
    t.regex(
      await refusal(t, shared(), testRealm('file', of(id))),
      new RegExp(`with steps that do not verify the user \\(${id}\\)`),
    );
  }
  const silent = ['names', 'says-nothing', 'proves-not-now'];
  const refused = ['claims', 'proves-oddly'];
  for (const id of [...silent, ...refused].flatMap((one) => [one, `apart-${one}`])) {
    const host = await withManager(shared());
    await storeDirectly(host, () => of(id));
    const answer = await host.token(host.defaultRealm, GRANT);
    const browser = new Browser();
    const page = await browser.open(codeRequest(host).url);
    if (silent.includes(id.replace('apart-', ''))) {
      await unproven(t, host, answer, id);
      isOutside(t, page, id);
    } else {
      t.deepEqual([answer.status, answer.json.error], [500, 'unknown_error'], id);
      t.deepEqual([page.status, page.location, browser.cookies.has('KEYCLOAK_IDENTITY')], [500, undefined, false], id);
    }
  }
  for (const id of ['proves', 'apart-proves']) {
    const host = await withManager(shared(), of(id));
    t.is((await host.token(host.defaultRealm, GRANT)).status, 200, id);
    t.truthy((await new Browser().open(codeRequest(host).url)).location?.searchParams.get('code'), id);
  }
});

test('T467 · unproven logins: proof of one user logs in no other', async (t) => {
  const own = (...ids: string[]): Partial<RealmRepresentation> => ({
    browserFlow: 'own',
    authenticationFlows: [
      flow('own', inner('cookie', 'ALTERNATIVE'), inner('forms', 'ALTERNATIVE')),
      flow('cookie', step('auth-cookie')),
      flow('forms', ...ids.map((id) => step(id))),
    ],
  });
  const host = await withManager(shared(), own('auth-username-password-form'));
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  const dave = await browser.submit(page, { username: 'dave', password: 'Dave-pass-1!' });
  t.truthy(dave.location?.searchParams.get('code'), dave.text);
  // Dave must sign in again. His name is given to the steps, and then another user is named.
  await storeDirectly(host, () => own('shown', 'asks-who'));
  const asked = await browser.open(codeRequest(host, { prompt: 'login' }).url);
  isOutside(t, await browser.submit(asked, { who: 'alice' }), 'alice after dave');
  t.like((await host.stored(host.defaultRealm))[0], { type: 'LOGIN_ERROR', error: 'user_not_proven' });
  const nobody = new Browser();
  isOutside(t, await nobody.submit(await nobody.open(codeRequest(host).url), { who: 'alice' }), 'alice after nobody');
  // The other way round, the proof must be of the user who was named first.
  await storeDirectly(host, () => own('asks-who', 'auth-username-password-form'));
  const other = new Browser();
  const form = await other.submit(await other.open(codeRequest(host).url), { who: 'alice' });
  const conflict = await other.submit(form, { username: 'dave', password: 'Dave-pass-1!' });
  t.is(conflict.location, undefined);
});

test('T470 · unproven logins: nobody becomes an existing user by registering', async (t) => {
  const host = await withManager(shared(), { authenticationFlows: [flow('own', step('names'))] });
  await storeDirectly(host, () => ({ registrationFlow: 'own' }));
  const browser = new Browser();
  isOutside(t, await browser.open(codeRequest(host, { prompt: 'create' }).url), 'at once');
  const page = await browser.open(codeRequest(host).url);
  const link = /href="([^"]*login-actions\/registration[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  isOutside(t, await browser.open(new URL(link, page.url).href), 'from the login page');
  t.true(
    (await host.stored(host.defaultRealm)).some(
      ({ type, error }) => type === 'REGISTER_ERROR' && error === 'user_not_proven',
    ),
  );
});

test('T471 · unproven logins: a first login at an identity provider links no user without proof here', async (t) => {
  const own = { authenticationFlows: [flow('own', step('idp-review-profile'), step('names'))] };
  const packages = { steps: namingSteps() };
  const { host, user, events } = await startWithPartner(t, { demo: own, plugins: [{ module: 'steps' }], packages });
  const call = await adminCaller(host);
  const bound = await call('PUT', '/realms/demo', { firstBrokerLoginFlow: 'own' });
  t.is(bound.status, 400);
  t.regex(bound.text, /firstBrokerLoginFlow: with the flow .*not verify the user \(idp-review-profile, names\)/);
  const path = '/realms/demo/identity-provider/instances/partner';
  const provider = (await call('GET', path)).json as object;
  const ofProvider = await call('PUT', path, { ...provider, firstBrokerLoginFlowAlias: 'own' });
  t.is(ofProvider.status, 400);
  t.regex(ofProvider.text, /of the identity provider .*partner/);
  await storeDirectly(host, () => ({ firstBrokerLoginFlow: 'own' }));
  isOutside(t, await new TwoRealmBrowser().signInByPartner(host, PARTNER_ALICE), 'alice of the partner');
  t.deepEqual((await user('alice'))?.representation.federatedIdentities ?? [], []);
  t.deepEqual((await events()).at(-1), 'IDENTITY_PROVIDER_FIRST_LOGIN_ERROR user_not_proven');
});

test('T472 · unproven logins: a second factor that a user has not set up proves nothing', async (t) => {
  for (const factor of ['webauthn-authenticator', 'auth-recovery-authn-code-form']) {
    const host = await withManager(shared(), {
      browserFlow: 'own',
      authenticationFlows: [flow('own', step('names'), step(factor))],
    });
    isOutside(t, await new Browser().open(codeRequest(host).url), factor);
    t.like((await host.stored(host.defaultRealm))[0], { type: 'LOGIN_ERROR', error: 'user_not_proven' }, factor);
  }
});
