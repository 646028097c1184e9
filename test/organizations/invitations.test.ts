import test, { type ExecutionContext } from 'ava';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { shownLogin } from '../helpers/shown-realm.js';
import { REALM, started } from './started.js';

const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? '';
const follow = (browser: Browser, page: Visit, link: string) => browser.submit(page, { key: keyOf(link) });

/** A login up to the first page that is not a redirect of the host. */
async function signIn(host: TestHost, browser: Browser, username: string): Promise<Visit> {
  const begun = await browser.open(shownLogin(host, REALM).url);
  let page = await browser.submit(begun, { username, password: username });
  while (page.location?.origin === new URL(host.url).origin) page = await browser.open(page.location.href);
  return page;
}

for (const isolation of ['none', 'worker']) {
  test(`organizations, invitations: a link makes the invited user a member once, and not before its button (${isolation})`, async (t) => {
    const { as, ids, organization, mails, host } = await started(t, { isolation });
    const ada = as('ada');
    const org = await organization('Acme', { displayName: 'Acme & <Co>' });
    await ada('POST', `${org}/roles`, { name: 'pilot' });
    const invitation = { email: 'Bob@Example.com', send: true, roles: ['pilot'], attributes: { from: ['fair'] } };
    const made = await ada('POST', `${org}/invitations`, invitation);
    t.is(made.status, 201, made.text);
    const place = new URL(made.headers.get('location') ?? '').pathname.replace(`/realms/${REALM}`, '');
    t.like((await ada('GET', place)).json as object, {
      email: 'bob@example.com',
      inviterId: ids.ada,
      roles: ['pilot'],
      attributes: { from: ['fair'] },
      organizationId: org.slice('/orgs/'.length),
      invitationUrl: 'http://127.0.0.1:3000/',
    });
    t.is((await ada('POST', `${org}/invitations`, { email: 'bob@example.com' })).status, 409);
    t.is((await ada('GET', `${org}/invitations/count`)).text, '1');
    t.like((await as('bob')('GET', '/orgs/me/invitations')).json as object, { 0: { email: 'bob@example.com' } });

    const mail = await mails.mail(0);
    t.deepEqual(mail.envelope.to, ['bob@example.com']);
    t.is(mail.headers.subject, 'Invitation to Acme & <Co>');
    t.regex(mail.text, /Ada Example invites you to join Acme & <Co>/);
    t.notRegex(mail.html, /<Co>/);
    const isMember = async () => (await ada('GET', `${org}/members/${ids.bob}`)).status === 204;
    const browser = new Browser();
    const page = await browser.open(mail.link);
    t.regex(page.text, /You are invited to Acme &amp; &lt;Co&gt;/);
    t.false(await isMember());
    t.regex((await follow(browser, page, mail.link)).text, /You are now a member/);
    t.true(await isMember());
    t.is((await ada('GET', `${org}/roles/pilot/users/${ids.bob}`)).status, 204);
    t.is((await ada('GET', place)).status, 404);
    t.is((await follow(browser, page, mail.link)).status, 400, 'twice');
    t.is((await ada('POST', `${org}/invitations`, { email: 'bob@example.com' })).status, 409, 'a member');
    const told = (await host.stored(REALM)).find(({ details }) => details.invitation_id && details.user_id);
    t.like(told, { type: 'CREATE_ORGANIZATION_MEMBERSHIP', userId: ids.bob });
  });

  test(`organizations, invitations: a user without an account is invited at the first sign-in with the verified address (${isolation})`, async (t) => {
    const { as, organization, mails, host, token } = await started(t, { isolation });
    const ada = as('ada');
    const acme = await organization('Acme');
    const beta = await organization('Beta');
    for (const org of [acme, beta]) await ada('POST', `${org}/invitations`, { email: 'new@example.com', send: true });
    const { link, text } = await mails.mail(0);
    t.is(link, 'http://127.0.0.1:3000/');
    t.regex(text, /sign in with the address new@example\.com or register it/);

    const headers = { authorization: `Bearer ${await token('root')}`, 'content-type': 'application/json' };
    const user = {
      username: 'new',
      email: 'new@example.com',
      enabled: true,
      requiredActions: ['VERIFY_EMAIL'],
      firstName: 'N',
      lastName: 'N',
      credentials: [{ type: 'password', value: 'new' }],
    };
    const url = `${host.url}/admin/realms/${REALM}/users`;
    const created = await fetch(url, { method: 'POST', headers, body: JSON.stringify(user) });
    t.is(created.status, 201);
    const id = created.headers.get('location')?.split('/').at(-1) ?? '';
    const browser = new Browser();
    t.regex((await signIn(host, browser, 'new')).text, /Verify your email address/);
    // In the same login, as soon as the address is verified.
    const verified = (await mails.mail(2)).link;
    let page = await browser.open(verified);
    while (page.location?.origin === new URL(host.url).origin) page = await browser.open(page.location.href);
    t.regex(page.text, /The other invitations are declined/);
    let done = await browser.submit(page, { orgs: acme.slice('/orgs/'.length) });
    while (done.location?.origin === new URL(host.url).origin) done = await browser.open(done.location.href);
    t.truthy(done.location?.searchParams.get('code'), done.text);
    const member = async (org: string) => (await ada('GET', `${org}/members/${id}`)).status;
    t.deepEqual([await member(acme), await member(beta)], [204, 404]);
    t.is((await ada('GET', `${beta}/invitations/count`)).text, '0');
    t.truthy((await signIn(host, new Browser(), 'new')).location?.searchParams.get('code'), 'asked once');
  });
}

test('organizations, invitations: a link is of no use to others, after its end, and when a newer one is sent', async (t) => {
  const { as, ids, organization, mails, host, clock, token } = await started(t);
  const ada = as('ada');
  let sent = 0;
  const invite = async (org: string, email: string) => {
    const { headers, text } = await ada('POST', `${org}/invitations`, { email, send: true });
    const place = headers.get('location');
    if (place === null) throw new Error(text);
    const { link } = await mails.mail(sent++);
    return { place: new URL(place).pathname.replace(`/realms/${REALM}`, ''), link };
  };
  const refused = async (t: ExecutionContext, link: string, why: string, browser = new Browser()) => {
    const page = await browser.open(link);
    t.is(page.status, 400, why);
    const posted = await browser.open(link.replace(/\?.*/, ''), {
      method: 'POST',
      body: new URLSearchParams({ key: keyOf(link) }),
    });
    t.is(posted.status, 400, why);
    return page.text;
  };
  const org = await organization('Acme');

  const first = await invite(org, 'bob@example.com');
  t.is((await ada('PUT', `${first.place}/resend-email`)).status, 204);
  const { link: second } = await mails.mail(sent++);
  t.regex(await refused(t, first.link, 'there is a newer link'), /The invitation is no longer valid/);
  const inGerman = await fetchAnswer(first.link, { headers: { accept: 'text/html', 'accept-language': 'de' } });
  t.regex(inGerman.text, /Die Einladung ist nicht mehr gültig/);
  const carols = new Browser();
  t.truthy((await signIn(host, carols, 'carol')).location?.searchParams.get('code'));
  t.regex(await refused(t, second, 'another user is signed in', carols), /Another user is signed in to this browser/);
  t.is((await new Browser().open(second)).status, 200);
  t.is((await ada('DELETE', first.place)).status, 204);
  t.is((await ada('DELETE', first.place)).status, 404);
  await refused(t, second, 'the invitation is deleted');

  const dave = await invite(org, 'dave@example.com');
  const headers = { authorization: `Bearer ${await token('root')}`, 'content-type': 'application/json' };
  const moved = { username: 'dave', email: 'd@example.com', emailVerified: true, firstName: 'D', lastName: 'D' };
  await fetch(`${host.url}/admin/realms/${REALM}/users/${ids.dave}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(moved),
  });
  await refused(t, dave.link, 'the address is no longer the user’s');
  t.is((await as('dave')('POST', dave.place.replace(/.*\/invitations/, '/orgs/me/invitations'))).status, 404);

  const unverified = await invite(org, 'unverified@example.com');
  t.is(unverified.link, 'http://127.0.0.1:3000/', 'no account joins that has not shown to own the address');
  t.is((await as('unverified')('GET', '/orgs/me/invitations')).status, 400);

  const gone = await organization('Gone');
  const erin = await invite(gone, 'erin@example.com');
  t.is((await ada('DELETE', gone)).status, 204);
  await refused(t, erin.link, 'the organization is gone');

  const late = await invite(org, 'erin@example.com');
  clock.forward(604_801);
  await refused(t, late.link, 'expired');
  t.is((await ada('GET', `${org}/members`)).status, 401, 'as is the token of ada');
});

test('organizations, invitations: an invitation is answered over HTTP, once, and bad ones are refused', async (t) => {
  const { as, ids, organization } = await started(t);
  const ada = as('ada');
  const org = await organization('Acme');
  const invitation = async (email: string, more: object = {}) =>
    (await ada('POST', `${org}/invitations`, { email, ...more })).headers.get('location')?.split('/').at(-1) ?? '';
  const mine = (id: string) => `/orgs/me/invitations/${id}`;

  const bobs = await invitation('bob@example.com');
  t.is((await as('carol')('POST', mine(bobs))).status, 404);
  t.is((await as('carol')('DELETE', mine(bobs))).status, 404);
  const answers = await Promise.all([as('bob')('POST', mine(bobs)), as('bob')('DELETE', mine(bobs))]);
  t.deepEqual(answers.map(({ status }) => status).sort(), [204, 404]);
  const [accepted] = answers;
  t.is((await ada('GET', `${org}/members/${ids.bob}`)).status, accepted.status);
  const carols = await invitation('carol@example.com');
  t.is((await as('carol')('DELETE', mine(carols))).status, 204);
  t.is((await ada('GET', `${org}/members/${ids.carol}`)).status, 404);

  const bad: [object, number][] = [
    [{}, 400],
    [{ email: 'nobody' }, 400],
    [{ email: 'x@example.com\nBcc: y@example.com' }, 400],
    [{ email: 'x@example.com', roles: 'pilot' }, 400],
    [{ email: 'x@example.com', inviterId: 'nobody' }, 400],
    [{ email: 'x@example.com', redirectUri: 'https://evil.example/' }, 400],
    [{ email: 'x@example.com', redirectUri: 'javascript:alert(1)' }, 400],
    [{ email: 'x@example.com', more: 1 }, 400],
    [{ email: 'x@example.com', redirectUri: 'http://127.0.0.1:3000/welcome' }, 201],
  ];
  for (const [body, status] of bad) {
    const answer = await ada('POST', `${org}/invitations`, body);
    t.is(answer.status, status, `${JSON.stringify(body)}: ${answer.text}`);
  }
});

test('organizations, invitations: an invitation whose email fails is reported, and not stored', async (t) => {
  const { as, organization } = await started(t);
  const ada = as('ada');
  const org = await organization('Acme');
  const email = 'often@example.com';
  const invite = (send: boolean) => ada('POST', `${org}/invitations`, { email, send });
  const place = new URL((await invite(false)).headers.get('location') ?? '').pathname.replace(`/realms/${REALM}`, '');
  for (let mails = 0; mails < 30; mails += 1) t.is((await ada('PUT', `${place}/resend-email`)).status, 204);
  const { status, json } = await ada('PUT', `${place}/resend-email`);
  t.deepEqual([status, json.error as unknown], [429, 'mail_not_sent']);
  t.is((await ada('DELETE', place)).status, 204);
  t.is((await invite(true)).status, 429);
  t.is((await ada('GET', `${org}/invitations/count`)).text, '0');
  t.is((await invite(false)).status, 201);
});

test('organizations, invitations: the email says how long the invitation is valid', async (t) => {
  const { as, organization, mails, clock, token } = await started(t, { config: { invitationLifespan: 129_600 } });
  const org = await organization('Acme');
  const made = await as('ada')('POST', `${org}/invitations`, { email: 'bob@example.com', send: true });
  const place = new URL(made.headers.get('location') ?? '').pathname.replace(`/realms/${REALM}`, '');
  t.regex((await mails.mail(0)).text, /The invitation is valid for 36 hours\./);
  let sent = 1;
  // The seconds that pass, and the remaining lifetime.
  for (const [passed, left] of [
    [43_200, '1 day'],
    [3600, '23 hours'],
    [82_740, '1 minute'],
    [57, '3 seconds'],
  ] as const) {
    clock.forward(passed);
    const authorization = `Bearer ${await token('ada')}`;
    t.is((await as('ada')('PUT', `${place}/resend-email`, undefined, { authorization })).status, 204, left);
    t.regex((await mails.mail(sent++)).text, new RegExp(`The invitation is valid for ${left}\\.`));
  }
});
