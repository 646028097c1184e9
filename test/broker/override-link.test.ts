import test, { type ExecutionContext } from 'ava';
import { messageOf, PARTNER_ALICE, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { codeOf, heading } from '../helpers/read-page.js';
import { flow, step } from '../helpers/weak-flows.js';

const DETECT = step('idp-detect-existing-broker-user');
const PASSWORD = step('idp-username-password-form');
const OVERRIDE = step('idp-confirm-override-link');
const OLD = { identityProvider: 'partner', userId: 'old-at-partner', userName: 'old-account' };

async function scene(t: ExecutionContext, steps: ReturnType<typeof step>[], linked = true) {
  const started = await startWithPartner(t, {
    demo: { firstBrokerLoginFlow: 'own', authenticationFlows: [flow('own', ...steps)] },
  });
  const { host, user, events } = started;
  const alice = await user('alice');
  const realm = await host.loadedRealm('demo');
  if (linked) {
    await host.users.change(realm, alice?.id ?? '', (draft) => {
      draft.federatedIdentities = [OLD];
    });
  }
  const browser = new TwoRealmBrowser();
  const page = await browser.signInByPartner(host, PARTNER_ALICE);
  const links = async () => (await user('alice'))?.representation.federatedIdentities?.map(({ userName }) => userName);
  return { browser, page, links, events, host };
}

test('overriding a link: a verified user replaces the linked account by another one, and events name both', async (t) => {
  const { browser, page, links, events, host } = await scene(t, [DETECT, PASSWORD, OVERRIDE]);
  const asked = await browser.submit(page, { password: 'Alice-pass-1!' });
  t.is(heading(asked), 'Your account is linked already');
  t.regex(asked.text, /Your account alice is linked to the Partner &amp; Co account old-account/);
  t.deepEqual(await links(), ['old-account']);
  t.truthy(codeOf(await browser.submit(asked, {})));
  t.deepEqual(await links(), ['alice']);
  t.deepEqual((await events()).sort(), ['FEDERATED_IDENTITY_LINK', 'FEDERATED_IDENTITY_OVERRIDE_LINK', 'LOGIN']);
  const override = (await host.stored('demo')).find(({ type }) => type === 'FEDERATED_IDENTITY_OVERRIDE_LINK');
  t.like(override?.details, {
    previous_identity_provider_identity: 'old-account',
    identity_provider_identity: 'alice',
  });
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host, PARTNER_ALICE)), 'by the new account from now on');
});

test('overriding a link: a user without a linked account is not asked', async (t) => {
  const { browser, page, links, events } = await scene(t, [DETECT, PASSWORD, OVERRIDE], false);
  t.truthy(codeOf(await browser.submit(page, { password: 'Alice-pass-1!' })));
  t.deepEqual([await links(), (await events()).sort()], [['alice'], ['FEDERATED_IDENTITY_LINK', 'LOGIN']]);
});

test('overriding a link: without the step the linked account stays', async (t) => {
  const { browser, page, links } = await scene(t, [DETECT, PASSWORD]);
  const refused = await browser.submit(page, { password: 'Alice-pass-1!' });
  t.is(codeOf(refused), undefined);
  t.regex(messageOf(refused) ?? '', /Partner & Co/);
  t.deepEqual(await links(), ['old-account']);
});

test('overriding a link: nobody sees or replaces the linked account before verification', async (t) => {
  const { browser, page, links } = await scene(t, [DETECT, OVERRIDE, PASSWORD]);
  t.is(page.status, 400);
  t.notRegex(page.text, /old-account/);
  const { cookies } = browser.home;
  t.false(cookies.has('KEYCLOAK_IDENTITY'));
  t.deepEqual(await links(), ['old-account']);
});
