import { CredentialProvider } from '@keyhost/spi';
import type { RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { SchemaProblem } from '../json/schema-check.js';
import { type ConfigUse, configUses } from './config-uses.js';
import type { ProviderSchema } from './provider-checks.js';
import type { Complain } from './realm-names.js';
import { useProblems } from './use-problems.js';

/**
 * Checks the settings that a realm gives to providers, by the settings that each provider declares.
 * @param isWhole false while an admin edits the realm: the console adds a step first, and its settings later
 */
export function checkSettings(
  realm: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  isWhole: boolean,
): void {
  for (const use of configUses(realm, providers)) {
    if (use.config === undefined) {
      if (isWhole) reportMissingSettings(use, complain);
      continue;
    }
    const mayComeLater = !isWhole && use.kind !== 'mapper' && use.kind !== 'component';
    for (const { path, message, suggestion } of [...useProblems(use), ...mistypedTypes(use, providers)]) {
      if (path.length > 0 || !mayComeLater) complain([...use.path(), ...path], message, suggestion);
    }
  }
}

/** Reports the settings that a step without settings requires. */
function reportMissingSettings({ readers, path }: ConfigUse, complain: Complain): void {
  for (const { id, settings } of readers) {
    for (const name of settings?.required ?? []) {
      complain(path(), `"${id}" needs the setting "${name}": name an entry of authenticatorConfig that has it`);
    }
  }
}

/** Reports a credential type that is a near miss of a known one. Other unknown types may belong to the step itself. */
function mistypedTypes(
  { kind, readers, config = {} }: ConfigUse,
  providers: readonly ProviderSchema[],
): SchemaProblem[] {
  if (kind !== 'step') return [];
  const types = readers.flatMap(({ settings }) =>
    Object.entries(settings?.properties ?? {}).flatMap(([name, { items }]) => {
      const types = items?.format === 'credential-type' ? (config[name] ?? '').split('##') : [];
      return types.map((type) => [name, type] as const);
    }),
  );
  if (types.length === 0) return [];
  const ofKind = providers.filter(({ spi }) => spi === CredentialProvider.id);
  const knownTypes = ofKind.map(({ id, builtin }) => (builtin === true ? id.replace(/^keycloak-/, '') : id));
  return types.flatMap(([name, type]) => {
    const suggestion = type === 'none' || knownTypes.includes(type) ? undefined : didYouMean(type, knownTypes, 2);
    if (suggestion === undefined) return [];
    return [{ path: [name], message: `credential type "${type}" not found`, suggestion: suggestion }];
  });
}
