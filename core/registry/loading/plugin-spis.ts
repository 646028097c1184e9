import { isDeepStrictEqual } from 'node:util';
import { type Carried, type JsonSchema, type Plugin, type ProviderDefinition, type Spi, spi } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { compileSchema } from '../../config/json/schema-check.js';
import { findUncloneable } from '../sessions/cloneable.js';
import { HOST_SPIS, ID_PATTERN } from './host-spis.js';
import { schemaFault } from './schema-fault.js';

/** An SPI that plugins declare. */
export interface DeclaredSpi {
  readonly spi: Spi;
  /** The names of the plugins that declare it, and so look up its providers. */
  readonly declaredBy: ReadonlySet<string>;
}

type SpiMembers = Readonly<Record<string, unknown>>;

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]*$/;
/**
 * Names that would turn a provider into another kind of object, such as `then` into a promise, or `close` into a
 * closeable.
 */
const FORBIDDEN_METHODS = new Set([
  'close',
  'then',
  'catch',
  'finally',
  ...Object.getOwnPropertyNames(Object.prototype),
]);
/** The members of an SPI that plugins may set. They are plain data that can be sent to another thread. */
const SPI_MEMBERS = [
  'id',
  'name',
  'methods',
  'declares',
  'declaration',
  'answers',
  'version',
  'oldestVersion',
  'deprecated',
  'carries',
];
const CARRIED_VALUES: readonly unknown[] = ['mails', 'proof', 'credentials', 'nothing', undefined];
/** The defaults that `spi()` sets for the other members. */
const SPI_DEFAULTS: SpiMembers = { enabledBy: 'providers', config: {}, crosses: [], reserved: [] };

/** True if a plugin declares the provider's SPI. */
export function hasPluginSpi(definition: Pick<ProviderDefinition, 'spi'>): boolean {
  return !HOST_SPIS.has(definition.spi.id);
}

/**
 * Returns the plugin with its SPIs recreated by this host's `spi()`, because the plugin may have been built with
 * another version of the SPI package.
 * @throws BootError `plugin_shape`
 */
export function withCheckedSpis(plugin: Plugin, module: string): Plugin {
  const { spis = [], providers } = plugin;
  if (!Array.isArray(spis)) throw shapeError(module, 'spis must be a list of what spi() returns');
  if (spis.length === 0 && !providers.some(hasPluginSpi)) return plugin;
  return {
    ...plugin,
    spis: spis.map((declaredSpi) => checkedSpi(declaredSpi, module)),
    providers: providers.map((definition) =>
      hasPluginSpi(definition) ? { ...definition, spi: checkedSpi(definition.spi, module) } : definition,
    ),
  };
}

function checkedSpi(value: unknown, module: string): Spi {
  const members = (typeof value === 'object' && value !== null ? value : {}) as SpiMembers;
  const {
    id,
    name,
    methods,
    declares = [],
    declaration,
    answers = {},
    version,
    oldestVersion,
    deprecated = {},
  } = members;
  const { carries } = members;
  if (typeof id !== 'string' || !ID_PATTERN.test(id) || HOST_SPIS.has(id)) {
    throw shapeError(module, `invalid SPI ID ${String(id)}: use letters, digits and . _ : -, and not an ID of Keyhost`);
  }
  const shapeErrorOfSpi = (message: string, cause?: unknown) => shapeError(module, `the SPI ${id}: ${message}`, cause);
  if (typeof name !== 'string' || !IDENTIFIER.test(name))
    throw shapeErrorOfSpi('its name must be the name of its constant');
  const uncloneablePart = findUncloneable(value);
  if (uncloneablePart !== undefined)
    throw shapeErrorOfSpi(`an SPI of plugins can only contain data, but it has ${uncloneablePart}`);
  const unknownMember = Object.keys(members).find(
    (member) =>
      !SPI_MEMBERS.includes(member) &&
      members[member] !== undefined &&
      !isDeepStrictEqual(members[member], SPI_DEFAULTS[member]),
  );
  if (unknownMember !== undefined) throw shapeErrorOfSpi(`"${unknownMember}" is for Keyhost's own SPIs`);
  if (!CARRIED_VALUES.includes(carries)) throw shapeErrorOfSpi('carries must be mails, proof, credentials or nothing');
  const { required = [], optional = [] } = (methods ?? {}) as { required?: unknown; optional?: unknown };
  const names = [required, optional].flat() as unknown[];
  const invalidName = names.find(
    (methodName) => typeof methodName !== 'string' || !IDENTIFIER.test(methodName) || FORBIDDEN_METHODS.has(methodName),
  );
  if (names.length === 0 || invalidName !== undefined || new Set(names).size < names.length) {
    throw shapeErrorOfSpi(
      `methods must be { required, optional } with names of methods${invalidName === undefined ? '' : `, not ${String(invalidName)}`}`,
    );
  }
  for (const [method, schema] of Object.entries({
    ...(answers as SpiMembers),
    ...(declaration ? { declares: declaration } : {}),
  })) {
    if (method !== 'declares' && !names.includes(method)) throw shapeErrorOfSpi(`answers.${method} is of no method`);
    try {
      compileSchema(schema as object);
    } catch (cause) {
      throw shapeErrorOfSpi(
        `the schema of ${method} is not a valid JSON Schema: ${schemaFault(schema as JsonSchema, cause)}`,
        cause,
      );
    }
  }
  return spi({
    id,
    name,
    answers: answers as Spi['answers'],
    deprecated: deprecated as Spi['deprecated'],
    methods: { required: [required].flat() as string[], optional: [optional].flat() as string[] },
    declares: (declaration ?? declares) as JsonSchema | readonly string[],
    ...(typeof version === 'number' ? { version } : {}),
    ...(typeof oldestVersion === 'number' ? { oldestVersion } : {}),
    ...(carries === undefined ? {} : { carries: carries as Carried | 'nothing' }),
  });
}

function shapeError(module: string, message: string, cause?: unknown): BootError {
  return new BootError('plugin_shape', `${module}: ${message}`, {
    plugin: module,
    cause,
    hint: "spi({ id: 'acme-channel', name: 'Channel', methods: { required: ['send'] } })",
  });
}

/** Returns the SPIs that the plugins of a host declare, by ID. If two declarations differ, the first one is used. */
export function declaredSpis(plugins: Iterable<Plugin>): ReadonlyMap<string, DeclaredSpi> {
  const spisById = new Map<string, { spi: Spi; declaredBy: Set<string> }>();
  for (const { name, spis = [] } of plugins) {
    for (const pluginSpi of spis) {
      const existingSpi = spisById.get(pluginSpi.id);
      if (existingSpi === undefined) spisById.set(pluginSpi.id, { spi: pluginSpi, declaredBy: new Set([name]) });
      else existingSpi.declaredBy.add(name);
    }
  }
  return spisById;
}

/**
 * Checks that the SPIs that a plugin declares and implements match those of the host's other plugins.
 * @throws BootError `plugin_spi`
 */
export function checkSpis(
  { name, spis = [], providers }: Plugin,
  declaredById: ReadonlyMap<string, DeclaredSpi>,
): void {
  for (const pluginSpi of spis) {
    const existingSpi = declaredById.get(pluginSpi.id);
    if (existingSpi === undefined || isDeepStrictEqual(existingSpi.spi, pluginSpi)) continue;
    const [otherPlugin] = existingSpi.declaredBy;
    const message = `${name} and ${otherPlugin} declare the SPI ${pluginSpi.id} differently`;
    throw new BootError('plugin_spi', message, {
      plugin: name,
      hint: 'install versions of both that use the same version of its contract, or give one of the SPIs another ID',
    });
  }
  for (const definition of providers.filter(hasPluginSpi)) {
    const { id } = definition.spi;
    if (declaredById.has(id)) continue;
    const suggestion = didYouMean(id, [...declaredById.keys(), ...HOST_SPIS.keys()]);
    throw new BootError('plugin_spi', `${name} implements the SPI ${id}, which no plugin declares`, {
      plugin: name,
      hint:
        suggestion === undefined
          ? 'add the plugin that has it in its spis to plugins.json'
          : `did you mean ${suggestion}?`,
    });
  }
}

/** Returns the definition with its SPI replaced by the declaration of the host's plugins, which may be newer. */
export function withDeclaredSpi<D extends Pick<ProviderDefinition, 'spi'>>(
  definition: D,
  declared: ReadonlyMap<string, DeclaredSpi>,
): D {
  const declaredSpi = declared.get(definition.spi.id);
  return declaredSpi === undefined ? definition : { ...definition, spi: declaredSpi.spi };
}
