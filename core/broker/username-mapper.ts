import { randomUUID } from 'node:crypto';
import type { BrokeredIdentity, JsonObject } from '@keyhost/spi';
import type { IdentityProvider, IdentityProviderMapper } from '../model/identity-provider.js';
import type { Realm } from '../model/realm.js';
import { claimAt, plainText, textsOf } from './provider-claims.js';

const TRANSFORMS: Readonly<Record<string, (text: string) => string>> = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  localpart: (text) => text.split('@', 1)[0] ?? text,
};

/**
 * A placeholder such as `${CLAIM.name | lowercase}`. Its length is bounded, so that long templates take linear time.
 */
const PLACEHOLDER = /\$\{([^}]{1,500})\}/g;

/**
 * The username that Keycloak's `oidc-username-idp-mapper` builds from a template such as `${ALIAS}.${CLAIM.email |
 * localpart}`. Undefined without this mapper, or if the result is empty.
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
  const result = template.replace(PLACEHOLDER, (_, expression: string) => {
    const [name = '', transformName] = expression.split('|').map((part) => part.trim());
    const apply =
      transformName !== undefined && Object.hasOwn(TRANSFORMS, transformName) ? TRANSFORMS[transformName] : undefined;
    return (apply ?? ((text: string) => text))(textOf(name));
  });
  return plainText(result);
}

/**
 * The new username of an existing user at this login. Undefined if no mapper with sync mode FORCE renames users, or if
 * emails are usernames.
 */
export function updatedUsername(
  realm: Realm,
  provider: IdentityProvider,
  { claims, username }: BrokeredIdentity,
): string | undefined {
  const isRenaming =
    usernameMapper(provider.mappers)?.syncMode === 'FORCE' && !realm.settings.registrationEmailAsUsername;
  return isRenaming && usernameByMappers(provider, claims, username) !== undefined ? username : undefined;
}

function usernameMapper(mappers: readonly IdentityProviderMapper[]): IdentityProviderMapper | undefined {
  return mappers.find(
    ({ kind, config }) => kind === 'oidc-username-idp-mapper' && (config.target ?? 'LOCAL') === 'LOCAL',
  );
}
