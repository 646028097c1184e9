import { existsSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { type Browser, chromium } from 'playwright-core';

/** Chromium without its own windows takes less than two thirds of the processor time. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = process.env.CHROMIUM ?? PLACES.find(existsSync) ?? '/usr/bin/chromium';

/** Milliseconds, Playwright's own is 30,000: waiting for a page ends only where it hangs, not where the machine is slow. */
const GUARD = 60_000;

/** True where browser tests run. */
export const hasChromium = existsSync(CHROMIUM);

/** AVA's serial test, or one that AVA prints and counts as skipped where there is no Chromium on the machine. */
export function browserTest(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  if (hasChromium) test.serial(title, run);
  else test.serial.skip(`${title} (no Chromium at ${CHROMIUM}; the variable CHROMIUM says where one is)`, run);
}

/**
 * A browser until the tests of `t` are over. Where there is no Chromium this fails: see `hasChromium`.
 * @param args more arguments of its command line
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
