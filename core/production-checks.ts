import { BootError } from './config/boot-error.js';
import type { HostOptions } from './config/options.js';
import type { Problem } from './config/problem.js';
import type { RealmFile } from './config/realm-files.js';
import type { RealmRepresentation } from './model/representation.js';
import type { Providers } from './registry/generation.js';

/**
 * A provider that answers callers who prove nothing: its configuration in the realm, or in plugins.json where the realm
 * has no say, is `"authentication": "none"`.
 */
export function openProviders(realm: RealmRepresentation, providers: Providers): string[] {
  const open: string[] = [];
  for (const provider of providers.list()) {
    const setting = realm.providers?.[provider.spi.id]?.[provider.id];
    if (setting?.enabled !== true) continue;
    const checked = provider.checkRealmConfig(setting.config ?? {});
    const config = 'value' in checked ? (checked.value as { authentication?: unknown }) : {};
    const own = provider.config as { authentication?: unknown };
    if ((config.authentication ?? own.authentication) === 'none') open.push(`${provider.spi.id}/${provider.id}`);
  }
  return open;
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
  problems.push(...unallowed(options, realm, open, file.source.files[0]?.path));
  if (problems.length === 0) return;
  throw new BootError('production_unsafe', `realm ${realm} is not fit for production`, {
    problems,
    hint: 'set the variables; name a provider that is meant to be open in --allow-open-providers',
  });
}

/** Providers that are open to everybody in a realm although the operator named them nowhere. */
export function unallowed(
  { allowOpenProviders }: HostOptions,
  realm: string,
  open: readonly string[],
  file = realm,
): Problem[] {
  return open
    .filter((provider) => ![provider, `${realm}/${provider}`].some((name) => allowOpenProviders.includes(name)))
    .map((provider) => {
      const message = `${provider} answers without authentication in realm ${realm}`;
      return { file, line: 0, column: 0, path: '', message };
    });
}
