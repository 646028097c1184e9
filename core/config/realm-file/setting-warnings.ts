import type { RealmRepresentation } from '../../model/representation.js';
import type { JsonPath } from '../json/json-document.js';
import { type ConfigUse, configUses, MAPPER_SETTINGS, type SettingsReader } from './config-uses.js';
import type { ProviderSchema } from './provider-checks.js';
import { hasPluginReader, unknownSettings } from './unknown-settings.js';

/** A setting that is stored and does not have the expected effect. */
interface SettingWarning {
  readonly owner: string;
  readonly path: JsonPath;
  readonly message: string;
}

/**
 * Warns about settings without the expected effect: those that no provider reads, and booleans that are neither `true`
 * nor `false`, which built-in providers read as false.
 */
export function settingWarnings(realm: RealmRepresentation, providers: readonly ProviderSchema[]): SettingWarning[] {
  const warnings: SettingWarning[] = [];
  for (const use of configUses(realm, providers)) {
    const warn = (name: string, message: string) =>
      void warnings.push({ owner: `${use.owner()}, ${name}`, path: [...use.path(), name], message });
    for (const { name, suggestion } of unknownSettings(use)) {
      if (hasWarning(use, suggestion)) warn(name, warningText(use, suggestion));
    }
    for (const name of laxBooleans(use)) {
      const text = use.config?.[name];
      if (text === undefined || text === '' || text === 'true' || text === 'false') continue;
      warn(name, 'is neither "true" nor "false": it is read as false');
    }
  }
  return warnings;
}

/**
 * True if an unknown setting gets a warning. For plugins, near misses are errors, so only other names get warnings.
 * Clients and built-in providers may have extra settings, so only near misses get warnings.
 */
function hasWarning(use: ConfigUse, suggestion: string | undefined): boolean {
  if (use.kind === 'client') return suggestion !== undefined;
  return hasPluginReader(use) === (suggestion === undefined);
}

function warningText({ kind, readers }: ConfigUse, suggestion: string | undefined): string {
  const readerIds = readers.map(({ id }) => `"${id}"`);
  const nobody = `${readerIds.join(' and ')} ${readerIds.length === 1 ? 'has' : 'have'} no setting of this name`;
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  // An attribute of a client may have an effect in other software.
  return `${kind === 'client' ? '' : 'has no effect: '}${nobody}${hint}`;
}

/** The warnings as sentences for the log. They name the owner instead of the path, since list indexes change. */
export function settingWarningSentences(realm: RealmRepresentation, providers: readonly ProviderSchema[]): string[] {
  return settingWarnings(realm, providers).map(({ owner, message }) => `${owner}: ${message}`);
}

/** The names by the list of readers, which all mappers of one provider share. */
const laxBooleansByReaders = new WeakMap<readonly SettingsReader[], readonly string[]>();

/**
 * The names of booleans that are read from any text. A name that a plugin declares, too, is not among them: for it,
 * another text is an error.
 */
function laxBooleans({ readers, hostSettings }: ConfigUse): readonly string[] {
  let names = laxBooleansByReaders.get(readers);
  if (names === undefined) {
    const declared = (isOf: boolean) =>
      readers.flatMap(({ builtin, settings }) =>
        (builtin === true) === isOf ? Object.entries(settings?.properties ?? {}) : [],
      );
    const ofKeycloak = declared(true).flatMap(([name, { type }]) => (type === 'boolean' ? [name] : []));
    const ofPlugins = new Set(declared(false).map(([name]) => name));
    const all = new Set([...ofKeycloak, ...(hostSettings === MAPPER_SETTINGS ? MAPPER_SETTINGS : [])]);
    names = [...all].filter((name) => !ofPlugins.has(name));
    laxBooleansByReaders.set(readers, names);
  }
  return names;
}
