import test from 'ava';
import { type FormEntry, formOf, quizAction } from '../helpers/form-actions.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { NEWCOMER, openRealm, storedUser } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';

const CREATION = 'registration-user-creation';
const PASSWORD = 'registration-password-action';
const NEEDS = "api: 1, needs: { 'read-typed-password': 'It compares it.' },";

const shared = shareHost(
  test,
  {
    realms: [],
    plugins: [
      { module: 'quiz' },
      { module: 'apart', isolation: 'worker' },
      { module: 'trusted', grants: { '*': ['read-typed-password'] } },
    ],
    packages: {
      quiz: quizAction('quiz'),
      apart: quizAction('apart'),
      trusted: quizAction('trusted').replace('api: 1,', NEEDS),
    },
  },
  /a form action failed/,
);

const inForm = (...executions: FormEntry[]): Promise<TestHost> =>
  inRealm(shared(), (name) => openRealm(formOf(...executions), name));
const quiz = (authenticator: string, does = '') => ({ authenticator, config: { answer: 'four', does } });
async function register(host: TestHost, browser = new Browser()): Promise<readonly [Browser, Visit]> {
  return [browser, await browser.open(codeRequest(host, { prompt: 'create' }).url)];
}
const kept = (host: TestHost, plugin: string, key: string) =>
  host.store.entries.get({ realm: host.defaultRealm, namespace: plugin, key, now: Date.now() });

test('T716 · form actions: a form action reads the typed password with its right alone, in the process and in a worker', async (t) => {
  for (const [id, reads] of [
    ['quiz', false],
    ['apart', false],
    ['trusted', true],
  ] as const) {
    const host = await inForm(CREATION, PASSWORD, quiz(id));
    const [browser, page] = await register(host);
    t.truthy(await browser.submit(page, { ...NEWCOMER, [`${id}-answer`]: 'four' }));
    const seen = JSON.stringify([await kept(host, id, 'seen'), await kept(host, id, 'succeeded')]);
    t.true(seen.includes('newcomer'), seen);
    t.deepEqual([seen.includes(NEWCOMER.password), seen.includes('password-confirm')], [reads, reads], id);
  }
});

test('T717 · form actions: a form action takes no field that is another’s, and gives the user no other name', async (t) => {
  for (const does of ['buildPage collide', 'buildPage password', 'success rename']) {
    for (const before of [true, false]) {
      const steps = [CREATION, PASSWORD];
      const host = await inForm(...(before ? [quiz('quiz', does), ...steps] : [...steps, quiz('quiz', does)]));
      const [browser, page] = await register(host);
      t.is([...page.text.matchAll(/name="email"/g)].length, 1);
      t.false(page.text.includes('Mine'));
      const answer = await browser.submit(page, { ...NEWCOMER, 'quiz-answer': 'four' });
      t.regex(answer.text, /not possible at the moment/);
      for (const name of ['newcomer', 'root']) t.is(await storedUser(host, name), undefined, does);
    }
  }
});
