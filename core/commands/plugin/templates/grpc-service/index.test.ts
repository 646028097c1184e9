import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrpcService } from '@keyhost/spi';
import { conforms, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

const SERVICE = 'com.example.__word__.Greeter';

test('people are greeted one by one and in a stream', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const one = await host.grpc(SERVICE, 'Hello', { name: 'Ann' });
  assert.deepEqual([one.code, one.messages], ['OK', [{ text: 'Hello, Ann' }]]);
  const nobody = await host.grpc(SERVICE, 'Hello', {});
  assert.deepEqual([nobody.code, nobody.details], ['INVALID_ARGUMENT', 'name is empty']);
  const all = await host.grpc(SERVICE, 'HelloAll', [{ name: 'Ann' }, { name: 'Ben' }]);
  assert.deepEqual(all.messages, [{ text: 'Hello, Ann' }, { text: 'Hello, Ben' }]);
});

test('where it takes access tokens, a caller needs its word of scope', async (t) => {
  const config = { 'grpc-service/__id__': { authentication: 'bearer' } };
  const host = await startHost(t, { plugins: [{ plugin, config }] });
  const call = async (scope?: string) => {
    const token = await host.realm().token('alice', scope === undefined ? {} : { scope });
    return (await host.grpc(SERVICE, 'Hello', { name: 'Ann' }, { token })).code;
  };
  assert.equal((await host.grpc(SERVICE, 'Hello', { name: 'Ann' })).code, 'UNAUTHENTICATED');
  assert.equal(await call(), 'PERMISSION_DENIED');
  assert.equal(await call('__id__'), 'OK');
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, GrpcService, plugin);
});
