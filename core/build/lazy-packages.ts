import { createRequire } from 'node:module';
import type { Plugin } from 'rolldown';

const require = createRequire(import.meta.url);

interface LazyPackage {
  /** Resolves the package as its user does. */
  readonly require: NodeJS.Require;
  /** The functions, each with the arguments whose answers are computed by the build and need no load. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
  /** Other members. */
  readonly members: readonly string[];
}

/**
 * Bundled packages that most hosts never use, although they take milliseconds and megabytes to load. RE2JS evaluates
 * the patterns of admins. Koa requires mime-types, which has a table of 2,500 media types, and only asks for a few.
 * Each package gets its own chunk, loaded by the first call of a function or the first read of a member.
 */
const LAZY_PACKAGES: Readonly<Record<string, LazyPackage>> = {
  'mime-types': {
    require: createRequire(require.resolve('koa')),
    // Koa's own types of a body: a redirect has `text`.
    functions: { charset: [], contentType: ['bin', 'html', 'json', 'text'], extension: [], lookup: [] },
    members: ['charsets', 'extensions', 'types'],
  },
  re2js: { require, functions: {}, members: ['RE2JS'] },
};

const CHUNK = /^\.\/on-demand-[\w-]+\.js$/;
const FACADE = '\0lazy:';

/** The chunks, as entries of the bundle. */
export const LAZY_ENTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LAZY_PACKAGES).map(([name, library]) => [`on-demand-${name}`, library.require.resolve(name)]),
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

/** Returns the code of the module that replaces a package. */
function facade(name: string): string {
  const { functions, members, require: requireLibrary } = LAZY_PACKAGES[name] as LazyPackage;
  const library = requireLibrary(name) as Record<string, (argument: string) => unknown>;
  const methods = Object.entries(functions).map(([member, known]) => {
    const answers = known.map((argument) => [argument, library[member]?.(argument)]);
    if (answers.length === 0) return `  ${member}: (...args) => load().${member}(...args),`;
    return `  ${member}: ((known) => (...args) => known.get(args[0]) ?? load().${member}(...args))(new Map(${JSON.stringify(answers)})),`;
  });
  return `'use strict';
let loaded;
const load = () => (loaded ??= require('./on-demand-${name}.js'));
module.exports = {
${methods.join('\n')}
${members.map((member) => `  get ${member}() { return load().${member}; },`).join('\n')}
};
`;
}
