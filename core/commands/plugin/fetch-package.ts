import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { type Package, packageAt } from '../../registry/loading/find-packages.js';
import { usageError } from '../command-line.js';
import { readManifest, SPI_DIR } from './installation.js';
import { runNpm } from './npm.js';

/** A package in a temporary folder, with its dependencies in its own node_modules. */
export interface FetchedPackage extends Package {
  /** Deletes the temporary folder. */
  discard(): Promise<void>;
}

const SPI = '@keyhost/spi';

const PACKING_HINT =
  'install its development dependencies in the folder, and fix what its prepack or prepare script says; or add a tarball';

/** A registry specification: a name, with an optional version, range or tag. Never a URL. */
const REGISTRY_SPEC = /^(@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(@[\w.^~*-]+)?$/;

/**
 * Installs a package with npm in a temporary folder below the providers folder, with its dependencies and the host's
 * SPI. A folder is packed first, with its own scripts, so that the result is the same as after publishing it.
 * @param source a folder, a tarball, or a name in the npm registry, such as `hello@1`
 * @param scripts true to let npm run install scripts of the package and its dependencies
 * @throws BootError `plugin_install_failed`; `options_invalid` for a path that does not exist; `plugin_api` if the
 * plugin requires another version of the SPI
 */
export async function fetchPackage(source: string, providersDir: string, scripts: boolean): Promise<FetchedPackage> {
  const isPath = existsSync(source);
  if (!isPath && (!REGISTRY_SPEC.test(source) || source.endsWith('.tgz'))) {
    usageError(`${source} not found`, 'use a folder, a tarball, or a name such as hello@1');
  }
  await mkdir(providersDir, { recursive: true });
  const stagingFolder = await mkdtemp(join(providersDir, '.adding-'));
  // Delete the folder even if the plugin ends the process while it is verified.
  const onExit = () => rmSync(stagingFolder, { recursive: true, force: true });
  process.once('exit', onExit);
  const discard = async () => {
    process.off('exit', onExit);
    await rm(stagingFolder, { recursive: true, force: true });
  };
  try {
    const scriptOptions = scripts ? [] : ['--ignore-scripts'];
    const spec = isPath ? resolve(source) : source;
    const isFolder = isPath && (await stat(source)).isDirectory();
    const packOptions = ['--json', '--foreground-scripts=false', '--pack-destination', stagingFolder];
    const packed = await runNpm(
      ['pack', spec, ...packOptions, ...(isFolder ? [] : scriptOptions)],
      stagingFolder,
      isFolder ? PACKING_HINT : undefined,
    );
    const [{ name = '', filename = '' } = {}] = JSON.parse(packed) as { name?: string; filename?: string }[];
    const installOptions = ['--prefix', stagingFolder, '--no-save', '--no-package-lock'];
    const nestedOptions = ['--install-strategy', 'nested', '--omit', 'dev', ...scriptOptions];
    await runNpm(
      ['install', SPI_DIR, join(stagingFolder, filename), ...installOptions, ...nestedOptions],
      stagingFolder,
    ).catch(versionErrorHandler(name));
    const modules = join(stagingFolder, 'node_modules');
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

/**
 * Returns a handler that replaces npm's long error about the version of the SPI by a short one with the package's name.
 */
function versionErrorHandler(name: string): (error: BootError) => Promise<never> {
  return async (error) => {
    const range = /peer @keyhost\/spi@"([^"]+)" from/.exec(error.message)?.[1];
    if (range === undefined) throw error;
    const { version } = await readManifest(SPI_DIR);
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
