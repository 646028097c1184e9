import { fileURLToPath } from 'node:url';
import test from 'ava';
import { ran } from '../helpers/command.js';

const SCALE = fileURLToPath(new URL('./scale.js', import.meta.url));
/** It reads /proc. */
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'bench, user searches: a run of the searches alone finds whom each of them is about, and says what it took beside its goal',
  async (t) => {
    const { code, stdout, stderr } = await ran(process.execPath, [
      SCALE,
      '--searches',
      '--users',
      '2000',
      '--realms',
      '1',
    ]);
    t.is(code, 0, stderr);
    const rows = [...stdout.matchAll(/^(.+?) \((\S.*)?\) +([\d.]+) +([\d.]+) +(\d+\+?) +≤ (\d+) (met|missed)$/gm)];
    const found = Object.fromEntries(rows.map(([, name, , , , count]) => [name, count]));
    t.like(found, {
      'start of a text: a username, but for its last digit': '10',
      'start of a text: a last name of few': '1',
      'start of a text: a last name of the last tenth': '21+',
      'start of a text: no hit': '0',
      'any part: a last name of few': '1',
      'any part: an umlaut': '21+',
      'any part: upper case': '21+',
      'any part: no hit, two letters': '0',
      'any part: the email address by its own parameter': '1',
      'count: all': '2000',
      'count: a first name of a tenth of all': '200',
      'count: no hit': '0',
    });
    t.deepEqual(
      [...new Set(rows.map(([, name = '', , , , , most]) => `${name.split(':')[0]} ${most}`))],
      ['start of a text 20', 'any part 150', 'count 50'],
    );
  },
);
