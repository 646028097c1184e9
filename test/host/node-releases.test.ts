import test from 'ava';
import { checkNode } from '../../core/commands/doctor/node.js';
import { endOfLifeSince } from '../../core/config/node-releases.js';
import { startHost, TestClock, type TestHost } from '../helpers/host.js';

const warnings = ({ log }: TestHost) =>
  log
    .filter(({ level }) => level === 'warn')
    .map(({ message }) => message)
    .join('\n');
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

test('Node.js releases: a version is reported from the day after its end of life, and an unknown one never', (t) => {
  for (const [version, day, since] of [
    ['v20.20.2', '2026-04-30', undefined],
    ['v20.20.2', '2026-05-01', '2026-04-30'],
    ['v22.19.0', '2026-11-28', undefined],
    ['v23.1.0', '2026-11-28', '2025-06-01'],
    ['v24.11.0', '2028-05-01', '2028-04-30'],
    ['v99.0.0', '2050-01-01', undefined],
  ] as const) {
    t.is(endOfLifeSince(version, at(day)), since, `${version} on ${day}`);
    const [finding] = checkNode(version, at(day));
    t.is(finding?.state, since === undefined ? 'ok' : 'warning', `${version} on ${day}`);
  }
});

test('Node.js releases: production warns about a version without fixes, and development does not', async (t) => {
  const clock = new TestClock(at('2040-01-01'));
  const argv = ['--hostname', 'http://id.example.test', '--http-enabled'];
  const warned = /has had no security fixes since \d{4}-\d{2}-\d{2}: use one that is maintained/;
  const production = await startHost(t, { realms: [], plugins: [], mode: 'start', argv, clock });
  t.regex(warnings(production), warned);
  const development = await startHost(t, { realms: [], plugins: [], clock });
  t.notRegex(warnings(development), warned);
});
