import { arrival, fillIn, inScene, shareScene } from '../helpers/login-scene.js';
import { shows } from '../helpers/shows.js';

const scene = shareScene();
const AGREEABLE = { client_id: 'agreeable' };

inScene(scene, 'no to the consent page is access_denied, yes is remembered', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.request(AGREEABLE));
  await fillIn(page);
  await page.getByRole('heading', { name: /The Gazette/ }).waitFor();
  await shows(t, () => page.locator('.scopes li > span:first-child').allTextContents(), [
    'User profile',
    'Email address',
    'User roles',
  ]);
  await page.locator('#kc-cancel').click();
  const denied = await arrival(page, stage);
  t.deepEqual([denied.get('error'), denied.get('state'), denied.get('code')], ['access_denied', 'the-state', null]);

  await page.goto(stage.request(AGREEABLE));
  await fillIn(page);
  await page.locator('#kc-consent').waitFor();
  await page.locator('#kc-login').click();
  t.truthy((await arrival(page, stage)).get('code'));

  await page.goto(stage.request(AGREEABLE));
  t.truthy((await arrival(page, stage)).get('code'), 'nobody is asked again');
  await page.goto(stage.request({ ...AGREEABLE, prompt: 'consent' }));
  await shows(t, () => page.locator('#kc-consent').count(), 1);
  await context.close();
});

for (const [id, what] of [
  ['#loginContinueLink', 'goes on where the login is'],
  ['#loginRestartLink', 'begins it again'],
] as const) {
  inScene(scene, `an old page says that it has expired, and its link ${what}`, async (t, stage) => {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await page.goto(stage.request({ ...AGREEABLE, prompt: 'consent' }));
    const form = await page.locator('#kc-form-login').getAttribute('action');
    await fillIn(page);
    await page.locator('#kc-consent').waitFor();
    // Sends the previous page again, like going back and pressing the button.
    await page.goto(new URL(form ?? '', page.url()).href);
    await page.locator(id).click();
    await page.locator(id === '#loginRestartLink' ? '#username' : '#kc-consent').waitFor();
    await page.waitForLoadState();
    await page.reload();
    if (id === '#loginRestartLink') await fillIn(page);
    await page.locator('#kc-consent #kc-login').click();
    t.truthy((await arrival(page, stage)).get('code'));
    await context.close();
  });
}

inScene(scene, 'back from the consent page shows the consent page, and it still works', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.request({ ...AGREEABLE, prompt: 'consent' }));
  await fillIn(page);
  await page.locator('#kc-consent').waitFor();
  await page.goBack();
  await page.locator('#kc-form-login').waitFor();
  await fillIn(page);
  await page.locator('#kc-consent').waitFor();
  await page.locator('#kc-login').click();
  t.truthy((await arrival(page, stage)).get('code'));
  await context.close();
});
