import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { type Package, packageAt } from '../../registry/loading/find-packages.js';
import { usageError } from '../command-line.js';
import { manifestOf, SPI_DIR } from './installation.js';
import { runNpm } from './npm.js';

/** A package in a folder of its own, with its dependencies in its own node_modules. */
export interface FetchedPackage extends Package {
  /** Deletes the temporary folder. */
  discard(): Promise<void>;
}

const SPI = '@keyhost/spi';

const PACKING =
  'install its development dependencies in the folder, and fix what its prepack or prepare script says; or add a tarball';

/** A registry specification: a name, with an optional version, range or tag. Never a URL. */
const NAME = /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(@[\w.^~*-]+)?$/;

/**
 * Unpacks a package with npm next to its destination, with its dependencies in its own folder. A folder is first packed
 * with its own scripts, so the result equals what would be published. The SPI that it uses is the host's.
 * @param source a folder, a tarball, or a name in the npm registry, such as `hello@1`
 * @param scripts true to let npm run install scripts of the package and its dependencies
 * @throws BootError `plugin_install_failed`; `options_invalid` for a path that does not exist
 */
export async function fetchPackage(source: string, providersDir: string, scripts: boolean): Promise<FetchedPackage> {
  const isPath = existsSync(source);
  if (!isPath && (!NAME.test(source) || source.endsWith('.tgz'))) {
    usageError(`${source} not found`, 'use a folder, a tarball, or a name such as hello@1');
  }
  await mkdir(providersDir, { recursive: true });
  const stage = await mkdtemp(join(providersDir, '.adding-'));
  // Clean up even if a plugin ends the process while it is verified.
  const onExit = () => rmSync(stage, { recursive: true, force: true });
  process.once('exit', onExit);
  const discard = async () => {
    process.off('exit', onExit);
    await rm(stage, { recursive: true, force: true });
  };
  try {
    const withScripts = scripts ? [] : ['--ignore-scripts'];
    const spec = isPath ? resolve(source) : source;
    // A folder is packed with its build scripts, as npm itself would before publishing it.
    const ofFolder = isPath && (await stat(source)).isDirectory();
    const packOptions = ['--json', '--foreground-scripts=false', '--pack-destination', stage];
    const packed = await runNpm(
      ['pack', spec, ...packOptions, ...(ofFolder ? [] : withScripts)],
      stage,
      ofFolder ? PACKING : undefined,
    );
    const [{ name = '', filename = '' } = {}] = JSON.parse(packed) as { name?: string; filename?: string }[];
    const installOptions = ['--prefix', stage, '--no-save', '--no-package-lock'];
    const nested = ['--install-strategy', 'nested', '--omit', 'dev', ...withScripts];
    await runNpm(['install', SPI_DIR, join(stage, filename), ...installOptions, ...nested], stage).catch(asUnfit(name));
    const modules = join(stage, 'node_modules');
    const fetched = await packageAt(join(modules, name));
    for (const peer of await packagesIn(modules)) {
      // npm installs peer dependencies next to the package: move them into it.
      const peerFolder = join(fetched.dir, 'node_modules', peer);
      if (peer === name || peer === SPI || existsSync(peerFolder)) continue;
      await mkdir(dirname(peerFolder), { recursive: true });
      await rename(join(modules, peer), peerFolder);
    }
    return { ...fetched, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Turns npm's long error about the SPI's version into one that names the package. */
function asUnfit(name: string): (error: BootError) => Promise<never> {
  return async (error) => {
    const range = /peer @keyhost\/spi@"([^"]+)" from/.exec(error.message)?.[1];
    if (range === undefined) throw error;
    const { version } = await manifestOf(SPI_DIR);
    throw new BootError(
      'plugin_api',
      `${name} requires @keyhost/spi ${range}; this version of Keyhost has ${version}`,
      {
        plugin: name,
        hint: 'install another version of the plugin or of Keyhost',
        cause: error,
      },
    );
  };
}

async function packagesIn(modules: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(modules)) {
    if (name.startsWith('@')) names.push(...(await readdir(join(modules, name))).map((inner) => `${name}/${inner}`));
    else if (!name.startsWith('.')) names.push(name);
  }
  return names;
}
