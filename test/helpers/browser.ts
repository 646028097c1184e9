import { existsSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Undefined, and said aloud, where there is no Chromium. */
export async function startBrowser(t: Pick<ExecutionContext, 'log' | 'teardown'>): Promise<Browser | undefined> {
  if (!existsSync(CHROMIUM)) {
    t.log(`SKIPPED: there is no Chromium at ${CHROMIUM}; the variable CHROMIUM says where one is`);
    return undefined;
  }
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  t.teardown(() => browser.close());
  return browser;
}
