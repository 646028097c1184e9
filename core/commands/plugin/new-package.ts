import { HOST_DIR } from '../../config/host-folder.js';
import { readManifest, SPI_DIR } from './installation.js';
import type { PluginTemplate } from './spi-templates.js';

/** The template and the names of a new plugin. */
export interface NewPlugin {
  readonly template: PluginTemplate;
  /** The package's name, such as `@acme/hello`. */
  readonly name: string;
  /** The provider's ID: the package's name without a scope. */
  readonly id: string;
}

/** The files of a package outside a checkout. Its development dependencies are the tarballs of Keyhost in `vendor/`. */
export async function standaloneFiles(plugin: NewPlugin): Promise<Record<string, string>> {
  const host = await readManifest(HOST_DIR);
  const spi = await readManifest(SPI_DIR);
  const versionOf = (name: string) => host.devDependencies?.[name] ?? 'latest';
  const devDependencies = {
    '@keyhost/spi': `file:vendor/keyhost-spi-${spi.version}.tgz`,
    '@types/node': versionOf('@types/node'),
    keyhost: `file:vendor/keyhost-${host.version}.tgz`,
    typescript: versionOf('typescript'),
  };
  return {
    'package.json': `${JSON.stringify({ ...manifest(plugin, spi.version), devDependencies }, null, 2)}\n`,
    'tsconfig.json':
      '{ "extends": "@keyhost/spi/tsconfig.json", "include": ["."], "exclude": ["dist", "node_modules"] }\n',
    '.gitignore': 'node_modules/\ndist/\n/*.tgz\n',
  };
}

/** The files of a package in `providers/` of a checkout, as a workspace. */
export async function workspaceFiles(plugin: NewPlugin): Promise<Record<string, string>> {
  const spi = await readManifest(SPI_DIR);
  return {
    'package.json': `${JSON.stringify(manifest(plugin, spi.version), null, 2)}\n`,
    'tsconfig.json':
      '{ "extends": "../../tsconfig.json", "include": ["."], "exclude": ["dist", "node_modules"], "references": [{ "path": "../../core/spi" }] }\n',
  };
}

function manifest({ template: { name: word, entries }, name }: NewPlugin, spiVersion: string) {
  const entry = (file: string) => ({ types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` });
  return {
    name,
    version: '0.1.0',
    description: `A ${word} plugin for Keyhost`,
    type: 'module',
    engines: { node: '>=20.19' },
    exports: { '.': entry('index'), ...Object.fromEntries(entries.map((file) => [`./${file}`, entry(file)])) },
    files: ['dist', 'proto', '!dist/**/*.test.*', '!dist/**/*.tsbuildinfo'],
    scripts: {
      build: 'tsc -b',
      test: 'tsc -b && node --test dist/index.test.js',
      prepack: 'tsc -b',
    },
    peerDependencies: { '@keyhost/spi': `^${spiVersion}` },
  };
}
