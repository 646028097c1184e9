import { existsSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { type Browser, chromium } from 'playwright-core';

/** Chromium without a window takes less than two thirds of the processor time. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? PLACES.find(existsSync) ?? '/usr/bin/chromium';

/** The timeout in milliseconds (Playwright's own is 30,000): only a hanging page may exceed it, not a slow machine. */
const GUARD = 60_000;

/** True if browser tests can run. */
export const hasChromium = existsSync(CHROMIUM);

/** AVA's serial test. Without Chromium, AVA reports it as skipped. */
export function browserTest(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  if (hasChromium) test.serial(title, run);
  else test.serial.skip(`${title} (no Chromium at ${CHROMIUM}; the variable CHROMIUM says where one is)`, run);
}

/**
 * A browser that is closed after the tests of `t`. Fails without Chromium: see `hasChromium`.
 * @param args further command-line arguments
 */
export async function startBrowser(
  t: Pick<ExecutionContext, 'teardown'>,
  args: readonly string[] = [],
): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...args], timeout: GUARD });
  browser.on('context', (context) => context.setDefaultTimeout(GUARD));
  t.teardown(() => browser.close());
  return browser;
}
