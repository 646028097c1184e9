import { BootError } from './config/boot-error.js';
import type { HostOptions } from './config/options.js';
import type { Problem } from './config/problem.js';
import type { RealmFile } from './config/realm-files.js';
import type { SchemaProblem } from './config/schema-check.js';
import type { RealmRepresentation } from './model/representation.js';
import type { ProviderRegistry } from './registry/registry.js';

/**
 * A provider that answers callers who prove nothing: its configuration in the realm, or in plugins.json where the realm
 * has no say, is `"authentication": "none"`.
 */
export function openProviders(realm: RealmRepresentation, registry: ProviderRegistry): string[] {
  const open: string[] = [];
  for (const provider of registry.list()) {
    const setting = realm.providers?.[provider.spi.id]?.[provider.id];
    if (setting?.enabled !== true) continue;
    const checked = provider.checkRealmConfig(setting.config ?? {});
    const config = 'value' in checked ? (checked.value as { authentication?: unknown }) : {};
    const own = provider.config as { authentication?: unknown };
    if ((config.authentication ?? own.authentication) === 'none') open.push(`${provider.spi.id}/${provider.id}`);
  }
  return open;
}

/** Providers that would be open in production although the operator has not named them: for changes over HTTP. */
export function productionProblems(
  options: HostOptions,
  realm: RealmRepresentation,
  registry: ProviderRegistry,
): SchemaProblem[] {
  if (options.mode !== 'start') return [];
  return unnamed(options, realm.realm, openProviders(realm, registry)).map((provider) => ({
    path: ['providers', ...provider.split('/')],
    message: 'would answer without authentication, and the operator has not named it in --allow-open-providers',
  }));
}

function unnamed(options: HostOptions, realm: string, open: readonly string[]): string[] {
  return open.filter(
    (provider) => ![provider, `${realm}/${provider}`].some((name) => options.allowOpenProviders.includes(name)),
  );
}

/** @throws BootError `production_unsafe`: production says where it lives and how TLS comes about */
export function checkProductionOptions(options: HostOptions): void {
  if (options.mode !== 'start') return;
  const problems: Problem[] = [];
  const add = (file: string, message: string) => problems.push({ file, line: 0, column: 0, path: '', message });
  if (options.hostname === undefined) add('--hostname', 'is needed: tokens carry this address');
  if (options.httpsPort === undefined && options.proxyHeaders === undefined && !options.httpEnabled) {
    add('--https-port', 'is needed, or --proxy-headers for a proxy that adds TLS, or --http-enabled');
  }
  if (problems.length === 0) return;
  throw new BootError('production_unsafe', 'start is for production and needs more', {
    problems,
    hint: 'keyhost start-dev is for trying things out',
  });
}

/** @throws BootError `production_unsafe`: secrets that fell to their written default, providers open to everybody */
export function checkProductionRealm(options: HostOptions, file: RealmFile, open: readonly string[]): void {
  if (options.mode !== 'start') return;
  const problems: Problem[] = file.defaulted.map(({ file: path, line, column, name }) => ({
    file: path,
    line,
    column,
    path: '',
    message: `${name} is not set, and production takes no default from a realm file`,
  }));
  const realm = file.representation.realm;
  for (const provider of unnamed(options, realm, open)) {
    const message = `${provider} answers without authentication in realm ${realm}`;
    problems.push({ file: file.source.files[0]?.path ?? realm, line: 0, column: 0, path: '', message });
  }
  if (problems.length === 0) return;
  throw new BootError('production_unsafe', `realm ${realm} is not fit for production`, {
    problems,
    hint: 'set the variables; name a provider that is meant to be open in --allow-open-providers',
  });
}
