import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Browser, Page, Request } from 'playwright-core';
import { ROOT } from './admin.js';
import { browserTest } from './browser.js';
import { eventually } from './eventually.js';
import type { TestHost } from './host.js';

const BUILT = existsSync(join(import.meta.dirname, '../../../providers/keycloak-console/dist/index.html'));

/** A browser test over Keycloak's console, or one that AVA prints and counts as skipped where nobody has built it. */
export function consoleTest(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  if (BUILT) browserTest(title, run);
  else test.serial.skip(`${title} (Keycloak's console is not built: npm run console)`, run);
}

/** Keycloak's console in a tab, signed in, and whatever went wrong in it. */
export interface ConsoleTab {
  readonly page: Page;
  /** What went wrong since the last question: errors of the page, refusals of the host, violations of its policy. */
  readonly wrong: () => string[];
  /** A page of the console, loaded anew, once it shows something. @param path such as `demo/users` */
  open(path: string): Promise<void>;
}

/**
 * What Chromium tells beside the answer itself, and what the console asks in vain of Keycloak, too: in the page of mails for its own
 * admin in a realm that is another one, and for the children of a group that it has just removed.
 */
const TOLERATED = [
  /Failed to load resource/,
  /^404 GET \S+\/admin\/realms\/demo\/users\/[\w-]+$/,
  /^404 GET \S+\/groups\/[\w-]+\/children\?/,
];
/** Milliseconds until a page of the console stands, on a machine that is busy. */
const LIMIT_MS = 20_000;

export async function openConsole(
  t: ExecutionContext,
  { host, browser }: { host: TestHost; browser: Browser },
  { realm = 'master', ...who }: Partial<typeof ROOT> & { realm?: string } = {},
): Promise<ConsoleTab> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, locale: 'en' });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const wrong: string[] = [];
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().includes('/admin/realms/')) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('pageerror', (error) => wrong.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !TOLERATED.some((one) => one.test(message.text()))) wrong.push(message.text());
  });
  page.on('response', (answer) => {
    const told = `${answer.status()} ${answer.request().method()} ${answer.url()}`;
    if (answer.status() >= 400 && !TOLERATED.some((one) => one.test(told))) wrong.push(told);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(host.publicUrl) && !/^(data|blob):/.test(request.url()))
      wrong.push(`foreign request: ${request.url()}`);
  });
  const start = `${host.publicUrl}/admin/${realm}/console/`;
  await page.goto(start);
  await page.locator('#username').fill(who.username ?? ROOT.username);
  await page.locator('#password').fill(who.password ?? ROOT.password);
  await page.locator('#kc-login').click();
  await page.locator('#nav-toggle, .pf-v5-c-masthead').first().waitFor();
  return {
    page,
    wrong: () => wrong.splice(0),
    async open(path) {
      await page.goto('about:blank');
      await page.goto(`${start}#/${path}`);
      await page.locator('main h1, main [role=tab], main .pf-v5-c-empty-state').first().waitFor({ timeout: LIMIT_MS });
      await page.locator('main [role=progressbar]').first().waitFor({ state: 'detached', timeout: LIMIT_MS });
      await eventually(() => pending.size === 0);
    },
  };
}

/** Messages of failure that the console shows. */
export function failures(page: Page): Promise<string[]> {
  return page.locator('.pf-v5-c-alert.pf-m-danger').allInnerTexts();
}
