import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Authenticator, FormAction, Validator } from '@keyhost/spi';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin as RolldownPlugin } from 'rolldown';
import { IMPORT_SCHEMA } from '../admin/partial-import/partial-import-operations.js';
import { createAjv } from '../config/json/create-ajv.js';
import { type CheckOptions, checkKey } from '../config/json/precompiled-check.js';
import { parseOptions } from '../config/options/options.js';
import { PLUGINS_SCHEMA } from '../config/plugins-file.js';
import { FILE_SCHEMA } from '../config/realm-file/schema/file-schema.js';
import { SHARED_SCHEMAS } from '../config/realm-file/schema/realm-schema.js';
import { declaredBuiltIns } from '../host/known-plugins.js';
import { HOST_SPIS } from '../registry/loading/host-spis.js';
import { declaredProviders } from '../registry/loading/known-providers.js';
import { hostConfigSchema, NO_CONFIG } from '../registry/loading/plugin-shape.js';

/** The checks by the result of `checkKey`: the bundle's file that contains the check, and the name of its export. */
type ChecksTable = Readonly<Record<string, readonly [file: string, name: string]>>;

/** A file of the bundle that is loaded when one of its checks is first used. */
interface ChecksFile {
  readonly name: string;
  readonly options: CheckOptions;
  readonly schemas: readonly object[];
}

/** SPIs for which the settings of built-in providers are checked by schema. */
const STEP_SPI_IDS: readonly string[] = [Authenticator.id, FormAction.id];

/**
 * Returns the schemas that starts and logins use with any plugins, and the large one of partial imports. Compiling it
 * would delay other requests. Other schemas of the Admin API are compiled on first use.
 */
async function checksFiles(): Promise<readonly ChecksFile[]> {
  const builtIns = await declaredBuiltIns(parseOptions([], {}, 'start-dev'));
  const knownProviders = await declaredProviders(builtIns, []);
  const realmConfigs = knownProviders.flatMap(({ realmConfig }) => toList(realmConfig));
  // The settings of other SPIs are checked for plugins only, or by other code.
  const settings = knownProviders.flatMap(({ spi, settings: own }) => (STEP_SPI_IDS.includes(spi) ? toList(own) : []));
  // The same schemas as in `validatorMistakes`, because a check is found by its schema.
  const validators = knownProviders.flatMap(({ spi, settings: own }) =>
    spi === Validator.id && own !== undefined ? [{ additionalProperties: false, ...own }] : [],
  );
  const hostConfigs = builtIns.flatMap(({ providers }) => providers.map(hostConfigSchema));
  const declaredSchemas = builtIns.flatMap(({ providers }) =>
    providers.flatMap(({ spi, declaration }) => Object.values(spi.schemas?.(declaration) ?? {})),
  );
  const builtInSpis = new Set(builtIns.flatMap(({ providers }) => providers.map(({ spi }) => spi.id)));
  // Schemas for the answers of SPIs that only plugins provide are compiled on first use.
  const spiSchemas = [...HOST_SPIS.values()].flatMap(({ id, declaration, answers }) => [
    ...toList(declaration),
    ...(typeof answers === 'object' && builtInSpis.has(id) ? Object.values(answers) : []),
  ]);
  return [
    { name: 'checks-of-realms', options: { shared: SHARED_SCHEMAS }, schemas: [FILE_SCHEMA] },
    { name: 'checks-of-imports', options: { shared: SHARED_SCHEMAS }, schemas: [IMPORT_SCHEMA] },
    { name: 'checks', options: {}, schemas: [...spiSchemas, ...realmConfigs, ...settings, ...validators] },
    {
      name: 'checks-with-defaults',
      options: { useDefaults: true },
      schemas: [PLUGINS_SCHEMA, NO_CONFIG, ...hostConfigs, ...realmConfigs, ...declaredSchemas.filter(isSchema)],
    },
  ];
}

/**
 * Makes the compiler's output in `dist` use the checks of the bundle as well. Otherwise, each test file would compile
 * them again. A schema that has changed since is not found, so it is compiled. If the bundle is missing or has another
 * build ID, all schemas are compiled.
 * @param build identifies the bundle
 */
export async function shareChecks(table: ChecksTable, build: string, dist: string): Promise<void> {
  const shared = Object.entries(table).map(([key, [file, name]]) => [key, [`../../../bundle/${file}`, name]]);
  const code = `import { existsSync, readFileSync } from 'node:fs';
const bundle = new URL('../../../bundle/package.json', import.meta.url);
const isSameBuild = existsSync(bundle) && JSON.parse(readFileSync(bundle, 'utf8')).build === '${build}';
export const BUILT_CHECKS = isSameBuild ? ${JSON.stringify(Object.fromEntries(shared))} : {};
`;
  await writeFile(join(dist, 'core/config/json/built-checks.js'), code);
}

function toList(schema: object | undefined): readonly object[] {
  return schema === undefined ? [] : [schema];
}

function isSchema(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Creates the bundle's files of checks, and the table of them in core/config/json/built-checks.ts. */
export async function hostChecks(): Promise<{
  readonly entries: Record<string, string>;
  readonly plugin: RolldownPlugin;
  readonly table: ChecksTable;
}> {
  const table: Record<string, readonly [file: string, name: string]> = {};
  const code = new Map<string, string>();
  const entries: Record<string, string> = {};
  for (const { name, options, schemas } of await checksFiles()) {
    const ajv = createAjv(options.useDefaults === true, { source: true });
    ajv.addSchema([...(options.shared ?? [])]);
    const exported: Record<string, string> = {};
    for (const schema of schemas) {
      const key = checkKey(schema, options);
      if (table[key] !== undefined) continue;
      const check = `check${Object.keys(exported).length}`;
      ajv.addSchema(schema, key);
      exported[check] = key;
      table[key] = [`./${name}.js`, check];
    }
    code.set(`\0${name}.cjs`, standalone.default(ajv, exported));
    entries[name] = `\0${name}.cjs`;
  }
  return {
    entries,
    table,
    plugin: {
      name: 'host-checks',
      resolveId: (source) => (code.has(source) ? source : null),
      load(id) {
        if (id.endsWith('/core/config/json/built-checks.ts'))
          return `export const BUILT_CHECKS = ${JSON.stringify(table)};`;
        const validator = code.get(id);
        return validator === undefined ? null : { code: validator, moduleType: 'js' };
      },
    },
  };
}
