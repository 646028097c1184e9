import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrantType } from '@keyhost/spi';
import { APP, conforms, startHost, testRealm } from '@keyhost/spi/testing';
import plugin, { GRANT } from './index.js';

const config = { username: 'bob', secret: 'sixteen letters!' };
const realms = [testRealm('shop', { providers: { 'oauth2-grant-type': { [GRANT]: { enabled: true, config } } } })];

test('the right secret brings a token of the user of the kiosk, and no other does', async (t) => {
  const realm = (await startHost(t, { plugins: [plugin], realms })).realm();
  const ask = (more: Record<string, string>) => realm.tokenRequest({ ...APP, grant_type: GRANT, ...more });

  const right = await ask({ kiosk_secret: config.secret, scope: 'openid' });
  const { access_token: token } = right.json as { access_token: string };
  const userinfo = await realm.fetch('/protocol/openid-connect/userinfo', { token });
  assert.equal((userinfo.json as { preferred_username: string }).preferred_username, 'bob');

  assert.match((await ask({ kiosk_secret: 'wrong' })).text, /invalid_grant/);
  assert.match((await ask({})).text, /Missing form parameter: kiosk_secret/);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, GrantType, plugin);
});
