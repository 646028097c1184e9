import {
  Authenticator,
  type Plugin,
  type PluginNeeds,
  type ProviderDefinition,
  provide,
  type StepPage,
} from '@keyhost/spi';
import { FormBrowser, startHost, testRealm } from '@keyhost/spi/testing';
import test from 'ava';
import { guideCode } from '../helpers/guide-code.js';

/** A plugin whose one step has the methods of the example in the guide that contains a text. */
async function stepOfGuide(text: string, given: Readonly<Record<string, unknown>>, needs: PluginNeeds = {}) {
  const found = (await guideCode()).find(({ code, kind }) => kind === 'Authenticator' && code.includes(text));
  const source = `export default ({ ${Object.keys(given).join(', ')} }) => (session) => ({ ${found?.code} });`;
  const module = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const step = provide(Authenticator, {
    id: 'guide',
    describe: { displayName: 'Guide', proves: true },
    open: () => ({ create: module.default(given) }),
  });
  return { name: 'guide', api: 1, needs, providers: [step as ProviderDefinition] } satisfies Plugin;
}

/** A realm whose users sign in by these steps. */
function realmWith(...steps: readonly string[]) {
  const authenticationExecutions = steps.map((authenticator, index) => ({
    authenticator,
    requirement: 'REQUIRED',
    priority: index + 1,
  }));
  const flow = { alias: 'guide', providerId: 'basic-flow', topLevel: true, authenticationExecutions };
  return testRealm('test', { browserFlow: 'guide', authenticationFlows: [flow] });
}

const isSignedIn = ({ headers }: { headers: Readonly<Record<string, string>> } | undefined = { headers: {} }) =>
  /^http:\/\/localhost\/callback\?.*\bcode=/.test(headers.location ?? '');

test('guide, steps: the emailed link signs in a user in the same browser, and reveals no name', async (t) => {
  const sent: { username: string; link: string }[] = [];
  const page: StepPage = {
    page: 'form',
    title: { key: 'Your name' },
    submit: { key: 'Send' },
    fields: [{ name: 'name', type: 'text', label: { key: 'Name' } }],
  };
  const given = {
    askForName: { outcome: 'challenge', page },
    anyNumber: () => '42',
    send: async ({ username }: { username: string }, link: string) => void sent.push({ username, link }),
  };
  const plugin = await stepOfGuide('loginLinks.issue', given, { 'issue-login-links': 'Its links sign users in.' });
  const host = await startHost(t, { plugins: [plugin], realms: [realmWith('guide')] });
  const browser = new FormBrowser(host.realm());
  const first = await browser.logIn();
  const unknown = await browser.submit(first, { name: 'nobody' });
  t.regex(unknown?.text ?? '', /Your number: 42/);
  const again = unknown && (await browser.submit(unknown, {}));
  t.regex(again?.text ?? '', /Your name/);
  const waiting = again && (await browser.submit(again, { name: 'alice' }));
  t.regex(waiting?.text ?? '', /Your number: \d\d/);
  t.deepEqual(
    sent.map(({ username }) => username),
    ['alice'],
  );
  const other = new FormBrowser(host.realm());
  t.false(isSignedIn(await other.get(sent[0]?.link ?? '')));
  const opened = await browser.get(sent[0]?.link ?? '');
  const followed = isSignedIn(opened) ? opened : await browser.submit(opened, {});
  t.true(isSignedIn(followed), followed?.text);
});

test('guide, steps: the redirect of the guide takes the browser back, once, and believes the other side alone', async (t) => {
  const isApproved = async (code: string, { username = '' } = {}) => code === `good-${username}`;
  const plugin = await stepOfGuide("outcome: 'redirect'", { isApproved });
  const host = await startHost(t, { plugins: [plugin], realms: [realmWith('auth-username-password-form', 'guide')] });
  const away = async (browser: FormBrowser) => {
    const answer = await browser.submit(await browser.logIn(), { username: 'alice', password: 'alice' });
    const to = new URL(answer?.headers.location ?? '');
    t.is(to.origin, 'https://there.example');
    const back = new URL(to.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('state', to.searchParams.get('state') ?? '');
    return back.href;
  };
  const browser = new FormBrowser(host.realm());
  const back = await away(browser);
  t.false(isSignedIn(await new FormBrowser(host.realm()).get(`${back}&code=good-alice`)), 'another browser');
  t.true(isSignedIn(await browser.get(`${back}&code=good-alice`)));
  t.false(isSignedIn(await browser.get(`${back}&code=good-alice`)), 'once');
  const wrong = new FormBrowser(host.realm());
  t.false(isSignedIn(await wrong.get(`${await away(wrong)}&code=good-bob`)));
});
