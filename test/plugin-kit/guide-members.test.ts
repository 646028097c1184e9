import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SPIS } from '@keyhost/spi';
import test from 'ava';
import { ROOT } from '../helpers/readme-blocks.js';

const SPI = join(ROOT, 'core/spi');

/** Members of the host's own SPIs and of the kit's inside, which no plugin declares or calls. */
const INTERNAL: Readonly<Record<string, readonly string[]>> = {
  'spi-options.d.ts': ['live', 'maps', 'mentions'],
  'plugin.d.ts': [
    'crosses',
    'describes',
    'enabledBy',
    'infoName',
    'onePerRealm',
    'reserved',
    'schemas',
    'instead',
    'namedBy',
  ],
  'testing/host-module.d.ts': ['openTestHost', 'settle', 'settleBackground'],
  'testing/test-services.d.ts': ['enabledIn'],
};

/** The names of members in the declarations of a file, without comments. */
function membersOf(declarations: string): Set<string> {
  const found = declarations.matchAll(/(?:^\s*|[{;]\s*)(?:readonly )?(\w+)\??(?:\(|:|<)/gm);
  const keywords = ['export', 'type', 'import', 'readonly', 'return', 'new', 'from', 'constructor'];
  return new Set([...found].flatMap(([, name = '']) => (keywords.includes(name) ? [] : [name])));
}

/** The code of the guide: its blocks, and the texts in backquotes. */
async function codeOfGuide(): Promise<string> {
  const names = (await readdir(join(SPI, 'guide'))).map((name) => join(SPI, 'guide', name));
  const texts = await Promise.all([join(SPI, 'README.md'), ...names].map((path) => readFile(path, 'utf8')));
  return texts
    .flatMap((text) => {
      const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
      const rest = text.replaceAll(/^```\w*\n[\s\S]*?^```/gm, '');
      return [...blocks, ...[...rest.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code)];
    })
    .join(' ');
}

test('guide, members: the guide names every member that the SPI declares', async (t) => {
  const code = await codeOfGuide();
  const report = (await readFile(join(SPI, 'api-report.md'), 'utf8')).split(/^### /m).slice(1);
  t.true(report.length > 40);
  const missing = report.flatMap((section) => {
    const [file = ''] = section.split('\n', 1);
    return [...membersOf(section)]
      .filter((name) => INTERNAL[file]?.includes(name) !== true && !new RegExp(`\\b${name}\\b`).test(code))
      .map((name) => `${file}: ${name}`);
  });
  t.deepEqual(missing, []);
});

test('guide, members: the lists of kinds have every kind: with its id, and how a realm enables it', async (t) => {
  const readme = await readFile(join(SPI, 'README.md'), 'utf8');
  const settings = await readFile(join(SPI, 'guide/settings.md'), 'utf8');
  const enabling = settings.slice(settings.indexOf('## How a realm enables'));
  for (const { name, id, realm } of SPIS) {
    t.true(readme.includes(`| \`${name}\``) && readme.includes(`| \`${id}\``), name);
    const row = enabling.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${name}\``)) ?? '';
    const key = ['clients', 'loginTheme'].includes(realm?.key ?? '') ? 'one value' : (realm?.key ?? '`providers`');
    t.true(row.split('|')[1]?.includes(key), `${name}: ${row}`);
  }
});
