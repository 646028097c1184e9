import test from 'ava';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { post, WEB } from '../helpers/login.js';
import { logInByBrowser } from '../helpers/logout.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [testRealm('demo')] });

const auth = (claims: unknown, changes: Record<string, string> = {}) =>
  codeRequest(host(), { claims: typeof claims === 'string' ? claims : JSON.stringify(claims), ...changes });
const ofIdToken = (id_token: object) => auth({ id_token }).url;
const silent = { prompt: 'none' };

test('claims parameter: claims that are no JSON, or not of the shape that they have, are refused, pushed or not', async (t) => {
  const odd = [
    '{',
    'x',
    '"x"',
    '[]',
    'null',
    '1',
    '{"id_token":{}',
    { id_token: [] },
    { id_token: null },
    { userinfo: 'email' },
    { id_token: { acr: '1' } },
    { id_token: { acr: { essential: 'yes' } } },
    { id_token: { name: true } },
    { id_token: { acr: { values: '1' } } },
    { id_token: { acr: { value: 1 } } },
    { id_token: { sub: { value: {} } } },
  ];
  for (const claims of odd) {
    const { url } = auth(claims);
    const { location } = await new Browser().open(url);
    const what = JSON.stringify(claims);
    t.is(location?.searchParams.get('error'), 'invalid_request', what);
    t.is(location?.searchParams.get('error_description'), 'Invalid parameter: claims', what);
    const pushed = await post(host(), 'ext/par/request', { ...Object.fromEntries(new URL(url).searchParams), ...WEB });
    t.is(pushed.status, 400, what);
  }
});

test('claims parameter: an essential acr that no login has is an error at once; a voluntary one is ignored', async (t) => {
  for (const acr of [{ value: '2' }, { values: ['gold', '2'] }, { values: [] }]) {
    const { location } = await new Browser().open(ofIdToken({ acr: { essential: true, ...acr } }));
    t.is(location?.searchParams.get('error'), 'unmet_authentication_requirements', JSON.stringify(acr));
    for (const essential of [{}, { essential: false }])
      t.is((await new Browser().open(ofIdToken({ acr: { ...essential, ...acr } }))).status, 200);
  }
  for (const acr of [
    null,
    { essential: true },
    { essential: true, values: ['2', '1'] },
    { essential: true, value: '1' },
  ])
    t.truthy((await signIn(new Browser(), ofIdToken({ acr }))).location?.searchParams.get('code'));
});

test('claims parameter: the ID token is about the requested sub, or there is none', async (t) => {
  const { browser, tokens } = await logInByBrowser(host());
  const about = (value: string, more: Record<string, string> = {}) =>
    browser.open(auth({ id_token: { sub: { value } } }, { ...silent, ...more }).url);
  t.truthy((await about(ALICE)).location?.searchParams.get('code'));
  t.is((await about(DAVE)).location?.searchParams.get('error'), 'login_required');
  const hint = { id_token_hint: tokens.id_token };
  t.truthy((await about(ALICE, hint)).location?.searchParams.get('code'));
  t.is((await about(DAVE, hint)).location?.searchParams.get('error'), 'invalid_request', 'two users at once');
  const wrong = await signIn(new Browser(), auth({ id_token: { sub: { value: DAVE } } }).url);
  t.is(wrong.location?.searchParams.get('error'), 'login_required');
});

test('claims parameter: other requested claims prevent no login', async (t) => {
  const claims = {
    userinfo: { email: null, 'https://x.test/y': { value: 1 } },
    id_token: { name: { essential: true } },
    x: 1,
  };
  t.truthy((await signIn(new Browser(), auth(claims).url)).location?.searchParams.get('code'));
});
