import { randomUUID } from 'node:crypto';
import type { BrokeredIdentity, JsonObject } from '@keyhost/spi';
import type { IdentityProvider, IdentityProviderMapper } from '../model/identity-provider.js';
import type { Realm } from '../model/realm.js';
import { claimAt, plainText, textsOf } from './provider-claims.js';

const CHANGES: Readonly<Record<string, (text: string) => string>> = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  localpart: (text) => text.split('@', 1)[0] ?? text,
};

/** `${CLAIM.name | lowercase}`. Bounded, so that long templates take linear time. */
const PLACEHOLDER = /\$\{([^}]{1,500})\}/g;

/**
 * Keycloak's `oidc-username-idp-mapper`: the username by a template such as `${ALIAS}.${CLAIM.email | localpart}`.
 * Undefined without this mapper, and if the result is empty.
 */
export function usernameByMappers(
  { alias, mappers }: IdentityProvider,
  claims: JsonObject,
  username: string,
): string | undefined {
  const template = usernameMapper(mappers)?.config.template;
  if (template === undefined) return undefined;
  const textOf = (name: string) => {
    if (name === 'ALIAS') return alias;
    if (name === 'UUID') return randomUUID();
    if (name === 'USERNAME') return username;
    return name.startsWith('CLAIM.') ? (textsOf(claimAt(claims, name.slice('CLAIM.'.length)))[0] ?? '') : '';
  };
  const made = template.replace(PLACEHOLDER, (_, place: string) => {
    const [name = '', change] = place.split('|').map((part) => part.trim());
    const apply = change !== undefined && Object.hasOwn(CHANGES, change) ? CHANGES[change] : undefined;
    return (apply ?? ((text: string) => text))(textOf(name));
  });
  return plainText(made);
}

/** The new username of an existing user at this login, if a mapper with sync mode FORCE renames them. */
export function updatedUsername(
  realm: Realm,
  provider: IdentityProvider,
  { claims, username }: BrokeredIdentity,
): string | undefined {
  const renames = usernameMapper(provider.mappers)?.syncMode === 'FORCE' && !realm.settings.registrationEmailAsUsername;
  return renames && usernameByMappers(provider, claims, username) !== undefined ? username : undefined;
}

function usernameMapper(mappers: readonly IdentityProviderMapper[]): IdentityProviderMapper | undefined {
  return mappers.find(
    ({ kind, config }) => kind === 'oidc-username-idp-mapper' && (config.target ?? 'LOCAL') === 'LOCAL',
  );
}
