import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn, signIn } from '../helpers/admin-console.js';
import { enabledPages, pagePlugin } from '../helpers/admin-pages.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { claimsOf, fetchAnswer, startHost } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const AT_PROVIDER = `at: 'provider', title: { en: 'Notes of the plugin', de: 'Notizen des Plugins' },`;
const WORDY = `
  blocks: [
    { kind: 'text', tone: 'warning', text: { en: 'Mind the gap', de: 'Achtung, Lücke' },
      link: { title: { en: 'Who is there', de: 'Wer da ist' }, to: '/users' } },
    { kind: 'table', id: 'notes', title: { en: 'Notes', de: 'Notizen' }, link: { title: 'All users', to: '/users' }, rows: { operation: 'list' }, key: '/key', empty: 'None', search: true,
      columns: [
        { title: 'Text', at: '/text' },
        { title: { en: 'Colour', de: 'Farbe' }, at: '/colour', as: { badge: { red: 'bad', blue: 'good' }, words: { red: { en: 'red', de: 'rot' } } } },
        { title: { en: 'By', de: 'Von' }, at: '/by', as: 'code' },
        { title: 'More', at: '/link', as: 'link' },
      ],
      actions: [{ title: { en: 'Add a note', de: 'Notiz anlegen' }, does: { form: 'add' } }],
      rowActions: [
        { title: { en: 'Remove', de: 'Löschen' }, does: { operation: 'remove', with: { key: { row: '/key' } } }, danger: true,
          confirm: { en: 'Remove it for ever?', de: 'Für immer löschen?' } },
        { title: { en: 'Ping', de: 'Anstoßen' }, does: { operation: 'ping', with: { key: { row: '/key' } } } },
      ] },
    { kind: 'form', id: 'add', title: { en: 'Add a note', de: 'Notiz anlegen' }, submitTitle: { en: 'Add', de: 'Anlegen' }, opens: 'by-action', link: { title: 'Rules', to: 'https://rules.example/' },
      schema: { type: 'object', required: ['text'], properties: { text: { type: 'string' }, colour: { enum: ['red', 'blue'], default: 'blue' }, pin: { type: 'string', writeOnly: true } } },
      fields: { '/text': { title: { en: 'What', de: 'Was' }, help: { en: 'A few words', de: 'Ein paar Worte' } }, '/colour': { title: { en: 'Colour', de: 'Farbe' } } },
      submit: { operation: 'add' },
      result: { show: [{ title: 'Code', at: '/code', as: 'code', once: true }], reload: ['notes'] } },
    { kind: 'form', id: 'settings', title: { en: 'Settings', de: 'Einstellungen' }, link: { title: { en: 'Beside', de: 'Daneben' }, to: '/pages/notes' }, submitTitle: { en: 'Keep', de: 'Behalten' },
      schema: { type: 'object', properties: { days: { type: 'integer', title: 'Days' } } },
      initial: { operation: 'settings' }, submit: { operation: 'change' },
      result: { show: [{ title: 'Days', at: '/body/days', as: 'number' }] } },
  ],
  operations: { ...declaration.operations, ping: { method: 'POST', body: { type: 'object', properties: { key: { type: 'string' } } } }, settings: { method: 'GET' } },`;
const METHODS = `
      async ping() { throw new HostError('asleep', 'nobody is at home', { status: 409, expose: true }); },
      async settings() { return { days: 7 }; },`;

const users = [
  ...(testRealm('demo').users ?? []),
  administrator('manager', 'manage-users', 'manage-events', 'view-realm'),
  administrator('viewer', 'view-users', 'view-events', 'view-realm'),
  administrator('cleo', 'view-clients'),
];

/** A host with the newsletter, and one with plugins of the test's own: a folder of providers holds either. */
const scene = shareStarted(test, async (scope) => {
  const { 'realm-restapi-extension': _, ...handlers } = testRealm('demo').providers ?? {};
  const newsletter = testRealm('demo', {
    users,
    providers: {
      ...handlers,
      'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'none' } } },
      ...enabledPages('newsletter-links'),
    },
  });
  const noted = testRealm('demo', { users, providers: enabledPages('notes', 'beside') });
  const packages = {
    notes: pagePlugin('notes', { changes: WORDY, methods: METHODS }),
    beside: pagePlugin('beside', { changes: AT_PROVIDER }),
  };
  const [host, notes] = await Promise.all([
    startHost(scope, administered({ realms: [newsletter, testRealm('plain')] })),
    startHost(scope, administered({ realms: [noted], plugins: [{ module: 'notes' }, { module: 'beside' }], packages })),
  ]);
  return { host, notes, browser: hasChromium ? await startBrowser(scope) : undefined };
});

function started(which: 'links' | 'notes') {
  const { browser, host, notes } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host: which === 'links' ? host : notes, browser };
}

const as = (username: string) => ({ realm: 'demo', username, password: username });
const LINKS = 'realms/demo/pages/newsletter-links';
const NOTES = 'realms/demo/pages/notes';

async function add(page: Page, text: string, colour = '') {
  await page.getByRole('button', { name: 'Add a note', exact: true }).click();
  await page.getByRole('textbox', { name: 'What' }).fill(text);
  if (colour !== '') await page.getByLabel('Colour', { exact: true }).selectOption({ label: colour });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

browserTest(
  'admin console, pages of plugins: an admin creates a newsletter link on the plugin’s page: it is shown once, copied, works, and is listed',
  async (t) => {
    const { page, context, done } = await openAdminConsole(t, started('links'), `${LINKS}?realm=demo`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, as('manager'));
    await page.getByRole('heading', { name: 'Newsletter links', exact: true, level: 1 }).waitFor();
    await page.getByText('No links yet. Create one.').waitFor();
    await page.getByRole('button', { name: 'Create a link', exact: true }).click();
    await page.getByRole('textbox', { name: 'User' }).fill('carol');
    await page.getByRole('textbox', { name: 'Application' }).fill('42');
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await page.getByText('The user is disabled').waitFor();
    await shows(t, () => page.getByRole('textbox', { name: 'User' }).getAttribute('aria-invalid'), 'true');
    await shows(t, () => page.getByRole('textbox', { name: 'Application' }).inputValue(), '42', 'what was typed stays');
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('textbox', { name: 'User' }).fill('alice');
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await page.getByText('shown only once').waitFor();
    t.deepEqual(await axeFindings(page), []);
    const link = await page.locator('.form-result code').innerText();
    await page.getByRole('button', { name: 'Copy Link', exact: true }).click();
    await page.getByRole('button', { name: 'Copy Link', exact: true }).getByText('Copied').waitFor();
    await shows(t, () => page.evaluate('navigator.clipboard.readText()'), link);
    await page.keyboard.press('Escape');
    await shows(
      t,
      () => page.locator('.form-result code').innerText(),
      link,
      'a key does not close what is shown once',
    );
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    const row = page.getByRole('row', { name: 'alice' });
    await row.getByText('valid').waitFor();
    await shows(t, () => row.innerText(), /42[\s\S]*manager/);
    t.regex((await row.getByRole('link').getAttribute('href')) ?? '', new RegExp(`/realms/demo/users/${ALICE}$`));
    t.false((await page.content()).includes(link), 'the link is nowhere any more');
    const followed = await fetchAnswer(link);
    t.is(followed.status, 200, followed.text);
    t.is(claimsOf(followed.json.access_token ?? '').sub, ALICE);
    await page.reload();
    await row.waitFor();
    await done();
  },
);

browserTest(
  'admin console, pages of plugins: a table is paged and searched by its operation, and the URL has the position',
  async (t) => {
    const { page, done } = await openSignedIn(t, started('notes'), `${NOTES}?realm=demo`, { as: as('manager') });
    await page.getByText('Mind the gap').waitFor();
    await page.getByText('None').waitFor();
    for (const [text, colour] of [
      ['apple', 'red'],
      ['pear', ''],
    ] as const) {
      await add(page, text, colour);
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByRole('row', { name: text }).waitFor();
    }
    await shows(t, () => page.getByRole('row', { name: 'apple' }).locator('.badge').innerText(), 'red');
    await page.getByRole('searchbox').fill('app');
    await page.getByRole('row', { name: 'pear' }).waitFor({ state: 'detached' });
    t.true(page.url().includes('notes.search=app'), page.url());
    await page.reload();
    await page.getByRole('row', { name: 'apple' }).waitFor();
    await shows(t, () => page.getByRole('row', { name: 'pear' }).count(), 0);
    await page.getByRole('searchbox').fill('nothing');
    await page.getByText('No results for “nothing”.').waitFor();
    await page.getByRole('button', { name: 'Clear search', exact: true }).click();
    await page.getByRole('row', { name: 'pear' }).waitFor();

    await page.getByRole('button', { name: 'Ping: apple', exact: true }).click();
    await page.getByText('nobody is at home').waitFor();
    await page.getByRole('button', { name: 'Remove: apple', exact: true }).click();
    await page.getByRole('dialog').getByText('This applies to apple.').waitFor();
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await shows(t, () => page.getByRole('row', { name: 'apple' }).count(), 1);
    await page.getByRole('button', { name: 'Remove: apple', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Done: Remove: apple').waitFor();
    await page.getByRole('row', { name: 'apple' }).waitFor({ state: 'detached' });

    const call = await adminCaller(started('notes').host);
    for (const number of Array.from({ length: 22 }, (_, index) => index + 10))
      t.is((await call('POST', '/realms/demo/pages/notes/add', { text: `many-${number}` })).status, 200);
    await page.getByRole('searchbox').fill('many');
    await page.getByRole('row', { name: 'many-29' }).waitFor();
    await shows(t, () => page.getByRole('row', { name: 'many-30' }).count(), 0);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('row', { name: 'many-31' }).waitFor();
    t.regex(page.url(), /notes\.first=20/);
    await page.reload();
    await page.getByText('21–22').waitFor();
    await done();
  },
);

browserTest(
  'admin console, pages of plugins: a form starts with the values of its operation, and shows the result beside itself',
  async (t) => {
    const { page, done } = await openSignedIn(t, started('notes'), `${NOTES}?realm=demo`, { as: as('manager') });
    const days = page.getByRole('spinbutton', { name: 'Days' });
    await days.waitFor();
    await shows(t, () => days.inputValue(), '7');
    const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href');
    t.regex((await hrefOf('Beside')) ?? '', /\/realms\/demo\/pages\/notes$/);
    t.regex((await hrefOf('All users')) ?? '', /\/realms\/demo\/users$/);
    await page.getByRole('button', { name: 'Add a note', exact: true }).click();
    t.is(await hrefOf('Rules'), 'https://rules.example/');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await days.fill('9');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await shows(t, () => page.locator('.form-result').innerText(), /Done: Settings[\s\S]*9/);
    await done();
  },
);

browserTest(
  'admin console, pages of plugins: a page has the language of the admin console: titles, badges, fields, and errors',
  async (t) => {
    const { page, done } = await openAdminConsole(t, started('notes'), `${NOTES}?realm=demo`, { locale: 'de' });
    await page.getByRole('textbox', { name: 'Realm' }).fill('demo');
    await page.getByRole('button').first().click();
    await page.locator('#username').fill('manager');
    await page.locator('#password').fill('manager');
    await page.locator('#kc-login').click();
    await page.getByRole('heading', { name: 'Notizen', exact: true, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Notiz anlegen', exact: true }).click();
    await page.getByRole('textbox', { name: 'Was' }).fill('taken');
    await page.getByRole('button', { name: 'Anlegen', exact: true }).click();
    await page.getByText('gibt es schon').waitFor();
    await page.getByRole('textbox', { name: 'Was' }).fill('ahoi');
    await page.getByLabel('Farbe', { exact: true }).selectOption({ label: 'red' });
    await page.getByRole('button', { name: 'Anlegen', exact: true }).click();
    await page.getByRole('button', { name: 'Schließen', exact: true }).click();
    await shows(t, () => page.getByRole('row', { name: 'ahoi' }).locator('.badge').innerText(), 'rot');
    await done();
  },
);

browserTest(
  'admin console, pages of plugins: an admin with view rights sees no buttons and the missing role; one without sees the missing role',
  async (t) => {
    const first = await openAdminConsole(t, started('links'), `${LINKS}?realm=demo`);
    await signIn(first.page, as('viewer'));
    await first.page.getByText('requires the role manage-users.').waitFor();
    await shows(t, () => first.page.getByRole('button', { name: 'Create a link', exact: true }).count(), 0);
    await first.done();
    const second = await openAdminConsole(t, started('links'), `${LINKS}?realm=demo`);
    await signIn(second.page, as('cleo'));
    await second.page.getByText('Plugin page unavailable').waitFor();
    await shows(t, () => second.page.locator('.side-bar').getByText('Newsletter links').count(), 0);
    await second.done();
  },
);

browserTest(
  'admin console, pages of plugins: the side bar lists the pages of the realm; a realm without any says how to get one',
  async (t) => {
    const { page, done } = await openSignedIn(t, started('links'), 'realms/demo/pages');
    await page.locator('.side-bar').getByRole('link', { name: 'Newsletter links', exact: true }).click();
    await page.getByRole('heading', { name: 'Newsletter links', exact: true, level: 1 }).waitFor();
    await shows(t, () => page.locator('.side-bar [aria-current]').innerText(), 'Newsletter links');
    await shows(t, () => page.locator('.breadcrumb [aria-current]').innerText(), 'Newsletter links');
    await shows(t, () => page.locator('.side-bar').getByText('Notes of the plugin').count(), 0, 'it stands elsewhere');
    await page.goto(page.url().replace(/realms\/.*/, 'realms/plain/pages'));
    await page.getByText('No plugin pages yet.').waitFor();
    await page.getByRole('link', { name: 'View providers', exact: true }).click();
    await page.getByRole('link', { name: 'newsletter-links', exact: true }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, pages of plugins: a page at providers stands with each provider of its plugin, and with no other',
  async (t) => {
    const { page, done } = await openSignedIn(t, started('notes'), 'realms/demo/providers/admin-page/beside');
    await page.getByRole('heading', { name: 'Notes of the plugin', exact: true }).waitFor();
    await page.getByText('What was <b>noted</b>').waitFor();
    await page.goto(page.url().replace(/admin-page\/.*/, 'admin-page/notes'));
    await page.getByText('has no configuration').waitFor();
    await shows(t, () => page.getByRole('heading', { name: 'Notes of the plugin', exact: true }).count(), 0);
    await done();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(
      `admin console, pages of plugins: axe finds nothing, ${colorScheme}, ${width} pixels wide`,
      async (t) => {
        const { page, done } = await openSignedIn(t, started('notes'), NOTES, { colorScheme, width });
        await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
        t.deepEqual(await axeFindings(page), []);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        await shows(t, () => page.evaluate(overflow), 0, 'nothing is wider than the page');
        await page.getByRole('button', { name: 'Add a note', exact: true }).click();
        t.deepEqual(await axeFindings(page), []);
        await done();
      },
    );
  }
}
