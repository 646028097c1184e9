import {
  type JsonSchema,
  type MetricDeclarations,
  PLUGIN_RIGHTS,
  type ProviderDefinition,
  SPI_API,
} from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { messageOf } from '../../model/thrown.js';
import { METRICS, metricProblem } from '../metrics/metric-declarations.js';
import { BACKGROUND, HOST_SPIS, ID, methodsOf, SCHEDULED, spiOf } from './host-spis.js';
import { messagesProblem } from './plugin-messages.js';
import { invalidDefault } from './schema-defaults.js';
import { schemaFault } from './schema-fault.js';
import { sharedConfigFault } from './shared-config.js';

/** The schema of `schedule` in `provide`, the same for all SPIs. */
const SCHEDULE: JsonSchema = {
  type: 'object',
  properties: {
    every: { type: 'number', minimum: 10, maximum: 31_536_000 },
    cron: { type: 'string', maxLength: 200 },
    timeZone: { type: 'string', maxLength: 64 },
    setting: { type: 'string' },
  },
  oneOf: [{ required: ['every'] }, { required: ['cron'] }],
  additionalProperties: false,
};
/** Namespaces of the host's own entries, in addition to those that begin with a slash. */
const HOST_NAMES: readonly string[] = ['keyhost', 'keyhost-failed-logins'];
const COMMON_MEMBERS = ['id', 'version', 'config', 'realmConfig', 'sharesConfig', 'background', 'schedule', 'open'];

/** Returns the schema of a provider's host-wide configuration: its own, with the properties that its SPI adds. */
export function hostConfigSchema(definition: ProviderDefinition): JsonSchema {
  const { config = NO_CONFIG } = definition;
  const ofKind = spiOf(definition).config;
  return { ...config, properties: { ...ofKind, ...(config.properties as object | undefined) } } as JsonSchema;
}

/** A provider without a schema accepts no configuration. */
export const NO_CONFIG: JsonSchema = { type: 'object', additionalProperties: false };

/** @throws BootError `plugin_shape` or `plugin_api` */
export function checkPlugin(value: unknown, module: string): asserts value is import('@keyhost/spi').Plugin {
  const wrong = (message: string, hint?: string) =>
    new BootError('plugin_shape', `${module}: ${message}`, { plugin: module, hint });
  const example = 'export default { name, api: 1, providers: [provide(…)] } satisfies Plugin';
  if (typeof value !== 'object' || value === null)
    throw wrong('the default export of the module must be a plugin', `write: ${example}`);
  const { name, api, providers } = value as { name?: unknown; api?: unknown; providers?: unknown };
  if (typeof name !== 'string' || name === '')
    throw wrong('"name" is required: the name of the plugin', `write: ${example}`);
  // The plugin's name is its namespace in the store, next to those of the host.
  if (name.startsWith('/') || HOST_NAMES.includes(name)) {
    throw new BootError('plugin_reserved_id', `${module}: the name ${name} is reserved for Keyhost`, {
      plugin: module,
      hint: 'name the plugin like its package',
    });
  }
  if (api === undefined)
    throw wrong('"api" is required: the version of the SPI that the plugin was written for', `add api: ${SPI_API}`);
  if (api !== SPI_API) {
    throw new BootError('plugin_api', `${module} requires SPI ${String(api)}; this version of Keyhost has ${SPI_API}`, {
      plugin: module,
      hint: 'install another version of the plugin or of Keyhost',
    });
  }
  checkNeeds((value as { needs?: unknown }).needs, wrong);
  checkMetrics((value as { metrics?: unknown }).metrics, wrong);
  checkState((value as { state?: unknown }).state, wrong);
  const inMessages = messagesProblem((value as { messages?: unknown }).messages);
  if (inMessages !== undefined) throw wrong(inMessages);
  if (!Array.isArray(providers))
    throw wrong('"providers" must be a list of what provide() returns', `write: ${example}`);
  for (const definition of providers as Partial<ProviderDefinition>[]) {
    const spi = definition?.spi?.id;
    if (typeof spi !== 'string' || typeof definition.open !== 'function') {
      throw wrong('create every provider with provide(), with an open function', `write: ${example}`);
    }
    // A plugin's SPI is a complete definition. A mere ID must be one of the host's SPIs.
    if (!HOST_SPIS.has(spi) && definition.spi?.methods === undefined) {
      const near = didYouMean(spi, [...HOST_SPIS.keys()]);
      throw wrong(`SPI "${spi}" not found`, near && `did you mean ${near}?`);
    }
  }
  const fault = sharedConfigFault(providers);
  if (fault !== undefined) throw wrong(fault);
}

/** In characters, for a reason. */
const LONGEST_REASON = 500;
/** Control characters, line breaks, and marks that change the text direction. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function checkNeeds(needs: unknown, wrong: (message: string, hint?: string) => BootError): void {
  if (needs === undefined) return;
  if (typeof needs !== 'object' || needs === null || Array.isArray(needs)) {
    throw wrong(
      'needs must be an object of rights',
      'say of each what for: needs: { "view-users": "finds who is new" }',
    );
  }
  for (const [right, reason] of Object.entries(needs)) {
    if (!PLUGIN_RIGHTS.some((known) => known === right)) {
      const near = didYouMean(right, PLUGIN_RIGHTS);
      throw wrong(
        `needs.${right} is not a right`,
        near ? `did you mean ${near}?` : `rights: ${PLUGIN_RIGHTS.join(', ')}`,
      );
    }
    if (typeof reason !== 'string' || reason.trim() === '') throw wrong(`needs.${right} must say what it is for`);
    // An operator reads it before granting the right, possibly in a terminal: it must not hide or replace other text.
    if (reason.length > LONGEST_REASON || INVISIBLE.test(reason)) {
      throw wrong(`needs.${right} must be one line of at most ${LONGEST_REASON} visible characters`);
    }
  }
}

function checkState(state: unknown, wrong: (message: string, hint?: string) => BootError): void {
  if (state === undefined) return;
  const example = 'write: state: { version: 2, migrate: ({ key, value }) => ({ key, value }) }';
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    throw wrong('state must be an object', example);
  const { version, migrate, ...more } = state as Readonly<Record<string, unknown>>;
  const [surplus] = Object.keys(more);
  if (surplus !== undefined) throw wrong(`state has no member "${surplus}"`, example);
  const isVersion = Number.isSafeInteger(version) && Number(version) >= 1;
  if (!isVersion) throw wrong('state.version must be a whole number from 1', example);
  if (migrate !== undefined && typeof migrate !== 'function') throw wrong('state.migrate must be a function', example);
  if (Number(version) > 1 && migrate === undefined)
    throw wrong(`state.migrate is required: the version of the state is ${version}`, example);
}

function checkMetrics(metrics: unknown, wrong: (message: string) => BootError): void {
  if (metrics === undefined) return;
  const misfit = firstProblem(METRICS, metrics);
  if (misfit !== undefined) throw wrong(`metrics${joined(misfit)}`);
  for (const [name, declared] of Object.entries(metrics as MetricDeclarations)) {
    const problem = metricProblem(name, declared);
    if (problem !== undefined) throw wrong(`metrics.${name}: ${problem}`);
  }
}

/** @throws BootError `plugin_shape` or `plugin_reserved_id` */
export function checkDefinition(definition: ProviderDefinition, plugin: { name: string; builtin: boolean }): void {
  const { id, config, realmConfig, declaration, background, schedule } = definition;
  const spi = spiOf(definition);
  const what = `${spi.id}/${id}`;
  const wrong = (message: string, cause?: unknown, hint?: string) =>
    new BootError('plugin_shape', `${plugin.name}: ${what}: ${message}`, { plugin: plugin.name, cause, hint });
  if (typeof id !== 'string' || !ID.test(id))
    throw wrong('the ID is invalid: use letters, digits and . _ : -, at most 128, and begin with a letter or digit');
  if (!plugin.builtin && spi.reserved.some((own) => own.toLowerCase() === id.toLowerCase())) {
    throw new BootError('plugin_reserved_id', `${plugin.name}: the ID ${what} is reserved for Keyhost`, {
      plugin: plugin.name,
      hint: 'choose another ID for the provider',
    });
  }
  for (const member of Object.keys(declaration)) {
    if (spi.declares.includes(member) || member === 'version') continue;
    const near = didYouMean(member, [...spi.declares, ...COMMON_MEMBERS]);
    const known = [...spi.declares, ...COMMON_MEMBERS].join(', ');
    throw wrong(
      `unknown member "${member}" of provide()`,
      undefined,
      near ? `did you mean ${near}?` : `known members: ${known}`,
    );
  }
  const { describes = [] } = spi;
  const unknown = describes.length === 0 ? undefined : unknownMember(declaration.describe, describes);
  if (unknown !== undefined) {
    const near = didYouMean(unknown, describes);
    const hint = near ? `did you mean ${near}?` : `known members: ${describes.join(', ')}`;
    throw wrong(`unknown member "${unknown}" of describe`, undefined, hint);
  }
  const { version: _, ...declared } = declaration;
  const misfit = spi.declaration === undefined ? undefined : firstProblem(spi.declaration, declared);
  if (misfit !== undefined) throw wrong(misfit);
  // An SPI with a schema then checks how the members fit each other.
  try {
    spi.check?.(declaration);
  } catch (cause) {
    throw wrong(messageOf(cause), cause);
  }
  if (background !== undefined && typeof background !== 'boolean') throw wrong('background must be true or false');
  const { required = [], optional = [] } = methodsOf(spi, { declaration });
  if (background && [...required, ...optional].includes(BACKGROUND)) {
    throw wrong('background is the method of its background work: name the other one differently');
  }
  if (schedule !== undefined) {
    if ([...required, ...optional].includes(SCHEDULED)) {
      throw wrong('scheduled is the method of its scheduled work: name the other one differently');
    }
    const misfit = firstProblem(SCHEDULE, schedule);
    if (misfit !== undefined) throw wrong(`schedule${joined(misfit)}`);
    const { setting } = schedule;
    if (setting !== undefined && !Object.hasOwn((realmConfig?.properties ?? {}) as object, setting)) {
      throw wrong(`schedule.setting: realmConfig has no ${setting}`);
    }
  }
  const own = Object.keys((config?.properties ?? {}) as object).find((name) => Object.hasOwn(spi.config, name));
  if (own !== undefined) throw wrong(`config.${own} is Keyhost's own for every ${spi.name}`);
  // The schemas of built-ins are compiled when they are used.
  if (plugin.builtin) return;
  const fault = schemasFault({ config, realmConfig, ...spi.schemas?.(declaration) });
  if (fault !== undefined) throw wrong(fault.message, fault.cause, fault.hint);
}

/** The first member that is not among the known ones. */
function unknownMember(described: unknown, known: readonly string[]): string | undefined {
  if (typeof described !== 'object' || described === null) return undefined;
  return Object.keys(described).find((member) => !known.includes(member));
}

/** Describes the mistake in the first invalid schema, or a default that its own schema rejects. */
export function schemasFault(
  schemas: Readonly<Record<string, unknown>>,
): { readonly message: string; readonly cause?: unknown; readonly hint?: string } | undefined {
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema === undefined) continue;
    try {
      compileSchema(schema as object, { useDefaults: true });
    } catch (cause) {
      return { message: `${name} is not a valid JSON Schema: ${schemaFault(schema as JsonSchema, cause)}`, cause };
    }
    const ill = invalidDefault(schema as JsonSchema);
    if (ill === undefined) continue;
    return { message: `${name}: ${ill}`, hint: 'set a default that the schema allows' };
  }
  return undefined;
}

/** Appends a problem to the path of its member. */
function joined(problem: string): string {
  return /^[\w[]/.test(problem) && !problem.startsWith('must') ? `.${problem}`.replace('.[', '[') : ` ${problem}`;
}

function firstProblem(schema: JsonSchema, value: unknown): string | undefined {
  const check = compileSchema(schema);
  if (check(value)) return undefined;
  const [problem] = schemaProblems(check);
  return `${formatPath(problem?.path ?? [])} ${problem?.message}`.trim();
}
