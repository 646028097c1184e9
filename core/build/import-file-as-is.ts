import type { Plugin } from 'rolldown';

const NAME = 'import-file.js';

/**
 * A real `import()`, because plugins are ES modules, some with top-level await. The bundler converts `import()` to
 * `require` in all other files.
 */
const CODE = `'use strict';
const { pathToFileURL } = require('node:url');
exports.importFile = (path) => import(pathToFileURL(path).href);
`;

/** Makes core/registry/loading/import-file.ts a separate file, which is in no chunk and in no code cache. */
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
