import test from 'ava';
import { type PageApp, startPageApp } from '../helpers/page-app.js';
import { testRealm } from '../helpers/realms.js';
import { SAMPLE_NAMES, type SamplePage } from '../helpers/sample-pages.js';

const EVIL = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>{0}\${x}`;
const BAD_URL = 'javascript:alert(1)';
const evil = { key: EVIL };
const message = { key: EVIL, params: [EVIL], severity: 'error' } as const;
const field = (type: 'text' | 'password' | 'checkbox' | 'hidden') =>
  ({ name: EVIL, label: evil, type, value: EVIL, autocomplete: EVIL, error: evil }) as const;

/** Every page with markup in every text, and a script for every address. */
const EVIL_PAGES: Record<string, SamplePage> = {
  'evil-login': {
    content: {
      page: 'login',
      action: BAD_URL,
      username: EVIL,
      usernameEditable: true,
      rememberMe: true,
      usernameLabel: evil,
    },
    extra: { message },
    clientId: EVIL,
  },
  'evil-consent': {
    content: {
      page: 'consent',
      action: BAD_URL,
      scopes: [{ ...evil, description: evil }],
      userCode: EVIL,
      username: EVIL,
    },
    extra: { message },
    clientId: EVIL,
  },
  'evil-error': { content: { page: 'error', backUrl: BAD_URL }, extra: { message }, clientId: EVIL },
  'evil-info': { content: { page: 'info', title: evil, continueUrl: BAD_URL }, extra: { message } },
  'evil-expired': { content: { page: 'page-expired', restartUrl: BAD_URL, continueUrl: ` ${BAD_URL}` } },
  'evil-confirm': {
    content: {
      page: 'confirm',
      title: evil,
      text: { key: 'actionTokenConfirmText', params: [EVIL] },
      submit: evil,
      submitName: EVIL,
      action: BAD_URL,
      fields: [[EVIL, EVIL]],
    },
  },
  'evil-post': { content: { page: 'form-post', action: `https://a.test/${EVIL}`, fields: [[EVIL, EVIL]] } },
  'evil-logout': {
    content: {
      page: 'frontchannel-logout',
      logouts: [{ name: EVIL, url: "https://a;script-src'x'/" }],
      continueUrl: BAD_URL,
    },
  },
  'evil-form': {
    content: {
      page: 'form',
      title: evil,
      text: evil,
      action: BAD_URL,
      fields: [field('text'), field('password'), field('checkbox'), field('hidden')],
      submit: evil,
      cancel: evil,
    },
    extra: { message },
  },
};

let app: PageApp;
const cleanups: (() => unknown)[] = [];
test.before(async () => {
  const plain = testRealm('demo', { providers: {} });
  app = await startPageApp(
    { teardown: (cleanup) => void cleanups.unshift(cleanup) },
    {
      realms: [
        plain,
        { realm: 'evil', enabled: true, displayName: EVIL, clients: [{ clientId: EVIL, publicClient: true }] },
      ],
      samples: EVIL_PAGES,
    },
  );
});
test.after.always(async () => {
  for (const cleanup of cleanups) await cleanup();
});

test('pages: every page is HTML of its language, not cached, framed or sniffed', async (t) => {
  for (const name of SAMPLE_NAMES) {
    const { headers, text } = await app.show(name);
    const values = ['content-type', 'content-language', 'x-frame-options', 'referrer-policy', 'x-content-type-options'];
    t.deepEqual(
      values.map((header) => headers.get(header)),
      ['text/html; charset=utf-8', 'en', 'DENY', 'no-referrer', 'nosniff'],
      name,
    );
    t.is(headers.get('cache-control'), 'no-store, must-revalidate, max-age=0');
    t.is(headers.get('set-cookie'), null);
    t.regex(text, /^<!doctype html>\n<html lang="en" dir="ltr">/);
    t.is(text.match(/<h1/g)?.length, 1, name);
    t.notRegex(text, /<style|\sstyle=|\son\w+=|<script>/, 'nothing is inline');
  }
});

test('pages: the policy of a page names what that page needs and nothing else', async (t) => {
  const common = (forms: string, scripts = '', frames = '') =>
    `default-src 'none'; style-src 'self'; img-src 'self' data:; ${scripts}form-action 'self'${forms}; ${frames}base-uri 'none'; frame-ancestors 'none'`;
  const scripts = "script-src 'self'; ";
  const policies = {
    login: common(' http://127.0.0.1:9999', scripts),
    'login-failed': common('', scripts),
    consent: common(' http://127.0.0.1:9999', scripts),
    error: common(''),
    confirm: common(''),
    'form-post': common(' http://127.0.0.1:9999', scripts),
    'frontchannel-logout': common('', scripts, 'frame-src http://127.0.0.1:9999 http://127.0.0.1:9998; '),
  };
  for (const [name, policy] of Object.entries(policies)) {
    t.is((await app.show(name)).headers.get('content-security-policy'), policy, name);
  }
});

test('pages: a text is never markup, an address never a script, and neither gets into a header', async (t) => {
  for (const name of Object.keys(EVIL_PAGES)) {
    const { status, headers, text } = await app.show(name, '', {}, 'evil');
    t.is(status, 200);
    t.notRegex(text, /<script>|<img|onerror=alert\(1\)>(?!.*&gt;)/, name);
    t.notRegex(text, /=\s*"\s*javascript:/i, name);
    const tags = text.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? [];
    t.true(tags.length > 15 && tags.every((tag) => !/onerror|alert/.test(tag)), name);
    const policy = headers.get('content-security-policy') ?? '';
    t.notRegex(policy, /script-src'|alert|unsafe/, name);
  }
  const logout = await app.show('evil-logout', '', {}, 'evil');
  t.regex(logout.headers.get('content-security-policy') ?? '', /frame-src https:;/);
});

test('pages: the login form has the ids, names and texts of Keycloak', async (t) => {
  const { text } = await app.show('login');
  t.true(text.includes('<title>Sign in to demo</title>'));
  t.true(text.includes('<h1 id="kc-page-title">Sign in to your account</h1>'));
  t.regex(
    text,
    /<form id="kc-form-login" class="login" action="\/realms\/demo\/login-actions\/authenticate\?[^"]*" method="post">/,
  );
  t.regex(
    text,
    /<label for="username">Username or email<\/label><input id="username" name="username" value="" type="text"/,
  );
  t.regex(
    text,
    /<label for="password">Password<\/label>.*<input id="password" name="password" value="" type="password"/,
  );
  t.regex(text, /id="username"[^>]* autocomplete="username"/);
  t.regex(text, /id="password"[^>]* autocomplete="current-password"/);
  t.regex(text, /<input id="rememberMe" name="rememberMe" type="checkbox" value="on"><span>Remember me/);
  t.regex(text, /<button class="button" name="login" id="kc-login" type="submit">Sign in<\/button>/);
  t.notRegex(text, /aria-invalid|role="alert"/);
});

test('pages: errors are announced at once and tied to their fields', async (t) => {
  const failed = (await app.show('login-failed')).text;
  t.regex(failed, /id="input-error" role="alert">[\s\S]*Invalid username or password\./);
  t.is(failed.match(/aria-invalid="true" aria-describedby="input-error"/g)?.length, 2);
  t.regex(failed, /id="rememberMe"[^>]* checked/);
  t.notRegex(failed, /id="password"[^>]*value="[^"]/);
  const again = (await app.show('login-again')).text;
  t.regex(again, /id="input-error" role="status"/);
  t.regex(again, /id="username"[^>]* readonly/);
  t.notRegex(again, /aria-invalid|rememberMe/);
  const form = (await app.show('form')).text;
  t.regex(form, /id="otp"[^>]* required aria-invalid="true" aria-describedby="input-error-otp" autofocus/);
  t.regex(form, /id="input-error-otp" role="alert">Invalid authenticator code\./);
});

test('pages: consent, error, confirmation and expired pages have the ids of Keycloak', async (t) => {
  const consent = (await app.show('consent')).text;
  t.true(consent.includes('Grant access to web'));
  t.regex(consent, /You are signed in as alice\./);
  t.regex(consent, /<span>User profile<\/span><span class="scope-help">Your name, your username/);
  t.regex(
    consent,
    /<span>Email address<\/span><\/li><li><span>Read your mail<\/span><span class="scope-help">All of it\.</,
  );
  t.regex(consent, /id="kc-login" name="accept" value="Allow"/);
  t.regex(consent, /id="kc-cancel" name="cancel" value="Do not allow"/);
  const error = await app.show('error');
  t.is(error.status, 400);
  t.regex(error.text, /<p id="kc-error-message">The application sent an invalid request\./);
  t.regex(error.text, /<p id="kc-error-fault" class="fault">For developers: Invalid parameter: redirect_uri</);
  t.regex(error.text, /id="backToApplication" href="https:\/\/app\.example\.test\/"/);
  t.regex((await app.show('confirm')).text, /id="kc-logout" name="confirmLogout">Sign out</);
  const expired = (await app.show('page-expired')).text;
  t.regex(expired, /id="loginContinueLink" href="\/realms\/demo\/continue"/);
  t.regex(expired, /id="loginRestartLink" href="\/realms\/demo\/restart"/);
  t.regex((await app.show('info')).text, /id="kc-info-message">Your account has been updated\.</);
});

test('pages: stylesheet and scripts have their types, are kept for ever, and other files are not there', async (t) => {
  const { text } = await app.show('login');
  const address = /<link rel="stylesheet" href="([^"]+)"/.exec(text)?.[1] ?? '';
  t.regex(address, /^\/resources\/[\w-]{12}\/login\/login\.css$/);
  const script = /<script src="([^"]+)" defer>/.exec(text)?.[1] ?? '';
  const types = [
    [address, 'text/css; charset=utf-8'],
    [script, 'text/javascript; charset=utf-8'],
  ];
  for (const [path = '', type] of types) {
    const { status, headers } = await fetch(`${app.url}${path}`);
    t.deepEqual([status, headers.get('content-type')], [200, type as string]);
    t.is(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is((await fetch(`${app.url}${path}`, { method: 'HEAD' })).status, 200);
    t.is((await fetch(`${app.url}${path}`, { method: 'POST' })).status, 404);
  }
  for (const other of ['', 'constructor', '__proto__', '../../package.json', 'login.css/'])
    t.is((await fetch(`${app.url}${address.replace('login.css', other)}`)).status, 404, other);
});
