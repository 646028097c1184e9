import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { accountRealm, accountUser, openAccount } from '../helpers/account.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { providersFolder } from '../helpers/plugins.js';

/** The source of a theme plugin: `provider` is what its `create` returns. */
const theme = (id: string, provider: string) => `import { provide, Theme } from '@keyhost/spi';
export default { name: '${id}', api: 1, providers: [provide(Theme, { id: '${id}', open: () => ({
  create: () => (${provider}),
}) })] };`;

const THEMES = {
  ours: `{ styles: async () => 'body { color: teal }', messages: async () => ({ doSave: 'Keep it', 'credential.otp': 'Beeper' }) }`,
  other: `{ styles: async () => 'body { color: plum }' }`,
  throwing: `{ styles: async () => { throw new Error('out of paint') } }`,
};

test('themes: the account page has the styles and texts of the accountTheme, else of the loginTheme, and works without', async (t) => {
  const names = Object.keys(THEMES) as (keyof typeof THEMES)[];
  const folder = await providersFolder(t, Object.fromEntries(names.map((name) => [name, theme(name, THEMES[name])])));
  const open = async (themes: { loginTheme?: string; accountTheme?: string }) => {
    const localizationTexts = { en: { personalInfo: 'About me' } };
    const host = await startHost(t, {
      realms: [accountRealm([accountUser('erin')], { ...themes, localizationTexts })],
      plugins: names.map((module) => ({ module })),
      argv: ['--providers-dir', folder],
    });
    return { page: await openAccount(new Browser(), host), host };
  };
  const { page } = await open({ loginTheme: 'other', accountTheme: 'ours' });
  t.regex(page.text, /<style>body \{ color: teal \}<\/style>/);
  t.regex(page.text, /id="kc-save">Keep it</);
  t.regex(page.text, /<h1[^>]*>About me</, 'the realm’s own texts come first');
  t.regex(page.headers.get('content-security-policy') ?? '', /style-src 'self' 'sha256-[\w+/]{43}='; /);
  for (const accountTheme of [undefined, 'keycloak.v3']) {
    const plain = await open({ loginTheme: 'ours', ...(accountTheme === undefined ? {} : { accountTheme }) });
    t.regex(plain.page.text, /color: teal/);
  }
  const broken = await open({ accountTheme: 'throwing' });
  t.deepEqual([broken.page.status, broken.page.text.includes('<style>')], [200, false]);
  t.true(broken.host.log.some(({ message }) => message === 'the account theme failed'));
});

test('themes: emails have the texts of the emailTheme', async (t) => {
  const gazette = theme('gazette', `{ messages: async () => ({ passwordResetSubject: 'A new password from us' }) }`);
  const folder = await providersFolder(t, { gazette });
  const subject = async (changes: Partial<RealmRepresentation>) => {
    const server = await startMailServer(t);
    const realm = codeRealm('demo', {
      providers: {},
      resetPasswordAllowed: true,
      smtpServer: server.settings,
      ...changes,
    });
    const host = await startHost(t, {
      realms: [realm],
      plugins: [{ module: 'gazette' }],
      argv: ['--providers-dir', folder],
    });
    const browser = new Browser();
    const page = await browser.open(`${host.realm('demo')}/login-actions/reset-credentials`);
    await browser.submit(page, { username: 'alice' });
    return (await server.mail(0)).headers.subject;
  };
  t.is(await subject({ emailTheme: 'gazette' }), 'A new password from us');
  t.not(await subject({}), 'A new password from us');
});
