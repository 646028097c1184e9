import type { Plugin } from 'rolldown';

const NAME = 'import-file.js';

/** `import()` as it is, which everywhere else becomes `require`: plugins are ES modules, some of which wait while they load. */
const CODE = `'use strict';
const { pathToFileURL } = require('node:url');
exports.importFile = (path) => import(pathToFileURL(path).href);
`;

/** Keeps core/registry/loading/import-file.ts out of the chunks, as a file beside them that is compiled anew in each process. */
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
