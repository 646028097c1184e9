import test, { type ExecutionContext } from 'ava';
import { Browser, formAction, type Visit } from '../helpers/form-browser.js';
import { startHost, TestClock } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const NAME = 'email-otp';
const GRANTS = { '*': ['send-mail', 'view-users'] };
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const CODE = /Your code: (\d{6})\b/;
const flow = (authenticator: string) => ({
  browserFlow: 'own',
  authenticationFlows: [
    {
      alias: 'own',
      providerId: 'basic-flow',
      topLevel: true,
      authenticationExecutions: [{ authenticator, requirement: 'REQUIRED', priority: 10 }],
    },
  ],
});

/** Ada in front of the page that asks for her code, with the mail under way. */
async function atCodePage(t: ExecutionContext) {
  const server = await startMailServer(t);
  const host = await startHost(t, {
    realms: [{ ...(await shownRealm(NAME)), smtpServer: server.settings }],
    plugins: [{ module: '@keyhost/email-otp', grants: GRANTS }],
  });
  const browser = new Browser();
  const page = await browser.submit(await browser.open(shownLogin(host, NAME).url), {
    username: 'ada',
    password: 'ada',
  });
  return { server, browser, page };
}

for (const isolation of ['none', 'worker']) {
  test(`email code: it is required after the password, five times, for five minutes, and only the newest counts (${isolation})`, async (t) => {
    const clock = new TestClock();
    const server = await startMailServer(t);
    const host = await startHost(t, {
      realms: [{ ...(await shownRealm(NAME)), smtpServer: server.settings }],
      plugins: [{ module: '@keyhost/email-otp', isolation, grants: GRANTS }],
      clock,
    });
    let mails = 0;
    const mailed = async () => CODE.exec((await server.mail(mails++)).text)?.[1] ?? '';
    const browser = new Browser();
    const begin = async () =>
      browser.submit(await browser.open(shownLogin(host, NAME, { prompt: 'login' }).url), {
        username: 'ada',
        password: 'ada',
      });

    const page = await begin();
    const first = await mailed();
    await browser.open(formAction(page));
    t.is(server.received.length, 1, 'a page that is loaded again sends nothing');
    const again = await browser.submit(page, { resend: 'on' });
    t.regex(again.text, /We have sent a new code/);
    const second = await mailed();
    const wrong = await browser.submit(again, { code: first === second ? 'x' : first });
    t.regex(wrong.text, /not the code of the newest email/);
    t.truthy(code(await browser.submit(wrong, { code: ` ${second.slice(0, 3)} ${second.slice(3)}` })));

    const late = await begin();
    const old = await mailed();
    clock.forward(301);
    t.regex((await browser.submit(late, { code: old })).text, /no longer valid/);

    const asked = await begin();
    let right = await mailed();
    let tried = asked;
    for (let i = 0; i < 4; i += 1) tried = await browser.submit(tried, { code: 'wrong' });
    tried = await browser.submit(tried, { resend: 'on' });
    right = await mailed();
    const last = await browser.submit(tried, { code: 'wrong' });
    t.regex(last.text, /Too many wrong codes/, 'a new code gives no new tries');
    const sent = server.received.length;
    for (const [what, page] of [
      ['the right code', await browser.submit(tried, { code: right })],
      ['its address', await browser.open(tried.url)],
      ['the page of before', await browser.open(formAction(asked))],
      ['another code', await browser.submit(tried, { resend: 'on' })],
    ] as const) {
      t.is(page.status, 400, what);
      t.regex(page.text, /Too many wrong codes/, what);
    }
    clock.forward(1500);
    t.regex((await browser.open(tried.url)).text, /Too many wrong codes/, 'nor does waiting');
    t.is(server.received.length, sent);

    const anew = await begin();
    t.truthy(code(await browser.submit(anew, { code: await mailed() })), 'who starts again has a new code');
  });
}

test('email code: of many parallel codes five are checked', async (t) => {
  const { server, browser, page } = await atCodePage(t);
  const pages = await Promise.all(Array.from({ length: 40 }, () => browser.submit(page, { code: 'wrong' })));
  t.is(pages.filter(({ text }) => /not the code of the newest email/.test(text)).length, 4);
  t.is(pages.filter(({ text }) => /Too many wrong codes/.test(text)).length, 36);
  const right = CODE.exec((await server.mail(0)).text)?.[1] ?? '';
  t.regex((await browser.submit(page, { code: right })).text, /Too many wrong codes/);
  t.is(server.received.length, 1);
});

test('email code: a page that is posted several times at once sends no other code, and its code still counts', async (t) => {
  const { server, browser, page } = await atCodePage(t);
  const right = CODE.exec((await server.mail(0)).text)?.[1] ?? '';
  const wrong = right === '000000' ? '000001' : '000000';
  const pages = await Promise.all(Array.from({ length: 4 }, () => browser.submit(page, { code: wrong })));
  for (const { text } of pages) t.regex(text, /not the code of the newest email/);
  t.truthy(code(await browser.submit(page, { code: right })));
  t.is(server.received.length, 1);
});

test('email code: as the only factor it asks for the name, and does not reveal which accounts exist', async (t) => {
  const server = await startMailServer(t);
  const host = await startHost(t, {
    realms: [{ ...(await shownRealm(NAME)), ...flow('ext-email-otp'), smtpServer: server.settings }],
    plugins: [{ module: '@keyhost/email-otp', grants: GRANTS }],
  });
  const shown = async (username: string) => {
    const browser = new Browser();
    const page = await browser.submit(await browser.open(shownLogin(host, NAME).url), { username });
    return { browser, page, text: page.text.replaceAll(/(?:action|href)="[^"]*"/g, '') };
  };
  const ada = await shown('ada@example.com');
  const nobody = await shown('nobody@example.com');
  t.is(ada.text, nobody.text);
  const right = CODE.exec((await server.mail(0)).text)?.[1] ?? '';
  t.is(code(await nobody.browser.submit(nobody.page, { code: right })), undefined);
  const other = await shown('nobody@example.com');
  const answers = [];
  for (let tries = 0; tries < 6; tries += 1)
    answers.push((await other.browser.submit(other.page, { code: 'wrong' })).status);
  t.deepEqual(answers, [200, 200, 200, 200, 400, 400], 'a name that nobody has, has as many tries');
  t.is((await other.browser.open(other.page.url)).status, 400);
  t.truthy(code(await ada.browser.submit(ada.page, { code: right })));
  for (let mails = 1; mails < 10; mails += 1) await shown('ada@example.com');
  for (let asked = 2; asked < 10; asked += 1) await shown('nobody@example.com');
  const limited = await shown('ada@example.com');
  t.regex(limited.text, /No further code was sent just now/);
  t.is((await shown('nobody@example.com')).text, limited.text, 'the limit shows no more');
  t.true(host.log.some(({ message }) => message === 'no code was sent'));
});

test('email code: if a code cannot be sent, the previous one counts, and a later one may be requested', async (t) => {
  const clock = new TestClock();
  const server = await startMailServer(t);
  const host = await startHost(t, {
    realms: [{ ...(await shownRealm(NAME)), ...flow('ext-email-otp'), smtpServer: server.settings }],
    plugins: [{ module: '@keyhost/email-otp', grants: GRANTS }],
    clock,
  });
  const browser = new Browser();
  const begin = async () =>
    browser.submit(await browser.open(shownLogin(host, NAME, { prompt: 'login' }).url), { username: 'ada' });
  const mailed = async (index: number) => CODE.exec((await server.mail(index)).text)?.[1] ?? '';
  for (let mails = 1; mails < 10; mails += 1) await begin();

  const page = await begin();
  const last = await mailed(9);
  const again = await browser.submit(page, { resend: 'on' });
  t.truthy(code(await browser.submit(again, { code: last })));

  clock.forward(3590);
  const unsent = await begin();
  clock.forward(20);
  t.is(server.received.length, 10);
  const sent = await browser.submit(unsent, { resend: 'on' });
  t.truthy(code(await browser.submit(sent, { code: await mailed(10) })));
});

test('email code: after the password a user is told that no code can be sent', async (t) => {
  // It lacks the sender's address.
  const realm = { ...(await shownRealm(NAME)), smtpServer: { host: '127.0.0.1', port: '2525' } };
  const host = await startHost(t, {
    realms: [realm],
    plugins: [{ module: '@keyhost/email-otp', grants: GRANTS }],
  });
  const browser = new Browser();
  const page = await browser.submit(await browser.open(shownLogin(host, NAME).url), {
    username: 'ada',
    password: 'ada',
  });
  t.is(page.status, 200);
  t.regex(page.text, /No code could be sent/);
  t.notRegex(page.text, /We have sent|Check your email/);
  const guessed = await browser.submit(page, { code: '123456' });
  t.regex(guessed.text, /not the code of the newest email/);
  t.notRegex(guessed.text, /We have sent|Check your email/);
});
