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
import { BACKGROUND_METHOD, HOST_SPIS, ID_PATTERN, methodsOf, SCHEDULED_METHOD, spiOf } from './host-spis.js';
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
/**
 * Names that plugins must not have, because the host's own entries use them as namespaces. Names with a leading slash
 * are reserved too.
 */
const HOST_NAMESPACES: readonly string[] = ['keyhost', 'keyhost-failed-logins'];
const COMMON_MEMBERS = ['id', 'version', 'config', 'realmConfig', 'sharesConfig', 'background', 'schedule', 'open'];

/** Returns the schema of a provider's host-wide configuration, including the properties that its SPI adds. */
export function hostConfigSchema(definition: ProviderDefinition): JsonSchema {
  const { config = NO_CONFIG } = definition;
  const spiConfig = spiOf(definition).config;
  return { ...config, properties: { ...spiConfig, ...(config.properties as object | undefined) } } as JsonSchema;
}

/** The schema of a provider that accepts no configuration. */
export const NO_CONFIG: JsonSchema = { type: 'object', additionalProperties: false };

/**
 * Validates the default export of a plugin's module.
 * @throws BootError `plugin_shape`, `plugin_api` or `plugin_reserved_id`
 */
export function checkPlugin(value: unknown, module: string): asserts value is import('@keyhost/spi').Plugin {
  const shapeError = (message: string, hint?: string) =>
    new BootError('plugin_shape', `${module}: ${message}`, { plugin: module, hint });
  const example = 'export default { name, api: 1, providers: [provide(…)] } satisfies Plugin';
  if (typeof value !== 'object' || value === null)
    throw shapeError('the default export of the module must be a plugin', `write: ${example}`);
  const { name, api, providers } = value as { name?: unknown; api?: unknown; providers?: unknown };
  if (typeof name !== 'string' || name === '')
    throw shapeError('"name" is required: the name of the plugin', `write: ${example}`);
  // The name is the plugin's namespace in the store, so it must not be one of the host's.
  if (name.startsWith('/') || HOST_NAMESPACES.includes(name)) {
    throw new BootError('plugin_reserved_id', `${module}: the name ${name} is reserved for Keyhost`, {
      plugin: module,
      hint: 'name the plugin like its package',
    });
  }
  if (api === undefined)
    throw shapeError(
      '"api" is required: the version of the SPI that the plugin was written for',
      `add api: ${SPI_API}`,
    );
  if (api !== SPI_API) {
    throw new BootError('plugin_api', `${module} requires SPI ${String(api)}; this version of Keyhost has ${SPI_API}`, {
      plugin: module,
      hint: 'install another version of the plugin or of Keyhost',
    });
  }
  checkNeeds((value as { needs?: unknown }).needs, shapeError);
  checkMetrics((value as { metrics?: unknown }).metrics, shapeError);
  checkState((value as { state?: unknown }).state, shapeError);
  const messagesFault = messagesProblem((value as { messages?: unknown }).messages);
  if (messagesFault !== undefined) throw shapeError(messagesFault);
  if (!Array.isArray(providers))
    throw shapeError('"providers" must be a list of what provide() returns', `write: ${example}`);
  for (const definition of providers as Partial<ProviderDefinition>[]) {
    const spi = definition?.spi?.id;
    if (typeof spi !== 'string' || typeof definition.open !== 'function') {
      throw shapeError('create every provider with provide(), with an open function', `write: ${example}`);
    }
    // An SPI that a plugin declares is a complete definition. An SPI with only an ID must be one of the host's.
    if (!HOST_SPIS.has(spi) && definition.spi?.methods === undefined) {
      const suggestion = didYouMean(spi, [...HOST_SPIS.keys()]);
      throw shapeError(`SPI "${spi}" not found`, suggestion && `did you mean ${suggestion}?`);
    }
  }
  const fault = sharedConfigFault(providers);
  if (fault !== undefined) throw shapeError(fault);
}

/** Maximum length of a reason for a right, in characters. */
const MAX_REASON_LENGTH = 500;
/** Matches control characters, line breaks, and marks that change the text direction. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

function checkNeeds(needs: unknown, shapeError: (message: string, hint?: string) => BootError): void {
  if (needs === undefined) return;
  if (typeof needs !== 'object' || needs === null || Array.isArray(needs)) {
    throw shapeError(
      'needs must be an object of rights',
      'say of each what for: needs: { "view-users": "finds who is new" }',
    );
  }
  for (const [right, reason] of Object.entries(needs)) {
    if (!PLUGIN_RIGHTS.some((known) => known === right)) {
      const suggestion = didYouMean(right, PLUGIN_RIGHTS);
      throw shapeError(
        `needs.${right} is not a right`,
        suggestion ? `did you mean ${suggestion}?` : `rights: ${PLUGIN_RIGHTS.join(', ')}`,
      );
    }
    if (typeof reason !== 'string' || reason.trim() === '') throw shapeError(`needs.${right} must say what it is for`);
    // An operator reads the reason before granting the right, possibly in a terminal. It must not hide or replace other
    // text.
    if (reason.length > MAX_REASON_LENGTH || INVISIBLE_CHARACTERS.test(reason)) {
      throw shapeError(`needs.${right} must be one line of at most ${MAX_REASON_LENGTH} visible characters`);
    }
  }
}

function checkState(state: unknown, shapeError: (message: string, hint?: string) => BootError): void {
  if (state === undefined) return;
  const example = 'write: state: { version: 2, migrate: ({ key, value }) => ({ key, value }) }';
  if (typeof state !== 'object' || state === null || Array.isArray(state))
    throw shapeError('state must be an object', example);
  const { version, migrate, ...otherMembers } = state as Readonly<Record<string, unknown>>;
  const [surplus] = Object.keys(otherMembers);
  if (surplus !== undefined) throw shapeError(`state has no member "${surplus}"`, example);
  const isVersion = Number.isSafeInteger(version) && Number(version) >= 1;
  if (!isVersion) throw shapeError('state.version must be a whole number from 1', example);
  if (migrate !== undefined && typeof migrate !== 'function')
    throw shapeError('state.migrate must be a function', example);
  if (Number(version) > 1 && migrate === undefined)
    throw shapeError(`state.migrate is required: the version of the state is ${version}`, example);
}

function checkMetrics(metrics: unknown, shapeError: (message: string) => BootError): void {
  if (metrics === undefined) return;
  const schemaProblem = firstProblem(METRICS, metrics);
  if (schemaProblem !== undefined) throw shapeError(`metrics${appendToPath(schemaProblem)}`);
  for (const [name, declared] of Object.entries(metrics as MetricDeclarations)) {
    const problem = metricProblem(name, declared);
    if (problem !== undefined) throw shapeError(`metrics.${name}: ${problem}`);
  }
}

/**
 * Validates one definition of a plugin.
 * @throws BootError `plugin_shape` or `plugin_reserved_id`
 */
export function checkDefinition(definition: ProviderDefinition, plugin: { name: string; builtin: boolean }): void {
  const { id, config, realmConfig, declaration, background, schedule } = definition;
  const spi = spiOf(definition);
  const name = `${spi.id}/${id}`;
  const shapeError = (message: string, cause?: unknown, hint?: string) =>
    new BootError('plugin_shape', `${plugin.name}: ${name}: ${message}`, { plugin: plugin.name, cause, hint });
  if (typeof id !== 'string' || !ID_PATTERN.test(id))
    throw shapeError(
      'the ID is invalid: use letters, digits and . _ : -, at most 128, and begin with a letter or digit',
    );
  if (!plugin.builtin && spi.reserved.some((reservedId) => reservedId.toLowerCase() === id.toLowerCase())) {
    throw new BootError('plugin_reserved_id', `${plugin.name}: the ID ${name} is reserved for Keyhost`, {
      plugin: plugin.name,
      hint: 'choose another ID for the provider',
    });
  }
  for (const member of Object.keys(declaration)) {
    if (spi.declares.includes(member) || member === 'version') continue;
    const suggestion = didYouMean(member, [...spi.declares, ...COMMON_MEMBERS]);
    const knownMembers = [...spi.declares, ...COMMON_MEMBERS].join(', ');
    throw shapeError(
      `unknown member "${member}" of provide()`,
      undefined,
      suggestion ? `did you mean ${suggestion}?` : `known members: ${knownMembers}`,
    );
  }
  const { describes = [] } = spi;
  const unknown = describes.length === 0 ? undefined : unknownMember(declaration.describe, describes);
  if (unknown !== undefined) {
    const suggestion = didYouMean(unknown, describes);
    const hint = suggestion ? `did you mean ${suggestion}?` : `known members: ${describes.join(', ')}`;
    throw shapeError(`unknown member "${unknown}" of describe`, undefined, hint);
  }
  const { version: _, ...declared } = declaration;
  const declarationProblem = spi.declaration === undefined ? undefined : firstProblem(spi.declaration, declared);
  if (declarationProblem !== undefined) throw shapeError(declarationProblem);
  // After the schema, check the rules between the members.
  try {
    spi.check?.(declaration);
  } catch (cause) {
    throw shapeError(messageOf(cause), cause);
  }
  if (background !== undefined && typeof background !== 'boolean') throw shapeError('background must be true or false');
  const { required = [], optional = [] } = methodsOf(spi, { declaration });
  if (background && [...required, ...optional].includes(BACKGROUND_METHOD)) {
    throw shapeError('background is the method of its background work: name the other one differently');
  }
  if (schedule !== undefined) {
    if ([...required, ...optional].includes(SCHEDULED_METHOD)) {
      throw shapeError('scheduled is the method of its scheduled work: name the other one differently');
    }
    const scheduleProblem = firstProblem(SCHEDULE, schedule);
    if (scheduleProblem !== undefined) throw shapeError(`schedule${appendToPath(scheduleProblem)}`);
    const { setting } = schedule;
    if (setting !== undefined && !Object.hasOwn((realmConfig?.properties ?? {}) as object, setting)) {
      throw shapeError(`schedule.setting: realmConfig has no ${setting}`);
    }
  }
  const spiMember = Object.keys((config?.properties ?? {}) as object).find((name) => Object.hasOwn(spi.config, name));
  if (spiMember !== undefined) throw shapeError(`config.${spiMember} is Keyhost's own for every ${spi.name}`);
  // The schemas of built-ins are compiled on first use.
  if (plugin.builtin) return;
  const fault = schemasFault({ config, realmConfig, ...spi.schemas?.(declaration) });
  if (fault !== undefined) throw shapeError(fault.message, fault.cause, fault.hint);
}

/** Returns the first member that is not a known one. */
function unknownMember(described: unknown, knownMembers: readonly string[]): string | undefined {
  if (typeof described !== 'object' || described === null) return undefined;
  return Object.keys(described).find((member) => !knownMembers.includes(member));
}

/** Describes the first invalid schema, or the first default that its own schema rejects; undefined if all are valid. */
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
    const defaultProblem = invalidDefault(schema as JsonSchema);
    if (defaultProblem === undefined) continue;
    return { message: `${name}: ${defaultProblem}`, hint: 'set a default that the schema allows' };
  }
  return undefined;
}

/** Appends a problem to the path of the member that has it. */
function appendToPath(problem: string): string {
  return /^[\w[]/.test(problem) && !problem.startsWith('must') ? `.${problem}`.replace('.[', '[') : ` ${problem}`;
}

function firstProblem(schema: JsonSchema, value: unknown): string | undefined {
  const check = compileSchema(schema);
  if (check(value)) return undefined;
  const [problem] = schemaProblems(check);
  return `${formatPath(problem?.path ?? [])} ${problem?.message}`.trim();
}
