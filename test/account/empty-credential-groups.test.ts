import test from 'ava';
import { accountRealm, accountUser, openAccount } from '../helpers/account.js';
import { Browser } from '../helpers/form-browser.js';
import { inRealm } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { shareHost } from '../helpers/shared-host.js';

const PLUGIN = pluginSource(import.meta.url, 'plugins/cards.js');

const shared = shareHost(test, { realms: [], plugins: [{ module: 'cards' }], packages: { cards: PLUGIN } });
const action = (alias: string) => ({ alias, providerId: alias, name: alias, enabled: true });

for (const [enabled, english, german] of [
  [false, 'No passkey is set up.', 'Es ist kein Passkey eingerichtet.'],
  [true, 'Nothing is set up yet.', 'Es ist noch nichts eingerichtet.'],
] as const) {
  test(`account page, credentials: an empty group names what is missing only if it is a passkey: ${!enabled}`, async (t) => {
    const host = await inRealm(shared(), (name) =>
      accountRealm(
        [accountUser('erin')],
        {
          internationalizationEnabled: true,
          supportedLocales: ['en', 'de'],
          providers: { credential: { card: { enabled } } },
          requiredActions: [action('webauthn-register-passwordless'), action('card-setup')],
        },
        name,
      ),
    );
    const browser = new Browser();
    for (const [locale, text] of [
      ['en', english],
      ['de', german],
    ] as const) {
      const page = await openAccount(browser, host, `/account-security/signing-in?kc_locale=${locale}`);
      const group = /<section id="kc-credential-group-passwordless">[\s\S]*?<\/section>/.exec(page.text)?.[0] ?? '';
      t.is(/<p class="none">([^<]*)/.exec(group)?.[1], text);
      t.is(group.includes('kc-set-up-card'), enabled);
      t.true(group.includes('kc-set-up-webauthn-passwordless'));
    }
  });
}
