import anyTest, { type ExecutionContext } from 'ava';
import type { Browser, Page } from 'playwright-core';
import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { browserTest, hasChromium, startBrowser } from './browser.js';
import { codeRequest } from './form-browser.js';
import { startHost, type TestHost } from './host.js';
import { type LocalApplication, startApplication } from './local-application.js';
import { testRealm } from './realms.js';
import { shareStarted } from './shared-host.js';

/** A host, an application with clients in it, and a real browser, for all tests of a file. */
export interface LoginScene {
  readonly host: TestHost;
  readonly application: LocalApplication;
  /** Undefined without Chromium. */
  readonly browser: Browser | undefined;
  /** The address of an authorization request that returns to the application. */
  request(changes?: Record<string, string | undefined>): string;
}

const PASSWORD = 'Alice-pass-1!';

/** The test realm with the application's clients: web and web2, spa, one that requires consent, and one of a phone. */
export function sceneRealm(origin: string, changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  const realm = testRealm('demo');
  const redirectUris = [`${origin}/cb`];
  const clients = (realm.clients ?? []).map((client) => {
    if (client.clientId === 'spa') {
      const optionalClientScopes = [...((client.optionalClientScopes as string[] | undefined) ?? []), 'offline_access'];
      const defaultClientScopes = [...DEFAULT_CLIENT_SCOPES];
      return {
        ...client,
        redirectUris: [`${origin}/*`],
        webOrigins: [origin],
        defaultClientScopes,
        optionalClientScopes,
      };
    }
    return client.clientId === 'web' || client.clientId === 'web2' ? { ...client, redirectUris } : client;
  });
  const agreeable = { clientId: 'agreeable', secret: 'x', consentRequired: true, name: 'The Gazette', redirectUris };
  const native = { clientId: 'native', publicClient: true, redirectUris: ['com.example.app:/cb'] };
  return {
    ...realm,
    displayName: 'Demo & Söhne',
    rememberMe: true,
    clients: [...clients, agreeable, native],
    ...changes,
  };
}

/** Starts the scene before the tests of the file and stops it after them. */
export function shareScene(
  changes: Partial<RealmRepresentation> = {},
  options: { browser: boolean; argv?: readonly string[] } = { browser: true },
): () => LoginScene {
  return shareStarted(anyTest, async (scope) => {
    const application = await startApplication(scope);
    const { argv = [] } = options;
    const host = await startHost(scope, { realms: [sceneRealm(application.origin, changes)], argv: [...argv] });
    const browser = options.browser && hasChromium ? await startBrowser(scope) : undefined;
    const request = (more: Record<string, string | undefined> = {}) =>
      codeRequest(host, { redirect_uri: application.callback, ...more }).url;
    return { application, host, browser, request };
  });
}

/** A test in the scene's browser; skipped if there is none. */
export function inScene(
  scene: () => LoginScene,
  title: string,
  run: (t: ExecutionContext, scene: LoginScene & { browser: Browser }) => Promise<void>,
): void {
  browserTest(title, async (t) => {
    const { browser, ...rest } = scene();
    if (browser === undefined) throw new Error('the scene was started without a browser');
    await run(t, { ...rest, browser });
  });
}

/** Fills in the login page and sends it. */
export async function fillIn(page: Page, password = PASSWORD, username = 'alice'): Promise<void> {
  const field = page.locator('#username');
  if ((await field.getAttribute('readonly')) === null) await field.fill(username);
  await page.locator('#password').fill(password);
  await page.locator('#kc-login').click();
}

/** Waits for the redirect to the application, and returns its parameters. */
export async function arrival(page: Page, { application }: Pick<LoginScene, 'application'>): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(application.callback));
  const { search, hash } = new URL(page.url());
  return new URLSearchParams(hash === '' ? search : hash.slice(1));
}
