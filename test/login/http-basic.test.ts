import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, inner, step } from '../helpers/weak-flows.js';

const shared = shareHost(test, { realms: [] });

const FLOWS = [
  flow('alone', step('http-basic-authenticator')),
  flow('beside', step('http-basic-authenticator', 'ALTERNATIVE'), inner('forms', 'ALTERNATIVE')),
  flow('forms', step('auth-username-password-form')),
];
const started = (browserFlow: string, changes = {}) =>
  inRealm(shared(), (name) => codeRealm(name, { providers: {}, browserFlow, authenticationFlows: FLOWS, ...changes }));

const encoded = (text: string) => Buffer.from(text).toString('base64');
const basic = (username: string, password: string) => `Basic ${encoded(`${username}:${password}`)}`;
const RIGHT = basic('alice', 'Alice-pass-1!');

const visit = (host: TestHost, authorization?: string) =>
  new Browser().open(codeRequest(host).url, { headers: authorization === undefined ? {} : { authorization } });

/** The result: signed in, refused by 401 with the header of RFC 7617, a form, or an error. */
function outcomeOf(host: TestHost, { location, status, headers, text }: Visit): string {
  if (location?.searchParams.has('code')) return 'in';
  if (headers.get('www-authenticate') === `Basic realm="${host.defaultRealm}", charset="UTF-8"`) return String(status);
  return text.includes('kc-form-login') ? 'form' : `error ${status}`;
}

/** As in Keycloak 26.7.3 unless a comment says otherwise: alone in the flow, and next to a form. */
const ROWS: readonly [what: string, header: string | undefined, alone: string, beside: string][] = [
  ['none', undefined, 'error 400', 'form'],
  ['right', RIGHT, 'in', 'in'],
  ['wrong', basic('alice', 'wrong'), '401', '401'],
  // Keycloak answers as without a header, which reveals that the user exists.
  ['unknown', basic('nobody', 'wrong'), '401', '401'],
  ['disabled', basic('carol', 'Carol-pass-1!'), '401', '401'],
  ['disabled and wrong', basic('carol', 'wrong'), '401', '401'],
  ['no base64', 'Basic %%%', 'error 400', 'form'],
  // In Keycloak the login ends with a server error.
  ['no colon', `Basic ${encoded('alice')}`, 'error 400', 'form'],
  ['another scheme', 'Bearer x', 'error 400', 'form'],
  // In Keycloak, too; the scheme's name is case-insensitive.
  ['lower case', RIGHT.replace('Basic', 'basic'), 'in', 'in'],
];

test('HTTP Basic step: username and password come in the header, and wrong ones get 401', async (t) => {
  const alone = await started('alone');
  const beside = await started('beside');
  for (const [what, header, ofAlone, ofBeside] of ROWS) {
    t.is(outcomeOf(alone, await visit(alone, header)), ofAlone, what);
    t.is(outcomeOf(beside, await visit(beside, header)), ofBeside, `${what}, beside a form`);
  }
});

test('HTTP Basic step: a refusal has the event of the user, and no page says more than that it failed', async (t) => {
  const host = await started('alone');
  const wrong = await visit(host, basic('alice', 'x'));
  const unknown = await visit(host, basic('nobody', 'x'));
  const bare = ({ text }: Visit) => text.replaceAll(/nonce="[^"]*"|[a-z_]+=[\w%.-]+/g, '');
  t.is(bare(wrong), bare(unknown));
  const events = await host.stored(host.defaultRealm);
  t.deepEqual(events.map(({ type, error }) => [type, error]).sort(), [
    ['LOGIN_ERROR', 'invalid_user_credentials'],
    ['LOGIN_ERROR', 'user_not_found'],
  ]);
  t.deepEqual(events.map(({ userId }) => userId !== undefined).sort(), [false, true]);
});

test('HTTP Basic step: client credentials at the token endpoint are no user’s', async (t) => {
  const host = await started('alone', {
    directGrantFlow: 'alone',
    users: [{ username: 'web', enabled: true, credentials: [{ type: 'password', value: WEB.client_secret }] }],
  });
  const form = { grant_type: 'password', username: 'web', password: WEB.client_secret };
  const authorization = basic(WEB.client_id, WEB.client_secret);
  const { status, json } = await host.token(host.defaultRealm, form, { authorization });
  t.deepEqual([status, json.error], [400, 'invalid_grant']);
});

test('HTTP Basic step: wrong passwords in the header count for brute force detection', async (t) => {
  const locks = { bruteForceProtected: true, failureFactor: 3, waitIncrementSeconds: 600 };
  const host = await started('alone', locks);
  for (let i = 0; i < 4; i++) await visit(host, basic('alice', `wrong-${i}`));
  t.is(outcomeOf(host, await visit(host, RIGHT)), '401');
});
