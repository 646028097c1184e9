import test from 'ava';
import { accountRealm, accountUser, openAccount, PASSWORD, send, told } from '../helpers/account.js';
import { Browser } from '../helpers/form-browser.js';
import { pluginSource } from '../helpers/plugins.js';
import { shareHost } from '../helpers/shared-host.js';

/** A page with several blocks for one action, and invalid pages, each for the user whose name describes the fault. */
const PLUGIN = pluginSource(import.meta.url, 'plugins/blocks.js');

const PAGE = '/pages/blocks';
const FAULTS = {
  forms: /two blocks have the action \\"save\\": give each an id/,
  buttons: /two blocks with the action \\"clear\\" have the id \\"all\\"/,
  rows: /two rows with the id \\"one\\" have the action \\"clear\\"/,
};
const shared = shareHost(
  test,
  {
    realms: [
      accountRealm(
        ['erin', ...Object.keys(FAULTS)].map((name) => accountUser(name)),
        { providers: { 'account-page': { blocks: { enabled: true } } } },
      ),
    ],
    plugins: [{ module: 'blocks', isolation: 'worker' }],
    packages: { blocks: PLUGIN },
  },
  /a page of the account failed/,
);

test('account pages of plugins: of several blocks with one action, the plugin gets the one that was used', async (t) => {
  const browser = new Browser();
  const page = await openAccount(browser, shared(), PAGE);
  t.is(page.status, 200);
  for (const id of ['mail', 'phone', 'all', 'old']) t.regex(page.text, new RegExp(`name="kc.block" value="${id}"`));
  for (const [fields, call] of [
    [
      { 'kc.action': 'save', 'kc.block': 'phone', phone: '1', mail: 'x' },
      { action: 'save', block: 'phone', form: { phone: '1' } },
    ],
    [
      { 'kc.action': 'save', 'kc.block': 'mail', mail: 'x' },
      { action: 'save', block: 'mail', form: { mail: 'x' } },
    ],
    [
      { 'kc.action': 'save', other: 'y' },
      { action: 'save', form: { other: 'y' } },
    ],
    [
      { 'kc.action': 'clear', 'kc.block': 'old' },
      { action: 'clear', block: 'old', form: {} },
    ],
    [
      { 'kc.action': 'clear', 'kc.row': 'two' },
      { action: 'clear', row: 'two', form: {} },
    ],
  ] as [Record<string, string>, object][]) {
    t.is((await send(browser, page, PAGE, fields)).status, 303);
    t.deepEqual(told(await openAccount(browser, shared(), PAGE)), ['Blocks', JSON.stringify(call)]);
  }
  for (const fields of [
    { 'kc.action': 'save', 'kc.block': 'all' },
    { 'kc.action': 'clear' },
    { 'kc.action': 'clear', 'kc.block': 'old', 'kc.row': 'two' },
  ] as Record<string, string>[]) {
    t.is((await send(browser, page, PAGE, fields)).status, 303);
    t.regex(told(await openAccount(browser, shared(), PAGE))[1] ?? '', /Nothing was done/, JSON.stringify(fields));
  }
  // The input of one form stays in that form.
  const refused = await send(browser, page, PAGE, { 'kc.action': 'save', 'kc.block': 'phone', phone: 'refuse' });
  t.is(refused.status, 400);
  t.regex(refused.text, /name="phone"[^>]* value="refuse"/);
  t.notRegex(refused.text, /name="(mail|other)"[^>]* value="[^"]/);
});

for (const [other, status] of [
  ['long', 200],
  ['long in bytes', 200],
  ['long in parameters', 200],
  ['long in languages', 303],
] as const) {
  test(`account pages of plugins: a notice that is ${other} is shown in full`, async (t) => {
    const browser = new Browser();
    const page = await openAccount(browser, shared(), PAGE);
    const answer = await send(browser, page, PAGE, { 'kc.action': 'save', other });
    t.is(answer.status, status);
    const [heading, notice] = told(status === 200 ? answer : await openAccount(browser, shared(), PAGE));
    t.is(heading, 'Blocks');
    t.regex(notice ?? '', /^Long (x{5000}|x{500}|ü{800})\.$/);
  });
}

for (const [username, reason] of Object.entries(FAULTS)) {
  test(`account pages of plugins: a page whose blocks are ambiguous is not shown, and the log says why: ${username}`, async (t) => {
    const host = shared();
    const page = await openAccount(new Browser(), host, PAGE, { username, password: PASSWORD });
    t.is(page.status, 503);
    const reasons = host.log.map(({ fields }) => JSON.stringify(fields));
    t.true(reasons.some((one) => reason.test(one)));
  });
}
