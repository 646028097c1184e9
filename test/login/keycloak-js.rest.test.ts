import type { BrowserContext, Page } from 'playwright-core';
import { arrival, fillIn, inScene, type LoginScene, shareScene } from '../helpers/login-scene.js';
import { ALICE } from '../helpers/realms.js';

const scene = shareScene();

/** The library's state, as the page reports it. */
interface Adapter {
  readonly authenticated: boolean;
  readonly username?: string;
  readonly subject?: string;
  readonly audience?: unknown;
  readonly email?: string;
  readonly refreshed?: boolean;
  readonly changed?: boolean;
  readonly watched?: readonly unknown[];
}

/** Runs in the page: the library from its own file, as in an application without a bundler. */
function script({ host }: LoginScene, options: object, more = ''): string {
  const settings = { url: host.url, realm: 'demo', clientId: 'spa' };
  return `(async () => {
    const { default: Keycloak } = await import('/keycloak.js');
    const keycloak = new Keycloak(${JSON.stringify(settings)});
    const options = { checkLoginIframe: false, pkceMethod: 'S256', ...${JSON.stringify(options)} };
    const authenticated = await keycloak.init(options);
    const result = { authenticated };
    if (authenticated) {
      result.username = keycloak.tokenParsed.preferred_username;
      result.subject = keycloak.idTokenParsed.sub;
      result.audience = keycloak.idTokenParsed.aud;
      ${more}
    }
    return result;
  })()`;
}

const USE = `result.email = (await keycloak.loadUserInfo()).email;
      const before = keycloak.token;
      result.refreshed = await keycloak.updateToken(-1);
      result.changed = keycloak.token !== before;`;

async function adapter(page: Page, source: string): Promise<Adapter> {
  return (await page.evaluate(source)) as Adapter;
}

/** The library asks the host whether frames get cookies. If the host cannot confirm it yet, this answers yes. */
async function framesGetCookies(context: BrowserContext): Promise<void> {
  await context.route('**/3p-cookies/step1.html', async (route) => {
    const response = await route.fetch();
    const stand = { contentType: 'text/html', body: "<script>parent.postMessage('supported', '*')</script>" };
    await route.fulfill(response.status() === 404 ? stand : { response });
  });
}

inScene(scene, 'keycloak-js, unbundled, logs alice in, loads her and renews its tokens', async (t, stage) => {
  const page = await stage.browser.newPage();
  const errors: string[] = [];
  page.on(
    'console',
    (message) => message.type() === 'error' && errors.push(`${message.text()} ${message.location().url}`),
  );
  page.on('pageerror', (error) => errors.push(String(error)));
  const home = `${stage.application.origin}/`;
  await page.goto(home);
  // It leaves the page, so it never resolves.
  void page.evaluate(script(stage, { onLoad: 'login-required' })).catch(() => undefined);
  await page.locator('#password').waitFor();
  await fillIn(page);
  await page.waitForURL((url) => url.origin === stage.application.origin);
  t.regex(page.url(), /#state=.+&session_state=.+&code=.+/);
  const found = await adapter(page, script(stage, { onLoad: 'login-required' }, USE));
  t.deepEqual(found, {
    authenticated: true,
    username: 'alice',
    subject: ALICE,
    audience: 'spa',
    email: 'alice@example.test',
    refreshed: true,
    changed: true,
  });
  t.is(page.url().split('#')[1] ?? '', '', 'the library took the answer out of the address');
  t.deepEqual(errors, []);
});

inScene(scene, 'keycloak-js finds a login silently in a frame, and finds none', async (t, stage) => {
  const context = await stage.browser.newContext();
  await framesGetCookies(context);
  const page = await context.newPage();
  const home = `${stage.application.origin}/`;
  const options = { onLoad: 'check-sso', silentCheckSsoRedirectUri: `${home}silent.html` };
  await page.goto(home);
  t.deepEqual(await adapter(page, script(stage, options)), { authenticated: false });
  const other = await context.newPage();
  await other.goto(stage.request());
  await fillIn(other);
  await arrival(other, stage);
  await page.reload();
  t.like(await adapter(page, script(stage, options, USE)), { authenticated: true, username: 'alice', changed: true });
  t.is(page.url(), home, 'the page was never left');
  await context.close();
});

/** The answers of the library's frame to the next two checks of the session. */
const WATCH = `result.watched = await new Promise((resolve) => {
        const said = [];
        addEventListener('message', ({ data }) => {
          if (said.push(data) === 2) resolve(said);
        });
      });`;

inScene(scene, 'keycloak-js with offline access watches the login in its frame, and logs in once', async (t, stage) => {
  const context = await stage.browser.newContext();
  await framesGetCookies(context);
  const page = await context.newPage();
  const options = {
    onLoad: 'login-required',
    scope: 'offline_access',
    checkLoginIframe: true,
    checkLoginIframeInterval: 1,
  };
  await page.goto(`${stage.application.origin}/`);
  void page.evaluate(script(stage, options)).catch(() => undefined);
  await page.locator('#password').waitFor();
  await fillIn(page);
  await page.waitForURL((url) => url.origin === stage.application.origin);
  const seen = await adapter(page, script(stage, options, `${USE}\n${WATCH}`));
  t.like(seen, { authenticated: true, username: 'alice', refreshed: true });
  t.deepEqual(seen.watched, ['unchanged', 'unchanged']);
  await context.close();
});

inScene(scene, 'keycloak-js comes back to the route of a page whose routes are fragments', async (t, stage) => {
  const page = await stage.browser.newPage();
  const route = `${stage.application.origin}/#/users`;
  for (const responseMode of ['fragment', 'query']) {
    await page.context().clearCookies();
    await page.goto(route);
    await page.reload();
    // It leaves the page, so it never resolves.
    void page.evaluate(script(stage, { onLoad: 'login-required', responseMode })).catch(() => undefined);
    await page.locator('#password').waitFor();
    await fillIn(page);
    await page.waitForURL((url) => url.origin === stage.application.origin);
    t.like(await adapter(page, script(stage, { onLoad: 'login-required', responseMode })), { username: 'alice' });
    t.is(page.url(), route);
  }
});
