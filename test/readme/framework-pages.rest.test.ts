import test from 'ava';
import { appsOfPages, signInToApps } from './apps-of-pages.js';

test('framework pages: alice signs in to the app of each page, and signs out as the page describes', async (t) => {
  const apps = await appsOfPages('js');
  t.true(apps.length >= 4);
  await signInToApps(t, apps);
});
