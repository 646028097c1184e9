import { HOST_DIR } from '../../config/host-folder.js';
import { manifestOf, SPI_DIR } from './installation.js';
import type { PluginTemplate } from './spi-templates.js';

/** The names of a new plugin. */
export interface NewPlugin {
  readonly beginning: PluginTemplate;
  /** The package's name, such as `@acme/hello`. */
  readonly name: string;
  /** The name without a scope: the provider's ID. */
  readonly id: string;
}

/** The files of a package in a repository of its own. The tarballs of Keyhost that it needs are in `vendor/`. */
export async function ownRepositoryFiles(plugin: NewPlugin): Promise<Record<string, string>> {
  const host = await manifestOf(HOST_DIR);
  const spi = await manifestOf(SPI_DIR);
  const from = (name: string) => host.devDependencies?.[name] ?? 'latest';
  const devDependencies = {
    '@keyhost/spi': `file:vendor/keyhost-spi-${spi.version}.tgz`,
    '@types/node': from('@types/node'),
    keyhost: `file:vendor/keyhost-${host.version}.tgz`,
    typescript: from('typescript'),
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
  const spi = await manifestOf(SPI_DIR);
  return {
    'package.json': `${JSON.stringify(manifest(plugin, spi.version), null, 2)}\n`,
    'tsconfig.json':
      '{ "extends": "../../tsconfig.json", "include": ["."], "exclude": ["dist", "node_modules"], "references": [{ "path": "../../core/spi" }] }\n',
  };
}

function manifest({ beginning: { word, entries }, name }: NewPlugin, spiVersion: string) {
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
