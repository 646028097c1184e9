import test, { type ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { codeRealm } from '../helpers/code-realm.js';
import { type FreshCode, redeem } from '../helpers/codes.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { claimsOf } from '../helpers/host.js';
import { post, WEB } from '../helpers/login.js';

type Configured = Parameters<typeof onePolicy>[0];
type Changes = Record<string, string | undefined>;

const step = (authenticator: string) => ({ authenticator, requirement: 'REQUIRED', priority: 10 });
const ALICE = { username: 'alice', password: 'Alice-pass-1!' };

async function started(t: ExecutionContext) {
  const authenticationFlows = [
    { alias: 'deny', topLevel: true, authenticationExecutions: [step('deny-access-authenticator')] },
    { alias: 'form', topLevel: true, authenticationExecutions: [step('auth-username-password-form')] },
  ];
  const host = await startAdministered(t, { realms: [codeRealm('demo', { authenticationFlows })] });
  const call = await adminCaller(host);
  /** The result of a login: `acr` of its ID token and the number of submitted forms, or the error. */
  const logIn = async (browser: Browser, changes: Changes = {}): Promise<string> => {
    const { url, verifier } = codeRequest(host, changes);
    let page = await browser.open(url);
    let forms = 0;
    while (page.status === 200 && page.text.includes('name="password"') && forms < 3) {
      forms += 1;
      page = await browser.submit(page, ALICE);
    }
    const answer = page.location?.searchParams;
    const code = answer?.get('code');
    if (code === null || code === undefined) return answer?.get('error') ?? `page ${page.status}`;
    const { json } = await redeem(host, { code, verifier, session: '' } satisfies FreshCode);
    return `${claimsOf(json.id_token ?? '').acr} ${forms}`;
  };
  return {
    host,
    logIn,
    ask: async (configuration: Record<string, unknown>, conditions?: Configured) => {
      const policy = onePolicy([['auth-flow-enforcer', configuration]], conditions);
      const { status, text } = await call('PUT', '/realms/demo', policy);
      t.is(status, 204, text);
    },
    off: () => call('PUT', '/realms/demo', { clientPolicies: {} }),
  };
}

test('auth-flow-enforcer: a login uses the flow of the policy, and has its level', async (t) => {
  const { logIn, ask, off } = await started(t);
  const browser = new Browser();
  t.is(await logIn(browser), '1 1');
  t.is(await logIn(browser), '0 0');
  // As in Keycloak 26.7.3.
  await ask({ 'auth-flow-alias': 'browser' });
  const second = new Browser();
  t.deepEqual(
    [await logIn(second), await logIn(second), await logIn(second, { prompt: 'none' })],
    ['1 1', '0 0', '0 0'],
  );
  await ask({ 'auth-flow-alias': 'browser', 'auth-flow-loa': '3' });
  const third = new Browser();
  t.deepEqual([await logIn(third), await logIn(third), await logIn(third, { acr_values: '3' })], ['3 1', '3 0', '3 1']);
  t.is(await logIn(third, { prompt: 'none' }), '0 0');
  t.is(await logIn(third, { prompt: 'login' }), '3 1');
  const essential = { claims: JSON.stringify({ id_token: { acr: { essential: true, values: ['3'] } } }) };
  t.is(await logIn(third, essential), '3 1');
  await ask({});
  t.is(await logIn(new Browser()), '1 1', 'no flow is named');
  await off();
  t.is(await logIn(third), '0 0', 'the level is of the logins that the policy was for');
  t.is(await logIn(third, essential), 'unmet_authentication_requirements');
});

test('auth-flow-enforcer: nobody uses another flow: not by a session, not by a pushed request', async (t) => {
  const { host, logIn, ask } = await started(t);
  const browser = new Browser();
  t.is(await logIn(browser), '1 1');
  for (const alias of ['deny', 'nope', 'direct grant']) {
    await ask({ 'auth-flow-alias': alias, 'auth-flow-loa': 2 });
    for (const changes of [{}, { prompt: 'login' }, { acr_values: '2' }, { max_age: '0' }]) {
      for (const one of [browser, new Browser()]) {
        t.regex(
          await logIn(one, changes),
          /^page (400|401|403)$|^access_denied$/,
          `${alias} ${JSON.stringify(changes)}`,
        );
      }
    }
    t.regex(await logIn(browser, { prompt: 'none' }), /^login_required$|^interaction_required$/, alias);
    const parameters = [...new URL(codeRequest(host).url).searchParams].filter(([name]) => name !== 'client_id');
    const pushed = await post(host, 'ext/par/request', [...parameters, ...Object.entries(WEB)]);
    t.is(pushed.status, 201, pushed.text);
    const query = new URLSearchParams({ client_id: 'web', request_uri: pushed.json.request_uri ?? '' });
    const page = await browser.open(`${host.oidc('demo')}/auth?${query}`);
    t.is(page.location?.searchParams.get('code') ?? null, null, alias);
  }
  // A flow without the cookie step also asks users who are signed in.
  await ask({ 'auth-flow-alias': 'form' });
  t.is(await logIn(browser), '1 1');
  // A request pushed before the policy existed is checked when it is used.
  await ask({ 'auth-flow-alias': 'form' }, [['client-access-type', { type: ['public'] }]]);
  const parameters = [...new URL(codeRequest(host).url).searchParams].filter(([name]) => name !== 'client_id');
  const { json } = await post(host, 'ext/par/request', [...parameters, ...Object.entries(WEB)]);
  await ask({ 'auth-flow-alias': 'deny' });
  const query = new URLSearchParams({ client_id: 'web', request_uri: json.request_uri ?? '' });
  const page = await browser.open(`${host.oidc('demo')}/auth?${query}`);
  t.is(page.location?.searchParams.get('code') ?? null, null);
});

test('auth-flow-enforcer: a stronger flow is for logins that request its level', async (t) => {
  const { logIn, ask } = await started(t);
  const browser = new Browser();
  await ask({ 'auth-flow-alias': 'browser', 'auth-flow-loa': 2 }, [['acr-condition', { 'acr-property': '2' }]]);
  // As in Keycloak 26.7.3.
  t.is(await logIn(browser), '1 1');
  t.is(await logIn(browser, { acr_values: '2' }), '2 1', 'a session does not show that it has come through');
  t.is(await logIn(browser, { acr_values: '2' }), '2 1');
  t.is(await logIn(browser), '0 0');
  await ask({ 'auth-flow-alias': 'deny', 'auth-flow-loa': 2 }, [['acr-condition', { 'acr-property': '2' }]]);
  t.is(await logIn(browser), '0 0');
  t.regex(await logIn(browser, { acr_values: '2' }), /^page 4|^access_denied$/);
});
