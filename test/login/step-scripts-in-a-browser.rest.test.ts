import test from 'ava';
import type { Page } from 'playwright-core';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { codeRealm } from '../helpers/code-realm.js';
import { CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm } from '../helpers/host.js';
import { pollingStep } from '../helpers/polling-step.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { scripted } from '../helpers/scripted-step.js';
import { shareHost } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

/** Records what the page's policy allows. */
const PUZZLE = `const told = document.body.dataset;
new Worker(new URL('solver.js', document.currentScript.src)).onmessage = ({ data }) => { told.worker = data; };
try { eval('1'); told.eval = 'ran'; } catch { told.eval = 'refused'; }
const inline = document.createElement('script');
inline.textContent = 'document.body.dataset.inline = "ran"';
const unnamed = document.createElement('script');
unnamed.src = new URL('unnamed.js', document.currentScript.src);
unnamed.onerror = () => { told.unnamed = 'refused'; };
document.head.append(inline, unnamed);
fetch('/realms/master').then(() => { told.fetch = 'ran'; }, () => { told.fetch = 'refused'; });`;
const FILES = {
  'resources/puzzle.js': PUZZLE,
  'resources/puzzle.css': 'h1 { color: rgb(1, 2, 3) }',
  'resources/solver.js': 'postMessage("solved");',
  'resources/unnamed.js': 'document.body.dataset.unnamed = "ran";',
};
const shared = shareHost(test, {
  realms: [],
  plugins: [{ module: 'phone' }, { module: 'puzzle' }],
  packages: {
    phone: pollingStep('phone'),
    puzzle: scripted('puzzle', { scripts: ['puzzle.js'], styles: ['puzzle.css'], workers: ['solver.js'] }, FILES),
  },
});

const realm = (id: string) =>
  inRealm(shared(), (name) => ({
    ...codeRealm(name, flowWith(id)),
    providers: { 'realm-restapi-extension': { phone: { enabled: true } } },
  }));
const told = (page: Page) => page.evaluate('({ ...document.body.dataset })');

browserTest(
  'polling steps: a waiting page continues by itself once its step is ready, and reports that its login has ended',
  async (t) => {
    const browser = await startBrowser(t);
    const host = await realm('phone');
    const waiting = async () => {
      const page = await browser.newPage();
      await page.goto(codeRequest(host).url);
      await page.getByRole('heading', { name: 'Look at your phone', exact: true }).waitFor();
      return page;
    };
    const over = await waiting();
    await over.context().clearCookies();
    await over.locator('#kc-error-message').waitFor();

    const page = await waiting();
    // Without interaction: the browser's poll is enough.
    const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
    await fetchAnswer(`${host.realm(host.defaultRealm)}/phone`, { method: 'POST' });
    t.regex((await back).url(), /[?&]code=/);
  },
);

browserTest('polling steps: the policy lets a page run the files that it names, and nothing else', async (t) => {
  const browser = await startBrowser(t);
  const host = await realm('puzzle');
  const page = await browser.newPage();
  await page.goto(codeRequest(host).url);
  const refused = { eval: 'refused', unnamed: 'refused', fetch: 'refused' };
  await shows(t, () => told(page), { ...refused, worker: 'solved' });
  t.is(await page.evaluate('getComputedStyle(document.querySelector("h1")).color'), 'rgb(1, 2, 3)');
});
