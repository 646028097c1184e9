import test from 'ava';
import { writePeerRow } from '../helpers/peer-table.js';
import { appsOfPages, signInToApps } from './apps-of-pages.js';

const TITLE = 'alice signs in to the app of the Flask page';

test(TITLE, async (t) => {
  const apps = await appsOfPages('python');
  t.is(apps.length, 1);
  await signInToApps(t, apps);
  await writePeerRow({ date: new Date(), beside: 'Flask 3, Authlib 1', test: TITLE, result: 'passed' });
});
