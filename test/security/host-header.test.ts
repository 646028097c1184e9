import test from 'ava';
import { rawBody, rawRequest, rawStatus } from '../helpers/raw.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [testRealm('demo')] });
const DISCOVERY = '/realms/demo/.well-known/openid-configuration';

const REFUSED = [
  ['Host:'],
  ['Host: '],
  ['Host: a.test', 'Host: a.test'],
  ['Host: a.test', 'hOsT: b.test'],
  ['Host: a.test, b.test'],
  ['Host: a b'],
  ['Host: a.test/x'],
  ['Host: http://a.test'],
  ['Host: user@a.test'],
  ['Host: a.test:x'],
  ['Host: a.test:99999'],
  ['Host: a.test:1:2'],
  ['Host: [::1'],
  ['Host: ::1'],
  ['Host: <script>'],
  ['Host: %61.test'],
  ['Host: a.test?x'],
  [`Host: ${'a'.repeat(300)}`],
  [],
] as const;

test('T304 · Host header: a Host header that is malformed, empty, doubled or missing is 400, at the management port too', async (t) => {
  for (const [url, path] of [
    [host().url, DISCOVERY],
    [host().url, '/admin/realms'],
    [host().url, '/nothing'],
    [host().managementUrl, '/health/live'],
    [host().managementUrl, '/plugins'],
  ] as const) {
    for (const lines of REFUSED) {
      const answer = await rawRequest(
        url,
        [`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'),
      );
      t.is(rawStatus(answer), 400, `${path} ${lines.join(' | ')}`);
      t.false(rawBody(answer).includes('<script>'));
      // Node itself rejects requests without a Host header.
      if (lines.length > 0) t.regex(rawBody(answer), /"error":"invalid_request"/);
    }
  }
});

test('T304 · Host header: requests with one host are served: by name, by address, in absolute form, and HTTP/1.0 without', async (t) => {
  const served = async (target: string, ...lines: string[]) =>
    rawStatus(await rawRequest(host().url, [`GET ${target}`, ...lines, 'Connection: close', '', ''].join('\r\n')));
  for (const name of [
    'a.test',
    'A.test:443',
    'a.test:',
    '127.0.0.1:8080',
    '[::1]:8080',
    '[::1]',
    'a_b-c.test',
    'localhost',
  ]) {
    t.is(await served(`${DISCOVERY} HTTP/1.1`, `Host: ${name}`), 200, name);
    t.is(await served(`http://${name}${DISCOVERY} HTTP/1.1`, `Host: ${name}`), 200, name);
  }
  t.is(await served(`${DISCOVERY} HTTP/1.0`), 200);
  t.is(await served(`http://a.test${DISCOVERY} HTTP/1.0`), 200);
  for (const [target, line] of [
    [`http://a.test${DISCOVERY}`, 'Host: b.test'],
    [`http://user@a.test${DISCOVERY}`, 'Host: a.test'],
    [`http://${DISCOVERY}`, 'Host: a.test'],
    [`http://a.test:x${DISCOVERY}`, 'Host: a.test'],
    [`ftp://a.test${DISCOVERY}`, 'Host: a.test'],
    ['realms/demo', 'Host: a.test'],
  ] as const) {
    t.is(await served(`${target} HTTP/1.1`, line), 400, target);
  }
  const health = `${host().managementUrl}/health/live`;
  t.is(rawStatus(await rawRequest(health, 'GET /health/live HTTP/1.0\r\n\r\n')), 200);
});
