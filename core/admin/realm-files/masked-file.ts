import type { JsonSchema } from '@keyhost/spi';
import { isObject } from '../../model/is-object.js';
import { MASK } from '../../model/mask.js';
import { isSecretName } from '../../model/secret-names.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { maskConfig } from '../providers/config-secrets.js';

/** A text that consists of one reference without a default. It reveals the source of a secret, but not its value. */
const REFERENCE = /^\$\{(env|file)\.[^}:]+\}$/;
/** Secret members of users whose names do not show that. */
const OF_USERS = new Set(['value', 'secretData', 'token']);

/** Without the provider's schema, every member could be a secret. */
const UNKNOWN_SCHEMA: JsonSchema = { additionalProperties: { writeOnly: true } };

/** A copy of a realm file, or of a realm, in any shape, with masked secrets. References stay as written. */
export function maskedFile(value: unknown, registry: ProviderRegistry): unknown {
  return Array.isArray(value) ? value.map((realm) => maskedRealmOf(realm, registry)) : maskedRealmOf(value, registry);
}

function maskedRealmOf(realm: unknown, registry: ProviderRegistry): unknown {
  const masked = byNames(realm, [], false);
  if (!isObject(masked) || !isObject(masked.providers)) return masked;
  const providers = Object.entries(masked.providers).map(([spi, settings]) => [spi, ofSpi(spi, settings, registry)]);
  return { ...masked, providers: Object.fromEntries(providers) };
}

function ofSpi(spi: string, settings: unknown, registry: ProviderRegistry): unknown {
  if (!isObject(settings)) return settings;
  const masked = Object.entries(settings).map(([id, setting]) => {
    if (!isObject(setting) || setting.config === undefined) return [id, setting];
    const found = registry.list().find((one) => one.spi.id === spi && one.id === id);
    const hidden = maskConfig(setting.config, found === undefined ? UNKNOWN_SCHEMA : found.realmConfig);
    return [id, { ...setting, config: withReferences(hidden, setting.config) }];
  });
  return Object.fromEntries(masked);
}

/** @param isSecret true within a member whose name is that of a secret */
function byNames(value: unknown, path: readonly string[], isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret && value !== '' && !REFERENCE.test(value) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => byNames(item, path, isSecret));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      byNames(member, [...path, name], isSecret || isSecretAt(path, name)),
    ]),
  );
}

function isSecretAt(path: readonly string[], name: string): boolean {
  if (isSecretName(name)) return true;
  return OF_USERS.has(name) && (path[0] === 'users' || path[0] === 'federatedUsers');
}

/** Restores references that were masked as secrets. */
function withReferences(masked: unknown, stated: unknown): unknown {
  if (typeof stated === 'string') return REFERENCE.test(stated) ? stated : masked;
  if (Array.isArray(masked) && Array.isArray(stated))
    return masked.map((item, index) => withReferences(item, stated[index]));
  if (!isObject(masked) || !isObject(stated)) return masked;
  return Object.fromEntries(
    Object.entries(masked).map(([name, member]) => [name, withReferences(member, stated[name])]),
  );
}
