import type { RealmRepresentation } from '../../model/representation.js';
import type { JsonPath } from '../json/json-document.js';
import { type ConfigUse, configUses, MAPPER_SETTINGS, type SettingsReader } from './config-uses.js';
import type { ProviderSchema } from './provider-checks.js';
import { isOfPlugin, unknownSettings } from './unknown-settings.js';

/** A setting that is stored and does not have the expected effect. */
interface SettingWarning {
  readonly owner: string;
  readonly path: JsonPath;
  readonly message: string;
}

/**
 * Warnings about settings without the expected effect. Either no provider reads a setting of this name, or it is a
 * boolean of one of Keycloak's own providers, which read every text but `true` as false.
 */
export function settingWarnings(realm: RealmRepresentation, providers: readonly ProviderSchema[]): SettingWarning[] {
  const warnings: SettingWarning[] = [];
  for (const use of configUses(realm, providers)) {
    const warn = (name: string, message: string) =>
      void warnings.push({ owner: `${use.owner()}, ${name}`, path: [...use.path(), name], message });
    for (const { name, near } of unknownSettings(use)) {
      if (hasWarning(use, near)) warn(name, warningText(use, near));
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
 * True if an unread name gets a warning. For settings of plugins, near misses are errors, so only the other names do.
 * Keycloak's own providers and clients may have extra names, so only a near miss is probably a mistake.
 */
function hasWarning(use: ConfigUse, suggestion: string | undefined): boolean {
  if (use.kind === 'client') return suggestion !== undefined;
  return isOfPlugin(use) === (suggestion === undefined);
}

function warningText({ kind, readers }: ConfigUse, suggestion: string | undefined): string {
  const readerIds = readers.map(({ id }) => `"${id}"`);
  const nobody = `${readerIds.join(' and ')} ${readerIds.length === 1 ? 'has' : 'have'} no setting of this name`;
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  // Other software may read an attribute.
  return `${kind === 'client' ? '' : 'has no effect: '}${nobody}${hint}`;
}

/** The same warnings as sentences for the log. They name the owner, since list indexes change. */
export function settingWarningSentences(realm: RealmRepresentation, providers: readonly ProviderSchema[]): string[] {
  return settingWarnings(realm, providers).map(({ owner, message }) => `${owner}: ${message}`);
}

/** By the list of readers: all mappers of one provider share a list. */
const LAX = new WeakMap<readonly SettingsReader[], readonly string[]>();

/**
 * Booleans that Keycloak reads from any text. If a plugin declares the name, too, another text is an error instead of a
 * warning.
 */
function laxBooleans({ readers, hostSettings }: ConfigUse): readonly string[] {
  let names = LAX.get(readers);
  if (names === undefined) {
    const declared = (isOf: boolean) =>
      readers.flatMap(({ builtin, settings }) =>
        (builtin === true) === isOf ? Object.entries(settings?.properties ?? {}) : [],
      );
    const ofKeycloak = declared(true).flatMap(([name, { type }]) => (type === 'boolean' ? [name] : []));
    const ofPlugins = new Set(declared(false).map(([name]) => name));
    const all = new Set([...ofKeycloak, ...(hostSettings === MAPPER_SETTINGS ? MAPPER_SETTINGS : [])]);
    names = [...all].filter((name) => !ofPlugins.has(name));
    LAX.set(readers, names);
  }
  return names;
}
