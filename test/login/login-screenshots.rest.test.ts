import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillIn, inScene, shareScene } from '../helpers/login-scene.js';

const provider = (alias: string, displayName: string) => ({
  alias,
  providerId: 'oidc',
  displayName,
  enabled: true,
  config: {
    clientId: 'keyhost',
    clientSecret: 'x',
    authorizationUrl: 'https://sso.example.test/auth',
    tokenUrl: 'https://sso.example.test/token',
    issuer: 'https://sso.example.test',
    validateSignature: 'true',
    useJwksUrl: 'true',
    jwksUrl: 'https://sso.example.test/certs',
  },
});
const scene = shareScene({
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de'],
  resetPasswordAllowed: true,
  registrationAllowed: true,
  identityProviders: [provider('company', 'The company'), provider('github', 'The code house')],
});

const VIEWS = [
  { name: 'wide', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'narrow', width: 390, height: 844, colorScheme: 'light' },
  { name: 'narrow-dark', width: 390, height: 844, colorScheme: 'dark' },
  { name: 'narrowest', width: 320, height: 640, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 800, colorScheme: 'dark' },
] as const;

inScene(scene, 'every page that a login can come to is photographed, and none scrolls sideways', async (t, stage) => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhost-login-'));
  t.log(`screenshots: ${folder}`);
  for (const { name: view, width, height, colorScheme } of VIEWS) {
    const context = await stage.browser.newContext({ viewport: { width, height }, colorScheme, locale: 'en' });
    const page = await context.newPage();
    const photograph = async (name: string) => {
      await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
      t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${name}, ${view}`);
    };
    // The page would leave by itself before it is seen.
    await page.route('**/form-post.js', (route) => route.abort());
    await page.goto(stage.request({ client_id: 'agreeable', scope: 'openid email profile phone', prompt: 'consent' }));
    await photograph('login');
    const old = await page.locator('#kc-form-login').getAttribute('action');
    await fillIn(page, 'wrong');
    await page.getByText('Invalid username or password.').waitFor();
    await photograph('login-with-error');
    await fillIn(page);
    const consent = page.locator('#kc-consent');
    await consent.waitFor();
    await photograph('consent');
    await page.goto(new URL(old ?? '', page.url()).href);
    await photograph('page-expired');
    await page.locator('#loginContinueLink').click();
    await page.locator('#kc-consent #kc-login').click();
    await page.waitForURL((url) => url.href.startsWith(stage.application.callback));
    await page.goto(stage.request({ prompt: 'login' }));
    await photograph('login-again');
    await page.goto(stage.request({ response_mode: 'form_post' }));
    await photograph('form-post');
    await page.goto(new URL(old ?? '', page.url()).href);
    await photograph('already-logged-in');
    await page.goto(stage.request({ redirect_uri: 'http://127.0.0.1:1/nowhere' }));
    await photograph('error');
    await context.close();
  }
});
