import { BootError } from '../config/boot-error.js';
import type { HostOptions } from '../config/options.js';
import type { Problem } from '../config/problem.js';
import type { RealmFile } from '../config/realm-files.js';
import { compileSchema, type SchemaProblem } from '../config/schema-check.js';
import type { RealmRepresentation } from '../model/representation.js';
import type { KnownProvider } from '../registry/known-providers.js';

/**
 * A provider that answers callers who prove nothing: its configuration in the realm, or in plugins.json where the realm
 * has no say, is `"authentication": "none"`.
 */
export function openProviders(realm: RealmRepresentation, providers: readonly KnownProvider[]): string[] {
  const open: string[] = [];
  for (const { spi, id, realmConfig, config: own } of providers) {
    const setting = realm.providers?.[spi]?.[id];
    if (setting?.enabled !== true) continue;
    const config = structuredClone(setting.config ?? {}) as { authentication?: unknown };
    if (realmConfig !== undefined) compileSchema(realmConfig, { useDefaults: true })(config);
    if ((config.authentication ?? (own as { authentication?: unknown } | undefined)?.authentication) === 'none') {
      open.push(`${spi}/${id}`);
    }
  }
  return open;
}

/** Providers that a change over HTTP would open in production although the operator has not named them. */
export function productionProblems(
  realm: RealmRepresentation,
  providers: readonly KnownProvider[],
  { mode, allowOpenProviders }: Pick<HostOptions, 'mode' | 'allowOpenProviders'>,
): SchemaProblem[] {
  if (mode !== 'start') return [];
  return unnamed(realm.realm, openProviders(realm, providers), allowOpenProviders).map((provider) => ({
    path: ['providers', ...provider.split('/')],
    message: 'would answer without authentication, and the operator has not named it in --allow-open-providers',
  }));
}

function unnamed(realm: string, open: readonly string[], allowed: readonly string[]): string[] {
  return open.filter((provider) => ![provider, `${realm}/${provider}`].some((name) => allowed.includes(name)));
}

/** @throws BootError `production_unsafe`: secrets that fell to their written default, providers open to everybody */
export function checkProductionRealm(
  file: RealmFile,
  open: readonly string[],
  allowOpenProviders: readonly string[],
): void {
  const problems: Problem[] = file.defaulted.map(({ file: path, line, column, name }) => ({
    file: path,
    line,
    column,
    path: '',
    message: `${name} is not set, and production takes no default from a realm file`,
  }));
  const realm = file.representation.realm;
  for (const provider of unnamed(realm, open, allowOpenProviders)) {
    const message = `${provider} answers without authentication in realm ${realm}`;
    problems.push({ file: file.source.files[0]?.path ?? realm, line: 0, column: 0, path: '', message });
  }
  if (problems.length === 0) return;
  throw new BootError('production_unsafe', `realm ${realm} is not fit for production`, {
    problems,
    hint: 'set the variables; name a provider that is meant to be open in --allow-open-providers',
  });
}
