import test from 'ava';
import { startPageApp } from '../helpers/page-app.js';
import { testRealm } from '../helpers/realms.js';

/** The source of a theme plugin: `provider` is what its `create` returns. */
const theme = (id: string, provider: string) => `import { provide, Theme } from '@keyhost/spi';
export default { name: '${id}', api: 1, providers: [provide(Theme, { id: '${id}', open: () => ({
  create: (session) => (${provider}),
}) })] };`;

const THEMES = {
  replacing: `{ render: async (page) => page.page === 'error'
    ? '<!doctype html><title>Mine</title><style>p { color: red }</style><p>' + page.message.key + page.realm.displayName : undefined }`,
  styling: `{ styles: async () => 'body { color: red } /* </style><script> */',
    messages: async (locale) => ({ doLogIn: 'Enter in ' + locale, password: 42 }) }`,
  throwing: `{ render: async () => { throw new Error('out of paint') }, styles: async () => 'never' }`,
  hanging: `{ render: () => new Promise(() => {}) }`,
  odd: `{ render: async () => 42, styles: async () => null, messages: async () => null }`,
  meddling: `{ render: async (page) => { page.realm.displayName = 'changed'; page.action = 'https://evil.test' } }`,
};

const names = Object.keys(THEMES);
const options = {
  realms: [
    ...names.map((name) => testRealm(name, { loginTheme: name, providers: {} })),
    testRealm('missing', { loginTheme: 'nobody', providers: {} }),
    testRealm('keycloak', { loginTheme: 'keycloak', providers: {} }),
  ],
  themes: Object.fromEntries(Object.entries(THEMES).map(([name, provider]) => [name, theme(name, provider)])),
  callTimeoutMs: 2000,
};

test('themes: a theme replaces the pages that it wants to, adds styles and texts, and cannot break a page', async (t) => {
  const app = await startPageApp(t, options);
  const login = (realm: string) => app.show('login', '', {}, realm);

  const replaced = await app.show('error', '', {}, 'replacing');
  t.is(replaced.status, 400);
  t.regex(replaced.text, /^<!doctype html><title>Mine<\/title>.*<p>invalidParameterMessagereplacing$/);
  t.is(replaced.headers.get('x-frame-options'), 'DENY');
  t.regex(replaced.headers.get('content-security-policy') ?? '', /style-src 'self' 'sha256-[\w+/]{43}='; /);
  t.regex((await login('replacing')).text, /id="kc-form-login"/, 'the rest is the host’s');

  const styled = await login('styling');
  t.true(styled.text.includes('<style>body { color: red } /* <\\/style><script> */</style>'));
  t.true(styled.text.indexOf('<style>') > styled.text.indexOf('rel="stylesheet"'));
  t.regex(styled.text, /type="submit">Enter in en<\/button>/);
  t.regex(styled.text, />Password<\/label>/, 'what is no text is passed over');
  t.regex(styled.headers.get('content-security-policy') ?? '', /style-src 'self' 'sha256-[\w+/]{43}='; /);

  for (const realm of ['throwing', 'hanging', 'odd', 'meddling', 'missing', 'keycloak']) {
    const own = await login(realm);
    t.is(own.status, 200);
    t.regex(own.text, new RegExp(`<title>Sign in to ${realm}</title>[\\s\\S]*action="/realms/demo/`), realm);
    t.notRegex(own.text, /out of paint|<style>/);
  }
  await login('missing');
  const said = app.log
    .filter(({ level }) => level !== 'debug')
    .map(({ level, message, fields }) => [level, message, fields]);
  t.deepEqual(said, [
    ['error', 'the login theme failed', { realm: 'throwing', page: 'login', reason: 'out of paint' }],
    [
      'error',
      'the login theme failed',
      { realm: 'hanging', page: 'login', reason: 'The provider did not answer in time' },
    ],
    ['warn', 'loginTheme not found', { realm: 'missing', theme: 'nobody' }],
  ]);
});
