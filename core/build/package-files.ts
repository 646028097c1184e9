import { cp, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'rolldown';
import { packageOf } from './package-of.js';

/** Packages that read their proto files from their own folder. */
const PROTO_PACKAGES = ['@grpc/reflection', 'grpc-health-check', '@grpc/grpc-js'];
/** Files that are bundled but never run: pino's transports, which would run in threads. */
const UNUSED = /\/(pino\/lib\/transport|thread-stream\/index)\.js$/;

/**
 * Copies the proto files that bundled packages read from their own folder to `packages/` of the bundle. It changes the
 * code of these packages so that it finds them there.
 */
export class PackageFiles {
  readonly name = 'package-files';
  readonly #folders = new Set<string>();

  plugin(): Plugin {
    return {
      name: this.name,
      transform: {
        filter: { code: '__dirname' },
        handler: (code, id) => {
          const owner = packageOf(id);
          if (owner === undefined || UNUSED.test(id)) return null;
          if (!PROTO_PACKAGES.includes(owner.name))
            throw new Error(`${id} reads files of its own folder: add them to PROTO_PACKAGES`);
          this.#folders.add(owner.folder);
          const bundledFolder = join('packages', owner.name, relative(owner.folder, dirname(id)));
          return {
            code: code.replaceAll(
              '__dirname',
              `require('node:path').join(__dirname, ${JSON.stringify(bundledFolder)})`,
            ),
          };
        },
      },
    };
  }

  async copyTo(bundle: string): Promise<void> {
    for (const folder of this.#folders) {
      for (const file of await readdir(folder, { recursive: true })) {
        if (!file.endsWith('.proto') || file.includes('node_modules')) continue;
        await cp(join(folder, file), join(bundle, 'packages', packageOf(join(folder, file))?.name ?? '', file));
      }
    }
  }
}
