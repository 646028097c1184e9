import { readFile } from 'node:fs/promises';
import { PLUGIN_RIGHTS, type PluginRight } from '@keyhost/spi';
import { codeOf } from '../model/thrown.js';
import { BootError } from './boot-error.js';
import { type JsonDocument, type JsonPath, readJsonDocument } from './json/json-document.js';
import { compileSchema, schemaProblems } from './json/schema-check.js';
import { byPosition, type Problem } from './problem.js';

export type Isolation = 'none' | 'worker';

export interface PluginLimits {
  /** The time limit of one call of a provider, in seconds. Undefined: the host's limit, 30. */
  readonly callTimeout?: number;
  /** The maximum number of concurrent calls of one provider in one realm. */
  readonly concurrency: number;
  /** The limit of the worker's heap, and separately of its buffers, in megabytes. */
  readonly memory?: number;
}

export interface PluginEntry {
  /** Name of a package below the providers folder. */
  readonly module: string;
  /** True if the host does not start when the plugin cannot be loaded. */
  readonly required: boolean;
  /** `none`: the plugin runs in the host's process. `worker`: it runs in its own thread. */
  readonly isolation: Isolation;
  readonly limits: PluginLimits;
  /** The environment variables that its worker sees. A plugin in the process sees all of them. */
  readonly env: readonly string[];
  /** `sha512-…` of the package's files. */
  readonly integrity?: string;
  /** Rights by realm. `*` means every realm but `master`. */
  readonly grants: Readonly<Record<string, readonly PluginRight[]>>;
  /** `spi/id` of the built-in providers that it replaces. */
  readonly replaces: readonly string[];
  /** Host-wide configuration by `spi/id`. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The operator's list of plugins, in loading order. */
export interface PluginsFile {
  readonly path: string;
  readonly plugins: readonly PluginEntry[];
  /** The position of a value in the file. */
  locate(path: JsonPath): { line: number; column: number };
}

const SIZE_LIMIT = 1024 * 1024;

/** The JSON Schema of plugins.json. */
export const PLUGINS_SCHEMA = {
  $id: 'https://keyhost.dev/schema/plugins.json',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    plugins: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          module: {
            type: 'string',
            pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$',
            mustBe: 'the name of a package in the plugin folder, such as "newsletter" or "@acme/newsletter"',
            maxLength: 214,
          },
          required: { type: 'boolean', default: true },
          isolation: { enum: ['none', 'worker'], default: 'none' },
          limits: {
            type: 'object',
            properties: {
              callTimeout: {
                type: 'number',
                exclusiveMinimum: 0,
                maximum: 30,
                description: 'Time limit of a call, in seconds; default: 30.',
              },
              concurrency: {
                type: 'integer',
                minimum: 1,
                default: 1000,
                description: 'Maximum number of concurrent calls of a provider in a realm.',
              },
              memory: {
                type: 'integer',
                minimum: 64,
                maximum: 16384,
                description:
                  'Memory limit of its worker in megabytes, for the heap, and again for buffers; default: 256.',
              },
            },
            additionalProperties: false,
            default: {},
          },
          env: {
            type: 'array',
            items: {
              type: 'string',
              pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
              mustBe: 'the name of an environment variable',
            },
            default: [],
          },
          integrity: {
            type: 'string',
            pattern: '^sha512-[A-Za-z0-9+/]+={0,2}$',
            mustBe: '"sha512-" and a hash in Base64',
          },
          replaces: {
            type: 'array',
            items: {
              type: 'string',
              pattern: '^[^/]+/.+$',
              mustBe: 'an SPI and an ID, such as "oauth2-grant-type/password"',
            },
            default: [],
          },
          grants: {
            type: 'object',
            additionalProperties: { type: 'array', items: { enum: PLUGIN_RIGHTS } },
            default: {},
          },
          config: { type: 'object', additionalProperties: { type: 'object' }, default: {} },
        },
        required: ['module'],
        additionalProperties: false,
      },
    },
  },
  required: ['plugins'],
  additionalProperties: false,
} as const;

/** @throws BootError `plugins_file_invalid` with every problem at its position */
export async function readPluginsFile(path: string): Promise<PluginsFile> {
  const document = await readDocument(path);
  const check = compileSchema(PLUGINS_SCHEMA, { useDefaults: true });
  const problems = check(document.value)
    ? []
    : schemaProblems(check).map((schemaProblem) =>
        document.problem(schemaProblem.path, schemaProblem.message, schemaProblem.suggestion),
      );
  problems.push(...repeatedModules(document), ...workerOnlySettings(document));
  if (problems.length > 0) throw fileError(path, problems);
  const { plugins } = document.value as { plugins: PluginEntry[] };
  return { path, plugins, locate: document.locate };
}

function repeatedModules(document: JsonDocument): Problem[] {
  const plugins = (document.value as { plugins?: unknown } | null)?.plugins;
  const modules = new Set<unknown>();
  return (Array.isArray(plugins) ? plugins : []).flatMap((entry: { module?: unknown } | null, index) => {
    const module = entry?.module;
    const isRepeated = modules.has(module);
    if (module !== undefined) modules.add(module);
    return isRepeated ? [document.problem(['plugins', index, 'module'], `"${module}" is listed twice`)] : [];
  });
}

/** Reports settings that only a worker enforces if the plugin does not run in one. */
function workerOnlySettings(document: JsonDocument): Problem[] {
  const plugins = (document.value as { plugins?: unknown } | null)?.plugins;
  return (Array.isArray(plugins) ? plugins : []).flatMap((entry: Partial<PluginEntry> | null, index) => {
    if (entry?.isolation === 'worker') return [];
    const workerProblem = (path: JsonPath) =>
      document.problem(['plugins', index, ...path], 'requires "isolation": "worker"');
    return [
      ...(entry?.limits?.memory === undefined ? [] : [workerProblem(['limits', 'memory'])]),
      ...(Array.isArray(entry?.env) && entry.env.length > 0 ? [workerProblem(['env'])] : []),
    ];
  });
}

async function readDocument(path: string): Promise<JsonDocument> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const code = codeOf(cause);
    const message = code === 'ENOENT' ? 'the file does not exist' : `cannot read the file (${code})`;
    throw new BootError('plugins_file_invalid', 'cannot read plugins.json', {
      problems: [{ file: path, line: 0, column: 0, path: '', message }],
      hint: 'create it: {"plugins": []} is a list without plugins',
      cause,
    });
  }
  if (bytes.length > SIZE_LIMIT) {
    throw fileError(path, [{ file: path, line: 0, column: 0, path: '', message: 'the file is larger than 1 MiB' }]);
  }
  const result = readJsonDocument(path, bytes);
  const problems = 'problems' in result ? result.problems : result.document.mistakes.map(({ problem }) => problem);
  if ('problems' in result || problems.length > 0) throw fileError(path, problems);
  return result.document;
}

function fileError(path: string, problems: readonly Problem[]): BootError {
  return new BootError(
    'plugins_file_invalid',
    `${path} has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}`,
    { problems: [...problems].sort(byPosition) },
  );
}
