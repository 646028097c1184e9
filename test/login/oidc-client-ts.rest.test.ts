import type { Page } from 'playwright-core';
import { arrival, fillIn, inScene, type LoginScene, shareScene } from '../helpers/login-scene.js';
import { ALICE } from '../helpers/realms.js';

const scene = shareScene();

/** Uses the library's UserManager on the application's page, as `manager`. */
async function use(page: Page, { host, application }: LoginScene, source: string): Promise<unknown> {
  const home = `${application.origin}/`;
  const settings = {
    authority: host.realm('demo'),
    client_id: 'spa',
    redirect_uri: home,
    silent_redirect_uri: `${home}oidc-silent.html`,
    includeIdTokenInSilentRenew: true,
    automaticSilentRenew: false,
  };
  await page.addScriptTag({ url: '/oidc-client.js' });
  return page.evaluate(`(async () => {
    const manager = new oidc.UserManager(${JSON.stringify(settings)});
    const silently = () => manager.signinSilent({ forceIframeAuth: true });
    ${source}
  })()`);
}

/** Signs in by the library, and stays on the application's page. */
async function logIn(page: Page, stage: LoginScene): Promise<unknown> {
  await page.goto(`${stage.application.origin}/`);
  // It leaves the page, so it never resolves.
  void use(page, stage, 'await manager.signinRedirect();').catch(() => undefined);
  await fillIn(page);
  await page.waitForURL((url) => url.origin === stage.application.origin && url.searchParams.has('code'));
  return use(page, stage, 'return (await manager.signinCallback()).profile.sub;');
}

inScene(scene, 'oidc-client-ts renews silently in a frame for the user of its ID token', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  t.is(await logIn(page, stage), ALICE);
  const sent = page.waitForRequest((request) => request.url().includes('prompt=none'));
  const renewed = await use(
    page,
    stage,
    `const before = await manager.getUser();
    const after = await silently();
    return { sub: after.profile.sub, changed: after.access_token !== before.access_token };`,
  );
  t.deepEqual(renewed, { sub: ALICE, changed: true });
  t.truthy(new URL((await sent).url()).searchParams.get('id_token_hint'));
  await context.close();
});

inScene(scene, 'oidc-client-ts is told so when somebody else is logged in, or nobody', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await logIn(page, stage);
  const silent = `return await silently().then(() => 'renewed', ({ error }) => error);`;
  await context.clearCookies();
  t.is(await use(page, stage, silent), 'login_required', 'nobody');
  const other = await context.newPage();
  await other.goto(stage.request());
  await fillIn(other, 'Dave-pass-1!', 'dave');
  await arrival(other, stage);
  t.is(await use(page, stage, silent), 'login_required', 'somebody else');
  await context.close();
});
