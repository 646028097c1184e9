import type { ExecutionContext } from 'ava';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ROOT } from './admin.js';
import type { TestHost } from './host.js';

/** The size of a tab in CSS pixels. */
const WIDTH = 1280;
const HEIGHT = 860;
/** Runs in every page before its own scripts, to record violations of the page's policy. */
const WATCH = `
addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile));
`;
const JWT = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}/;
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A tab of the admin console that records faults that no test allows. */
export interface ConsoleTab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Ends the test's use of the tab, and asserts that no such fault happened. */
  done(): Promise<void>;
}

export interface ConsoleScene {
  readonly host: TestHost;
  readonly browser: Browser;
}

export interface ConsoleUser {
  readonly realm: string;
  readonly username: string;
  readonly password: string;
}

export interface ConsoleView {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  /** A pattern of console messages that the test causes. */
  readonly expected?: RegExp;
}

/** A tab of a new browser at a path of the admin console, not signed in. */
export async function openAdminConsole(
  t: ExecutionContext,
  { host, browser }: ConsoleScene,
  path = '',
  { width = WIDTH, colorScheme = 'light', locale = 'en', expected = /^$/ }: ConsoleView = {},
): Promise<ConsoleTab> {
  const context = await browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme, locale });
  t.teardown(() => context.close());
  await context.addInitScript(WATCH);
  return watched(t, host, await context.newPage(), path, expected);
}

/**
 * A signed-in tab of the admin console at a path. Tests of one user share a tab in turn: a new browser and login take
 * three times the processor time of a page load.
 */
export async function openSignedIn(
  t: ExecutionContext,
  scene: ConsoleScene,
  path = '',
  { as: who = {}, ...view }: ConsoleView & { readonly as?: Partial<ConsoleUser> } = {},
): Promise<ConsoleTab> {
  const { width = WIDTH, colorScheme = 'light', locale = 'en', expected = /^$/ } = view;
  const tabs = signedIn.get(scene.browser) ?? new Map<string, Page>();
  signedIn.set(scene.browser, tabs);
  const key = JSON.stringify([scene.host.publicUrl, { ...ROOT, realm: 'master', ...who }, locale]);
  let page = tabs.get(key);
  if (page === undefined) {
    const context = await scene.browser.newContext({ locale });
    await context.addInitScript(WATCH);
    page = await context.newPage();
    tabs.set(key, page);
  }
  const context = page.context();
  // The tab of a failed test is not reused.
  t.teardown(async () => {
    if (t.passed) return;
    tabs.delete(key);
    await context.close();
  });
  for (const other of context.pages()) if (other !== page) await other.close();
  page.removeAllListeners();
  context.removeAllListeners('page');
  await context.unrouteAll();
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme });
  const tab = await watched(t, scene.host, page, path, expected);
  const field = page.getByRole('textbox', { name: 'Realm' });
  await page.locator('.frame').or(field).first().waitFor();
  if (await field.isVisible()) await signIn(page, who);
  return tab;
}

const signedIn = new WeakMap<Browser, Map<string, Page>>();

/** Opens the path, and records faults that no test allows. */
async function watched(
  t: ExecutionContext,
  host: TestHost,
  page: Page,
  path: string,
  expected: RegExp,
): Promise<ConsoleTab> {
  const context = page.context();
  const wrong: string[] = [];
  const origin = new URL(host.publicUrl).origin;
  const watchPage = (one: Page) => watch(one, origin, wrong, expected);
  watchPage(page);
  context.on('page', watchPage);
  // If the test fails, log the page's text.
  t.teardown(async () => {
    if (!t.passed) t.log(`${page.url()}\n${await page.innerText('body').catch(String)}`);
  });
  await page.goto(`${host.publicUrl}/admin/desk/${path}`);
  return {
    page,
    context,
    async done() {
      for (const one of context.pages()) wrong.push(...(await kept(one)));
      t.deepEqual(wrong, []);
    },
  };
}

function watch(page: Page, origin: string, wrong: string[], expected: RegExp): void {
  page.on('pageerror', (error) => wrong.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    // Chromium reports failed requests itself.
    const isOwn = /^Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !isOwn && !expected.test(message.text()))
      wrong.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (new URL(url).origin !== origin && !url.startsWith('data:')) wrong.push(`foreign request: ${url}`);
    if (JWT.test(url)) wrong.push(`token in an address: ${url}`);
  });
}

/** Tokens that are stored where other scripts, or readers of the disk, could find them. */
async function kept(page: Page): Promise<string[]> {
  const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])');
  return JWT.test(String(stored)) ? [`token in storage or address: ${stored}`] : [];
}

/** Signs in on the host's login page, and waits for the requested page of the admin console. */
export async function signIn(page: Page, { realm = 'master', ...who }: Partial<ConsoleUser> = {}) {
  const { username, password } = { ...ROOT, ...who };
  const field = page.getByRole('textbox', { name: 'Realm' });
  await field.fill(realm);
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await page.locator('#kc-login').click();
  await page.locator('.frame').waitFor();
}

/** Presses a button of the page, and the same one in the dialog that it opens. */
export async function confirmed(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Accessibility faults that axe finds on the page in its current theme. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The frame is rendered before the page within it, which has the heading.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  const size = page.viewportSize() ?? { width: 1280, height: 860 };
  // Make everything visible, so that a fixed bar covers nothing by chance.
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ ...size, height: Math.max(size.height, height) });
  // Runs through the DevTools protocol, to which the page's policy does not apply.
  await page.evaluate(axe.source);
  const run = `axe.run({ runOnly: ${JSON.stringify(AXE_TAGS)} }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ' ' + failureSummary)))`;
  const findings = (await page.evaluate(run)) as string[];
  await page.setViewportSize(size);
  return findings;
}
