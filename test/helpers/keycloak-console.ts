import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Browser, Page, Request } from 'playwright-core';
import { ROOT } from './admin.js';
import { browserTest } from './browser.js';
import { eventually } from './eventually.js';
import type { TestHost } from './host.js';

const BUILT = existsSync(join(import.meta.dirname, '../../../providers/keycloak-console/dist/index.html'));

/** A browser test of Keycloak's console. AVA reports it as skipped if the console is not built. */
export function consoleTest(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  if (BUILT) browserTest(title, run);
  else test.serial.skip(`${title} (Keycloak's console is not built: npm run console)`, run);
}

/** A signed-in tab of Keycloak's console that records errors. */
export interface ConsoleTab {
  readonly page: Page;
  /**
   * Errors since the last call: errors of the page, requests that the host refused, violations of the page's policy.
   */
  readonly wrong: () => string[];
  /**
   * Opens a page of the console and waits for its content. Another realm reloads the console.
   * @param path such as `demo/users`
   */
  open(path: string): Promise<void>;
  /** Waits for the page's requests: until then a form may discard input. */
  settled(): Promise<void>;
}

/**
 * Expected messages: Chromium's own reports of failed requests, and requests that fail with Keycloak, too. These are
 * for the console's own admin in another realm, on the email page, and for the children of a deleted group.
 */
const TOLERATED = [
  /Failed to load resource/,
  /^404 GET \S+\/admin\/realms\/demo\/users\/[\w-]+$/,
  /^404 GET \S+\/groups\/[\w-]+\/children\?/,
];
/** The timeout for a page of the console on a busy machine, in milliseconds. */
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
  let last = '';
  const settled = async () => {
    // Retried if a reload through the login replaces the page meanwhile.
    await page.waitForFunction('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100, true)))');
    await page.locator('main h1, main [role=tab], main .pf-v5-c-empty-state').first().waitFor({ timeout: LIMIT_MS });
    await page.locator('main [role=progressbar]').first().waitFor({ state: 'detached', timeout: LIMIT_MS });
    await eventually(() => pending.size === 0);
  };
  return {
    page,
    wrong: () => wrong.splice(0),
    settled,
    async open(path) {
      const [shown = ''] = path.split('/');
      // If only the fragment changed, the console would write to the realm that it showed before.
      if (shown !== last) await page.goto('about:blank');
      last = shown;
      // Do not wait for requests of the previous page.
      pending.clear();
      await page.goto(`${start}#/${path}`);
      await settled();
    },
  };
}

/** Operations on forms in a page of the console. */
export function consoleForms(t: ExecutionContext, { page, settled, wrong }: ConsoleTab) {
  const field = (id: string) => page.getByTestId(id);
  const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first();
  /** Waits for the console's success message, and asserts that nothing failed. */
  const done = async (what: string) => {
    const told = page.locator('.pf-v5-c-alert');
    await told.first().waitFor();
    t.deepEqual([await failures(page), wrong()], [[], []], what);
    for (const close of await told.getByRole('button').all()) {
      // Some disappear on their own meanwhile.
      await close.click({ timeout: 5_000 }).catch(() => undefined);
    }
    await told.first().waitFor({ state: 'detached' });
    await settled();
  };
  const confirmed = async (item: string) => {
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await field('confirm').click();
    await done(item);
  };
  return {
    field,
    /** The label of a switch. */
    label: (id: string) => page.locator(`label[for=${id}]`),
    button,
    done,
    /** Removes the object with the page's menu. */
    async remove(item = 'Delete') {
      await field('action-dropdown').first().click();
      await confirmed(item);
    },
    /** Removes a row with its menu. */
    async removeRow(name: string) {
      await page.getByRole('row', { name }).getByRole('button', { name: 'Kebab toggle', exact: true }).click();
      await confirmed('Delete');
    },
  };
}

/** Error messages that the console shows. */
export function failures(page: Page): Promise<string[]> {
  return page.locator('.pf-v5-c-alert.pf-m-danger').allInnerTexts();
}
