import test from 'ava';
import { accountRealm, accountUser, openAccount, PASSWORD, send, told } from '../helpers/account.js';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { pluginSource } from '../helpers/plugins.js';
import { shareHost } from '../helpers/shared-host.js';

/** Notes of users: the page shows `erin` her own, but the plugin's `act` alone could remove any note. */
const PLUGIN = pluginSource(import.meta.url, 'plugins/notes.js');

const FRANK = { username: 'frank', password: PASSWORD };
const providers = { 'account-page': { notes: { enabled: true }, thief: { enabled: true } } };
const shared = shareHost(
  test,
  {
    realms: [accountRealm([accountUser('erin'), accountUser('frank')], { providers })],
    plugins: [{ module: 'notes', isolation: 'worker' }],
    packages: { notes: PLUGIN },
  },
  /a page of the account failed/,
);
const notes = ({ text }: Visit) => [...text.matchAll(/data-row="([^"]*)"/g)].map(([, id]) => id);

test('T762 · account pages of plugins: a form from another site, or without its token, does nothing', async (t) => {
  const host = shared();
  const browser = new Browser();
  const page = await openAccount(browser, host, '/pages/notes');
  const remove = { 'kc.action': 'remove', 'kc.row': 'of-erin' };
  const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' };
  t.is((await send(browser, page, '/pages/notes', remove, elsewhere)).status, 400);
  for (const stateChecker of ['', 'x', 'x'.repeat(32)]) {
    t.is((await send(browser, page, '/pages/notes', { ...remove, stateChecker })).status, 400);
  }
  const { status } = await send(new Browser(), page, '/pages/notes', remove);
  t.not(status, 303, 'who is not signed in');
  // The form token of another session.
  const other = await openAccount(new Browser(), host, '/pages/notes', FRANK);
  t.is((await send(browser, { ...page, text: other.text }, '/pages/notes', remove)).status, 400);
  t.deepEqual(notes(await openAccount(browser, host, '/pages/notes')), ['of-erin']);
});

test('T763 · account pages of plugins: nobody acts on another user’s row, or calls what the page does not offer', async (t) => {
  const host = shared();
  const browser = new Browser();
  const page = await openAccount(browser, host, '/pages/notes', FRANK);
  for (const fields of [
    [
      ['kc.action', 'remove'],
      ['kc.row', 'of-erin'],
    ],
    [
      ['kc.action', 'remove'],
      ['kc.row', 'of-erin'],
      ['kc.row', 'of-frank'],
    ],
    [['kc.action', 'all']],
    [
      ['kc.action', 'all'],
      ['kc.row', 'of-frank'],
    ],
    [['kc.action', '__proto__']],
  ] as [string, string][][]) {
    await send(browser, page, '/pages/notes', fields);
  }
  t.deepEqual(notes(await openAccount(browser, host, '/pages/notes', FRANK)), ['of-frank']);
  t.deepEqual(notes(await openAccount(new Browser(), host, '/pages/notes')), ['of-erin']);
});

test('T764 · account pages of plugins: a page whose field is named as the form token is not shown, and gets no token', async (t) => {
  const browser = new Browser();
  const page = await openAccount(browser, shared(), '/pages/thief');
  t.deepEqual([page.status, told(page)[1]], [503, 'This page is not available at the moment. Try again later.']);
  const profile = await openAccount(browser, shared(), '/');
  const answer = await send(browser, profile, '/pages/thief', { 'kc.action': 'add' });
  t.is(answer.status, 503);
  t.notRegex(answer.text, /Got /);
});
