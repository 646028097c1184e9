import type { JsonSchema } from '@keyhost/spi';
import { isObject } from '../../model/is-object.js';
import { MASK } from '../../model/mask.js';
import { isSecretName } from '../../model/secret-names.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { maskConfig } from '../providers/config-secrets.js';

/** Matches a text that is one reference without a default. It reveals the source of a secret, but not its value. */
const REFERENCE = /^\$\{(env|file)\.[^}:]+\}$/;
/** Secret members of users whose names do not reveal that they are secret. */
const USER_SECRETS = new Set(['value', 'secretData', 'token']);

/** Without the provider's schema, every member could be a secret. */
const UNKNOWN_SCHEMA: JsonSchema = { additionalProperties: { writeOnly: true } };

/** Copies a realm file, or a realm in any form, with masked secrets. References are preserved. */
export function maskFile(value: unknown, registry: ProviderRegistry): unknown {
  return Array.isArray(value) ? value.map((realm) => maskRealm(realm, registry)) : maskRealm(value, registry);
}

function maskRealm(realm: unknown, registry: ProviderRegistry): unknown {
  const maskedRealm = maskByNames(realm, [], false);
  if (!isObject(maskedRealm) || !isObject(maskedRealm.providers)) return maskedRealm;
  const providers = Object.entries(maskedRealm.providers).map(([spi, settings]) => [
    spi,
    maskProviders(spi, settings, registry),
  ]);
  return { ...maskedRealm, providers: Object.fromEntries(providers) };
}

function maskProviders(spi: string, settings: unknown, registry: ProviderRegistry): unknown {
  if (!isObject(settings)) return settings;
  const maskedSettings = Object.entries(settings).map(([id, setting]) => {
    if (!isObject(setting) || setting.config === undefined) return [id, setting];
    const provider = registry.list().find((candidate) => candidate.spi.id === spi && candidate.id === id);
    const maskedConfig = maskConfig(setting.config, provider === undefined ? UNKNOWN_SCHEMA : provider.realmConfig);
    return [id, { ...setting, config: restoreReferences(maskedConfig, setting.config) }];
  });
  return Object.fromEntries(maskedSettings);
}

/**
 * Masks the values of members whose names are those of secrets.
 * @param isSecret true inside a member with the name of a secret
 */
function maskByNames(value: unknown, path: readonly string[], isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret && value !== '' && !REFERENCE.test(value) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => maskByNames(item, path, isSecret));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      maskByNames(member, [...path, name], isSecret || isSecretAt(path, name)),
    ]),
  );
}

function isSecretAt(path: readonly string[], name: string): boolean {
  if (isSecretName(name)) return true;
  return USER_SECRETS.has(name) && (path[0] === 'users' || path[0] === 'federatedUsers');
}

/** Restores references that were masked as secrets. */
function restoreReferences(maskedValue: unknown, originalValue: unknown): unknown {
  if (typeof originalValue === 'string') return REFERENCE.test(originalValue) ? originalValue : maskedValue;
  if (Array.isArray(maskedValue) && Array.isArray(originalValue))
    return maskedValue.map((item, index) => restoreReferences(item, originalValue[index]));
  if (!isObject(maskedValue) || !isObject(originalValue)) return maskedValue;
  return Object.fromEntries(
    Object.entries(maskedValue).map(([name, member]) => [name, restoreReferences(member, originalValue[name])]),
  );
}
