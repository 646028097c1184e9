import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { inRealm } from '../helpers/host.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { rememberingStep } from '../helpers/remembering-step.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, {
  realms: [],
  plugins: [{ module: 'remembers' }, { module: 'other' }],
  packages: { remembers: rememberingStep('remembers'), other: rememberingStep('other') },
});
const realm = (...steps: string[]) => inRealm(shared(), (name) => codeRealm(name, flowWith(...steps)));

test('T643 · cookies of steps: the cookie of a step is nothing to another realm or plugin, nor when it was changed', async (t) => {
  const host = await realm('remembers');
  const browser = new Browser();
  await browser.submit(await browser.open(codeRequest(host).url), { username: 'alice' });
  const sealed = browser.cookies.get('KEYHOST_STEP_%40test%2Fremembers_who') ?? '';
  t.false(Buffer.from(sealed.split('.')[3] ?? '', 'base64url').includes('alice'), 'nobody reads it');
  const other = await realm('remembers');
  const plugin = await realm('other');
  const middle = Math.floor(sealed.length / 2);
  const swapped = `${sealed.slice(0, middle)}${sealed[middle] === 'A' ? 'B' : 'A'}${sealed.slice(middle + 1)}`;
  const tries = [
    { what: 'another realm', at: other, name: 'remembers_who', value: sealed },
    { what: 'another plugin', at: plugin, name: 'other_who', value: sealed },
    { what: 'another cookie of the step', at: host, name: 'remembers_visits', value: sealed },
    { what: 'changed', at: host, name: 'remembers_who', value: swapped },
    { what: 'made up', at: host, name: 'remembers_who', value: 'alice' },
  ];
  for (const { what, at, name, value } of tries) {
    const thief = new Browser();
    thief.cookies.set(`KEYHOST_STEP_%40test%2F${name}`, value);
    const { text, location } = await thief.open(codeRequest(at).url);
    t.is(location, undefined, what);
    t.true(text.includes('cookies&quot;:{}'), `${what}: ${text}`);
  }
});

test('T644 · cookies of steps: a step declares no header that carries credentials, and no cookie that lasts for ever', async (t) => {
  const { Authenticator } = await import('@keyhost/spi');
  const refused = (declaration: object) =>
    t.throws(() => Authenticator.check?.({ open: () => ({}), ...declaration }))?.message;
  for (const name of ['authorization', 'cookie', 'proxy-authorization', 'dpop', 'Cookie', 'x y'])
    t.regex(refused({ headers: [name] }) ?? '', /^headers must be/, name);
  t.regex(refused({ cookies: { who: { maxAge: 400 * 86_400 + 1 } } }) ?? '', /^cookies\.who\.maxAge must be/);
  t.regex(refused({ cookies: { who: {} } }) ?? '', /^cookies\.who\.maxAge must be/);
  t.regex(refused({ cookies: { 'a;b': { maxAge: 1 } } }) ?? '', /^cookies\.a;b: a name is/);
  t.regex(
    refused({ cookies: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`c${n}`, { maxAge: 1 }])) }) ?? '',
    /^cookies must/,
  );
});

test('T645 · cookies of steps: an answer of a step that is refused leaves no cookie', async (t) => {
  const host = await realm('other', 'remembers');
  const browser = new Browser();
  const second = await browser.submit(await browser.open(codeRequest(host).url), { username: 'alice' });
  const refused = await browser.submit(second, { username: 'dave' });
  t.deepEqual([refused.status, refused.location], [400, undefined], refused.text);
  t.true(browser.cookies.has('KEYHOST_STEP_%40test%2Fother_who'), 'that of the first step');
  t.false(browser.cookies.has('KEYHOST_STEP_%40test%2Fremembers_who'), 'dave was not who began');
});
