import { existsSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

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
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...args] });
  t.teardown(() => browser.close());
  return browser;
}
