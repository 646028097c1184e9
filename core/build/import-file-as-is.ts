import type { Plugin } from 'rolldown';

const NAME = 'import-file.js';

/**
 * A real `import()`, which the bundler turns into `require` everywhere else: plugins are ES modules, some with
 * top-level await.
 */
const CODE = `'use strict';
const { pathToFileURL } = require('node:url');
exports.importFile = (path) => import(pathToFileURL(path).href);
`;

/** Leaves core/registry/loading/import-file.ts out of the chunks, as a separate file that each process compiles. */
export function importFileAsIs(): Plugin {
  return {
    name: 'import-file-as-is',
    resolveId(source) {
      return source.endsWith(`/${NAME}`) ? { id: `./${NAME}`, external: true } : null;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: NAME, source: CODE });
    },
  };
}
