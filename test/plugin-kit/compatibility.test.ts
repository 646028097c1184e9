import { createHash } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProviderDefinition, RealmResourceProvider } from '@keyhost/spi';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { packageIntegrity } from '../../core/registry/loading/package-integrity.js';
import { checkVersion, deprecations } from '../../core/registry/loading/spi-versions.js';
import { startHost } from '../helpers/host.js';
import { providersFolder } from '../helpers/plugins.js';

const plugin = (provider: string) => `import { ProtocolMapper, provide } from '@keyhost/spi';
export default { name: 'p', api: 1, providers: [provide(ProtocolMapper, { id: 'm', ${provider},
  open: () => ({ create: () => ({ map: async () => ({}) }) }) })] };`;

test('plugin compatibility: an unsupported version of an SPI is refused with the supported ones and the remedy', async (t) => {
  const providersDir = await providersFolder(t, { p: plugin('version: 2') });
  const start = startHost(t, { plugins: [{ module: 'p' }], argv: ['--providers-dir', providersDir] });
  const newer = (await t.throwsAsync(start)) as BootError;
  t.is(newer.code, 'plugin_api');
  t.is(newer.message, 'p: protocol-mapper/m was written for version 2 of ProtocolMapper, this host offers version 1');
  t.is(newer.hint, 'install a newer Keyhost, or an older version of the plugin');

  const spi = { ...RealmResourceProvider, version: 3, oldestVersion: 2 };
  const written = (version?: number) => ({ spi, id: 'a', version }) as ProviderDefinition;
  for (const [version, told] of [
    [undefined, 1],
    [1, 1],
    [4, 4],
    [2.5, 2.5],
  ] as const) {
    const { message, hint } = t.throws(() => checkVersion(written(version), 'p', spi)) as BootError;
    t.is(
      message,
      `p: realm-restapi-extension/a was written for version ${told} of RealmResourceProvider, this host offers versions 2 to 3`,
    );
    if (told === 1) t.is(hint, 'install a newer version of the plugin');
  }
  // An SPI from before SPIs had versions takes the version for a member of the declaration.
  const older = { spi, id: 'a', declaration: { version: 4 } } as unknown as ProviderDefinition;
  t.is((t.throws(() => checkVersion(older, 'p', spi)) as BootError).code, 'plugin_api');
  for (const version of [2, 3]) t.notThrows(() => checkVersion(written(version), 'p', spi));
});

test('plugin compatibility: a plugin that uses a deprecated member is loaded, and the log names plugin, provider and member', async (t) => {
  const providersDir = await providersFolder(t, { p: plugin("protocol: 'openid-connect'") });
  const { log } = await startHost(t, { plugins: [{ module: 'p' }], argv: ['--providers-dir', providersDir] });
  t.deepEqual(
    log.filter(({ level }) => level === 'warn').map(({ message }) => message),
    ['p: protocol-mapper/m declares "protocol", which is deprecated: leave it out: every mapper serves openid-connect'],
  );
  const members = { old: 'use new' };
  const spi = {
    ...RealmResourceProvider,
    id: 'later',
    name: 'Later',
    version: 3,
    oldestVersion: 2,
    deprecated: members,
  };
  const written = { spi, id: 'a', version: 2, declaration: { old: false } } as Partial<ProviderDefinition>;
  t.deepEqual(deprecations([written as ProviderDefinition], 'p'), [
    'p: later/a was written for version 2 of Later, which is deprecated: 3 is current',
    'p: later/a declares "old", which is deprecated: use new',
  ]);
});

test('plugin compatibility: integrity covers every file but the package’s node_modules, and a link has none', async (t) => {
  const dir = join(await providersFolder(t, { p: 'x' }), 'p');
  await mkdir(join(dir, 'node_modules/other'), { recursive: true });
  await writeFile(join(dir, 'node_modules/other/index.js'), 'y');
  await mkdir(join(dir, 'lib/node_modules'), { recursive: true });
  await writeFile(join(dir, 'lib/node_modules/z.js'), 'é');
  const manifest = await readFile(join(dir, 'package.json'));
  const text = `index.js\x001\x00xlib/node_modules/z.js\x002\x00épackage.json\0${manifest.length}\0${manifest}`;
  const expected = `sha512-${createHash('sha512').update(text).digest('base64')}`;
  t.is(await packageIntegrity({ name: 'p', dir }), expected);

  await symlink('index.js', join(dir, 'more.js'));
  const error = (await t.throwsAsync(packageIntegrity({ name: 'p', dir }))) as BootError;
  t.deepEqual(
    [error.code, error.message],
    ['plugin_integrity', 'cannot compute the integrity of p: more.js is a symbolic link'],
  );
});
