import { isDeepStrictEqual } from 'node:util';
import { type Carried, type JsonSchema, type Plugin, type ProviderDefinition, type Spi, spi } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { compileSchema } from '../../config/json/schema-check.js';
import { uncloneable } from '../sessions/cloneable.js';
import { HOST_SPIS, ID } from './host-spis.js';
import { schemaFault } from './schema-fault.js';

/** An SPI that plugins declare, with the plugins that look up its providers. */
export interface DeclaredSpi {
  readonly spi: Spi;
  /** Names of plugins. */
  readonly declaredBy: ReadonlySet<string>;
}

type Entry = Readonly<Record<string, unknown>>;

const NAME = /^[A-Za-z][A-Za-z0-9]*$/;
/** Names that would turn a provider into another kind of object: `then` into a promise, `close` into a closeable. */
const NO_METHODS = new Set(['close', 'then', 'catch', 'finally', ...Object.getOwnPropertyNames(Object.prototype)]);
/** The members of an SPI that plugins may set: plain data that can be sent to another thread. */
const MEMBERS = [
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
const CARRIED: readonly unknown[] = ['mails', 'proof', 'credentials', 'nothing', undefined];
/** The defaults of `spi` for the other members. */
const SPI_DEFAULTS: Entry = { enabledBy: 'providers', config: {}, crosses: [], reserved: [] };

/** True if a plugin declares the provider's SPI. */
export function hasPluginSpi(definition: Pick<ProviderDefinition, 'spi'>): boolean {
  return !HOST_SPIS.has(definition.spi.id);
}

/**
 * Returns the plugin with its own SPIs recreated by this host's `spi`, because the plugin's copy of the SPI package may
 * be a different version. @throws BootError `plugin_shape`
 */
export function withCheckedSpis(plugin: Plugin, module: string): Plugin {
  const { spis = [], providers } = plugin;
  if (!Array.isArray(spis)) throw wrong(module, 'spis must be a list of what spi() returns');
  if (spis.length === 0 && !providers.some(hasPluginSpi)) return plugin;
  return {
    ...plugin,
    spis: spis.map((kind) => checkedSpi(kind, module)),
    providers: providers.map((definition) =>
      hasPluginSpi(definition) ? { ...definition, spi: checkedSpi(definition.spi, module) } : definition,
    ),
  };
}

function checkedSpi(value: unknown, module: string): Spi {
  const declared = (typeof value === 'object' && value !== null ? value : {}) as Entry;
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
  } = declared;
  const { carries } = declared;
  if (typeof id !== 'string' || !ID.test(id) || HOST_SPIS.has(id)) {
    throw wrong(module, `invalid SPI ID ${String(id)}: use letters, digits and . _ : -, and not an ID of Keyhost`);
  }
  const fail = (message: string, cause?: unknown) => wrong(module, `the SPI ${id}: ${message}`, cause);
  if (typeof name !== 'string' || !NAME.test(name)) throw fail('its name must be the name of its constant');
  const part = uncloneable(value);
  if (part !== undefined) throw fail(`an SPI of plugins can only contain data, but it has ${part}`);
  const other = Object.keys(declared).find(
    (member) =>
      !MEMBERS.includes(member) &&
      declared[member] !== undefined &&
      !isDeepStrictEqual(declared[member], SPI_DEFAULTS[member]),
  );
  if (other !== undefined) throw fail(`"${other}" is for Keyhost's own SPIs`);
  if (!CARRIED.includes(carries)) throw fail('carries must be mails, proof, credentials or nothing');
  const { required = [], optional = [] } = (methods ?? {}) as { required?: unknown; optional?: unknown };
  const names = [required, optional].flat() as unknown[];
  const odd = names.find((one) => typeof one !== 'string' || !NAME.test(one) || NO_METHODS.has(one));
  if (names.length === 0 || odd !== undefined || new Set(names).size < names.length) {
    throw fail(
      `methods must be { required, optional } with names of methods${odd === undefined ? '' : `, not ${String(odd)}`}`,
    );
  }
  for (const [method, schema] of Object.entries({
    ...(answers as Entry),
    ...(declaration ? { declares: declaration } : {}),
  })) {
    if (method !== 'declares' && !names.includes(method)) throw fail(`answers.${method} is of no method`);
    try {
      compileSchema(schema as object);
    } catch (cause) {
      throw fail(
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

function wrong(module: string, message: string, cause?: unknown): BootError {
  return new BootError('plugin_shape', `${module}: ${message}`, {
    plugin: module,
    cause,
    hint: "spi({ id: 'acme-channel', name: 'Channel', methods: { required: ['send'] } })",
  });
}

/** The SPIs that the plugins of a host declare, by ID; if two declarations differ, the first one. */
export function declaredSpis(plugins: Iterable<Plugin>): ReadonlyMap<string, DeclaredSpi> {
  const declared = new Map<string, { spi: Spi; declaredBy: Set<string> }>();
  for (const { name, spis = [] } of plugins) {
    for (const own of spis) {
      const known = declared.get(own.id);
      if (known === undefined) declared.set(own.id, { spi: own, declaredBy: new Set([name]) });
      else known.declaredBy.add(name);
    }
  }
  return declared;
}

/**
 * Checks that the SPIs that a plugin declares and implements match those of the host's other plugins.
 * @throws BootError `plugin_spi`
 */
export function checkSpis({ name, spis = [], providers }: Plugin, declared: ReadonlyMap<string, DeclaredSpi>): void {
  for (const own of spis) {
    const known = declared.get(own.id);
    if (known === undefined || isDeepStrictEqual(known.spi, own)) continue;
    const [other] = known.declaredBy;
    const message = `${name} and ${other} declare the SPI ${own.id} differently`;
    throw new BootError('plugin_spi', message, {
      plugin: name,
      hint: 'install versions of both that use the same version of its contract, or give one of the SPIs another ID',
    });
  }
  for (const definition of providers.filter(hasPluginSpi)) {
    const { id } = definition.spi;
    if (declared.has(id)) continue;
    const near = didYouMean(id, [...declared.keys(), ...HOST_SPIS.keys()]);
    throw new BootError('plugin_spi', `${name} implements the SPI ${id}, which no plugin declares`, {
      plugin: name,
      hint: near === undefined ? 'add the plugin that has it in its spis to plugins.json' : `did you mean ${near}?`,
    });
  }
}

/**
 * Returns the definition with the declared contract of the host's plugins, which may be newer than the provider's own.
 */
export function withDeclaredSpi<D extends Pick<ProviderDefinition, 'spi'>>(
  definition: D,
  declared: ReadonlyMap<string, DeclaredSpi>,
): D {
  const known = declared.get(definition.spi.id);
  return known === undefined ? definition : { ...definition, spi: known.spi };
}
