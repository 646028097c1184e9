import { createRequire } from 'node:module';
import type { Plugin } from 'rolldown';

/**
 * Bundled packages that most hosts never use, although they take milliseconds and megabytes to load. RE2JS evaluates
 * the patterns of admins. Koa requires mime-types, which has a table of 2,500 media types. Each package gets its own
 * chunk, loaded by the first call of a function or the first read of a member.
 */
const LAZY_PACKAGES: Readonly<Record<string, { functions: readonly string[]; members: readonly string[] }>> = {
  'mime-types': {
    functions: ['charset', 'contentType', 'extension', 'lookup'],
    members: ['charsets', 'extensions', 'types'],
  },
  re2js: { functions: [], members: ['RE2JS'] },
};

const CHUNK = /^\.\/lazy-[\w-]+\.js$/;
const FACADE = '\0lazy:';

/** The chunks, as entries of the bundle. */
export const LAZY_ENTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(LAZY_PACKAGES).map((name) => [`lazy-${name}`, createRequire(import.meta.url).resolve(name)]),
);

/** Replaces the packages by a module that loads them on first use. All versions of a package become the host's. */
export function loadLazily(): Plugin {
  return {
    name: 'lazy-packages',
    resolveId(source, importer) {
      if (CHUNK.test(source)) return { id: source, external: true };
      return importer !== undefined && Object.hasOwn(LAZY_PACKAGES, source) ? `${FACADE}${source}` : null;
    },
    load(id) {
      if (!id.startsWith(FACADE)) return null;
      return { code: facade(id.slice(FACADE.length)), moduleType: 'js' };
    },
  };
}

function facade(name: string): string {
  const { functions, members } = LAZY_PACKAGES[name] ?? { functions: [], members: [] };
  return `'use strict';
let loaded;
const load = () => (loaded ??= require('./lazy-${name}.js'));
module.exports = {
${functions.map((member) => `  ${member}: (...args) => load().${member}(...args),`).join('\n')}
${members.map((member) => `  get ${member}() { return load().${member}; },`).join('\n')}
};
`;
}
