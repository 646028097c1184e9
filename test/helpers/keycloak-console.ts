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
  /** Goes to a page of the console, which is loaded anew for another realm, until it shows something. @param path such as `demo/users` */
  open(path: string): Promise<void>;
  /** Once the page has what it asked for: before that a form takes back what is typed. */
  settled(): Promise<void>;
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
  let last = '';
  const settled = async () => {
    // Asked again where the login that a hard load goes through takes the page away meanwhile.
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
      // Where only the part behind # changes, the console writes to the realm that it showed before.
      if (shown !== last) await page.goto('about:blank');
      last = shown;
      // What the page before asked last is not waited for.
      pending.clear();
      await page.goto(`${start}#/${path}`);
      await settled();
    },
  };
}

/** What the tests of forms do in a page of the console. */
export function consoleForms(t: ExecutionContext, { page, settled, wrong }: ConsoleTab) {
  const field = (id: string) => page.getByTestId(id);
  const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true }).first();
  /** The console says that it is done: nothing failed, and the page is as it is afterwards. */
  const done = async (what: string) => {
    const told = page.locator('.pf-v5-c-alert');
    await told.first().waitFor();
    t.deepEqual([await failures(page), wrong()], [[], []], what);
    for (const close of await told.getByRole('button').all()) {
      // Some go by themselves meanwhile.
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
    /** Of a switch. */
    label: (id: string) => page.locator(`label[for=${id}]`),
    button,
    done,
    /** By the menu of the page. */
    async remove(item = 'Delete') {
      await field('action-dropdown').first().click();
      await confirmed(item);
    },
    /** By the menu of the row. */
    async removeRow(name: string) {
      await page.getByRole('row', { name }).getByRole('button', { name: 'Kebab toggle', exact: true }).click();
      await confirmed('Delete');
    },
  };
}

/** Messages of failure that the console shows. */
export function failures(page: Page): Promise<string[]> {
  return page.locator('.pf-v5-c-alert.pf-m-danger').allInnerTexts();
}
