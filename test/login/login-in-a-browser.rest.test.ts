import type { Browser, BrowserContext, Page } from 'playwright-core';
import { arrival, fillIn, inScene, type LoginScene, shareScene } from '../helpers/login-scene.js';
import { shows } from '../helpers/shows.js';

const scene = shareScene({ internationalizationEnabled: true, supportedLocales: ['en', 'de'] });

/** A browser on a login page with the error of a wrong password. */
async function wrongPassword(
  stage: LoginScene & { browser: Browser },
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.request());
  await fillIn(page, 'wrong');
  await page.getByText('Invalid username or password.').waitFor();
  return { context, page };
}

inScene(scene, 'a wrong password is told, and the right one logs in', async (t, stage) => {
  const page = await stage.browser.newPage();
  await page.goto(stage.request());
  await fillIn(page, 'wrong');
  await shows(t, () => page.locator('#username').inputValue(), 'alice');
  t.regex((await page.locator('main').textContent()) ?? '', /Invalid username or password\./);
  await fillIn(page);
  const answer = await arrival(page, stage);
  t.truthy(answer.get('code'));
  t.is(answer.get('state'), 'the-state');
});

inScene(scene, 'a second application of the realm lets in without asking, and prompt=login asks', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.request());
  await fillIn(page);
  const first = await arrival(page, stage);
  const second = await context.newPage();
  await second.goto(stage.request({ client_id: 'web2' }));
  const joined = await arrival(second, stage);
  t.truthy(joined.get('code'));
  t.is(joined.get('session_state'), first.get('session_state'), 'one session for both');
  await second.goto(stage.request({ client_id: 'web2', prompt: 'login' }));
  await shows(t, () => second.locator('#username').inputValue(), 'alice');
  await fillIn(second);
  const proven = await arrival(second, stage);
  t.is(proven.get('session_state'), first.get('session_state'), 'nothing is left behind that no logout ends');
  await context.close();
});

inScene(scene, 'who wants to be remembered is known after the browser is closed', async (t, stage) => {
  for (const remembers of [true, false]) {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await page.goto(stage.request());
    if (remembers) await page.locator('[name=rememberMe]').check();
    await fillIn(page);
    await arrival(page, stage);
    // A browser that is closed retains only cookies with an expiry.
    const kept = (await context.cookies()).filter(({ expires }) => expires > 0);
    await context.close();
    const later = await stage.browser.newContext();
    await later.addCookies(kept);
    const again = await later.newPage();
    await again.goto(stage.request());
    await shows(t, () => again.locator('#password').count(), remembers ? 0 : 1);
    await later.close();
  }
});

inScene(scene, 'the answer is posted to the application, or is in the fragment', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.request({ response_mode: 'form_post' }));
  await fillIn(page);
  await page.getByText('Hello from the application').waitFor();
  const posted = stage.application.callbacks.at(-1);
  t.is(posted?.method, 'POST');
  t.is(posted?.url.search, '');
  t.is(posted?.form.get('state'), 'the-state');
  t.truthy(posted?.form.get('code'));
  await page.goto(stage.request({ response_mode: 'fragment' }));
  t.truthy((await arrival(page, stage)).get('code'));
  t.is(new URL(page.url()).search, '');
  await context.close();
});

inScene(scene, 'back from the application leads to it again, not to a login page', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.request());
  await fillIn(page);
  const first = await arrival(page, stage);
  await page.goBack();
  const second = await arrival(page, stage);
  t.truthy(second.get('code'));
  t.is(second.get('session_state'), first.get('session_state'));
  await context.close();
});

inScene(
  scene,
  'the login page can be loaded again after a wrong password, and tells nothing then',
  async (t, stage) => {
    const { context, page } = await wrongPassword(stage);
    const methods: string[] = [];
    page.on('request', (request) => request.isNavigationRequest() && methods.push(request.method()));
    await page.reload();
    t.deepEqual(methods, ['GET'], 'the wrong password is not sent again');
    await shows(t, () => page.getByText('Invalid username or password.').count(), 0);
    await fillIn(page);
    t.truthy((await arrival(page, stage)).get('code'));
    await context.close();
  },
);

inScene(
  scene,
  'back after a wrong password and a login says who is logged in, and leads to the application',
  async (t, stage) => {
    const { context, page } = await wrongPassword(stage);
    await fillIn(page);
    await arrival(page, stage);
    await page.goBack();
    await page.getByRole('heading', { name: 'You are already signed in', exact: true }).waitFor();
    await page.goBack();
    t.truthy((await arrival(page, stage)).get('code'));
    await context.close();
  },
);

inScene(scene, 'two tabs log in at once, each to its own request and both into one session', async (t, stage) => {
  const context = await stage.browser.newContext();
  const one = await context.newPage();
  const two = await context.newPage();
  await one.goto(stage.request({ state: 'one' }));
  await two.goto(stage.request({ client_id: 'web2', state: 'two' }));
  await fillIn(one);
  const first = await arrival(one, stage);
  await fillIn(two);
  const second = await arrival(two, stage);
  t.deepEqual([first.get('state'), second.get('state')], ['one', 'two']);
  t.is(second.get('session_state'), first.get('session_state'));
  await context.close();
});

inScene(scene, 'the language can be changed on the login page, and the login goes on', async (t, stage) => {
  const context = await stage.browser.newContext({ locale: 'en' });
  const page = await context.newPage();
  await page.goto(stage.request());
  await page.getByRole('link', { name: 'Deutsch', exact: true }).click();
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor();
  await fillIn(page, 'wrong');
  t.regex((await page.locator('main').textContent()) ?? '', /Ungültiger Benutzername oder Passwort/);
  await page.getByRole('link', { name: 'English', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await fillIn(page);
  t.is((await arrival(page, stage)).get('state'), 'the-state');
  await context.close();
});

inScene(scene, 'a login needs no scripts', async (t, stage) => {
  const context = await stage.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(stage.request());
  await fillIn(page, 'wrong');
  await fillIn(page);
  t.truthy((await arrival(page, stage)).get('code'));
  await page.goto(stage.request({ response_mode: 'form_post' }));
  await page.locator('#kc-continue').click();
  await page.getByText('Hello from the application').waitFor();
  t.truthy(stage.application.callbacks.at(-1)?.form.get('code'));
  await context.close();
});

inScene(scene, 'the answer gets to an application that has a scheme of its own', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => /form-action/.test(message.text()) && refused.push(message.text()));
  await page.goto(stage.request({ client_id: 'native', redirect_uri: 'com.example.app:/cb' }));
  // This machine has no application for the scheme, so the browser's request fails.
  const failed = page.waitForEvent('requestfailed');
  await fillIn(page);
  await failed;
  t.deepEqual(refused, []);
  await context.close();
});
