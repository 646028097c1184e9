import test from 'ava';
import { told } from '../helpers/account.js';
import { PAULA, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { unescapeHtml, type Visit } from '../helpers/form-browser.js';

const ALICE = { username: 'alice', password: 'Alice-pass-1!' };

test('account page, linked accounts: an account at an identity provider is linked, unless it belongs to another user', async (t) => {
  const { host, user } = await startWithPartner(t);
  const links = async () => (await user('alice'))?.representation.federatedIdentities ?? [];
  const address = `${host.realm('demo')}/account/account-security/linked-accounts`;
  const linkOn = ({ text, url }: Visit) =>
    new URL(unescapeHtml(/href="([^"]*\/start\?action=idp_link[^"]*)"/.exec(text)?.[1] ?? ''), url).href;
  const browser = new TwoRealmBrowser();
  const page = await browser.submit(await browser.follow(address), ALICE);
  t.is(told(page)[0], 'Linked accounts');
  t.regex(page.text, /Partner &amp; Co/);
  const asked = await browser.submit(await browser.follow(linkOn(page)), PAULA);
  t.regex(asked.text, /link your account alice to the Partner/);
  const done = await browser.submit(asked, {});
  t.deepEqual(told(done), ['Linked accounts', 'Your account has been updated.']);
  t.regex(done.text, /Linked to paula/);
  t.deepEqual(await links(), [{ identityProvider: 'partner', userId: 'paula-at-partner', userName: 'paula' }]);

  const second = await startWithPartner(t);
  await new TwoRealmBrowser().signInByPartner(second.host);
  const other = new TwoRealmBrowser();
  const there = `${second.host.realm('demo')}/account/account-security/linked-accounts`;
  const again = await other.submit(await other.follow(there), ALICE);
  const confirmed = await other.submit(await other.follow(linkOn(again)), PAULA);
  const refused = await other.submit(confirmed, {});
  t.deepEqual(told(refused), ['Linked accounts', 'Your account has not been updated.']);
  t.deepEqual((await second.user('alice'))?.representation.federatedIdentities ?? [], []);
});
