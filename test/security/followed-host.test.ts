import test from 'ava';
import { startHost } from '../helpers/host.js';
import { rawGet } from '../helpers/raw.js';
import { testRealm } from '../helpers/realms.js';

const PATH = '/realms/demo/.well-known/openid-configuration';
const issuerOf = (answer: string) => /"issuer":"([^"]*)"/.exec(answer)?.[1];

test('T384 · followed host: of all names in a Host header those of the machine alone are followed, at its own port', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  const { port } = new URL(host.url);
  for (const name of ['localhost', '127.0.0.1', '[::1]'])
    t.is(issuerOf(await rawGet(host.url, PATH, `Host: ${name}:${port}`)), `http://${name}:${port}/realms/demo`);
  const others = [
    'localhost',
    'localhost:1',
    `localhost:${port}0`,
    '127.0.0.1',
    '[::1]',
    `127.0.0.2:${port}`,
    `[::2]:${port}`,
    `localhost.evil.test:${port}`,
    `evil.test:${port}`,
    `localhost:${port}.evil.test`,
    `evil@localhost:${port}`,
    `localhost:${port}@evil.test`,
    `localhost:${port}/evil`,
    `localhost.:${port}`,
    `0.0.0.0:${port}`,
    `127.1:${port}`,
  ];
  for (const other of others) {
    const answer = await rawGet(host.url, PATH, `Host: ${other}`);
    t.true([undefined, host.realm('demo')].includes(issuerOf(answer)), `${other}: ${issuerOf(answer)}`);
    t.notRegex(answer, /evil/, other);
  }
  for (const header of ['X-Forwarded-Host', 'X-Host', 'Forwarded'])
    for (const value of [`localhost:${port}`, `host=localhost:${port}`])
      t.is(issuerOf(await rawGet(host.url, PATH, `${header}: ${value}`)), host.realm('demo'), header);
});

test('T384 · followed host: a host with a name goes by it alone, and so does production', async (t) => {
  const named = ['--hostname', 'http://id.example.test'];
  for (const options of [{ argv: named }, { mode: 'start', argv: [...named, '--http-enabled'] }] as const) {
    const host = await startHost(t, { ...options, realms: [testRealm('demo', { providers: {} })] });
    const { port } = new URL(host.url);
    for (const name of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost', 'evil.test'])
      t.is(issuerOf(await rawGet(host.url, PATH, `Host: ${name}`)), 'http://id.example.test/realms/demo', name);
  }
});
