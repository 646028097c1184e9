import {
  type CredentialDeclaration,
  CredentialProvider,
  type CredentialProviderMethods,
  type PluginMessages,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import { identifiedCredentials } from './credential-list.js';
import { readValues } from './credential-values.js';

/** A credential, with the ID that it has for everybody. */
export type OwnedCredential = CredentialRepresentation & { readonly id: string };

/** A type of credentials that a realm has. */
export interface CredentialType extends Omit<CredentialDeclaration, 'describe'> {
  readonly type: string;
  readonly displayName: string;
  readonly helpText: string | undefined;
  /** True for Keyhost's own. */
  readonly builtin: boolean;
  /** Texts of the plugin, for its names. */
  readonly messages?: PluginMessages | undefined;
}

/** What of a credential may be seen. */
export interface ShownCredential {
  readonly credential: OwnedCredential;
  readonly type: CredentialType;
  /** What the user calls it, else what its provider does. */
  readonly label: string | undefined;
  /** Keycloak's `credentialData`; undefined where its provider does not show it. */
  readonly credentialData: string | undefined;
}

export type CredentialsOfPlugin = RealmProvider<CredentialDeclaration, CredentialProviderMethods>;

/** Keyhost's own providers are called as Keycloak's are: by the type, with this before it. */
const OWN = 'keycloak-';

/** The types of credentials of realms, by providers: the kind `credential`. What is of no type that is on, nobody is shown. */
export class CredentialTypes {
  readonly #providers: RealmProviders;
  readonly #shortLimitMs: number;

  /** @param parts.shortLimitMs how long a page waits for what a provider shows of a credential, in milliseconds */
  constructor(parts: { readonly providers: RealmProviders; readonly shortLimitMs: number }) {
    this.#providers = parts.providers;
    this.#shortLimitMs = parts.shortLimitMs;
  }

  /** Keyhost's own, then those of plugins. */
  all(realm: Realm): readonly CredentialType[] {
    return this.#providers.all(realm, CredentialProvider).map(typeOf);
  }

  of(realm: Realm, type: string): CredentialType | undefined {
    const found = this.provider(realm, type) ?? this.#providers.find(realm, CredentialProvider, `${OWN}${type}`);
    return found && typeOf(found);
  }

  /** Whose credentials those of a plugin's type are. */
  provider(realm: Realm, type: string): CredentialsOfPlugin | undefined {
    const found = this.#providers.find(realm, CredentialProvider, type);
    return found?.builtin === false ? found : undefined;
  }

  /** True for what is asked for beside a password. */
  isSecondFactor(realm: Realm, type: string): boolean {
    return this.of(realm, type)?.category === 'two-factor';
  }

  /** Credentials of the types that the realm has, each with an ID, in the user's order. */
  shown(realm: Realm, { id, credentials }: Pick<User, 'id' | 'credentials'>): OwnedCredential[] {
    const all = identifiedCredentials(id, credentials) as OwnedCredential[];
    return all.filter(({ type }) => this.of(realm, type) !== undefined);
  }

  /** The same with what their providers let be seen of them. One that fails shows no more than the name. */
  async presented(realm: Realm, user: Pick<User, 'id' | 'credentials'>): Promise<ShownCredential[]> {
    return Promise.all(this.shown(realm, user).map((credential) => this.#presented(realm, credential)));
  }

  async #presented(realm: Realm, credential: OwnedCredential): Promise<ShownCredential> {
    const { type: name, userLabel, credentialData } = credential;
    const type = this.of(realm, name) as CredentialType;
    const provider = this.provider(realm, name);
    const whole = { credential, type, label: userLabel || undefined, credentialData };
    const values = provider && readValues(credential);
    if (provider === undefined) return whole;
    if (values === undefined) return { ...whole, credentialData: undefined };
    const { secret: _, ...visible } = values;
    try {
      // One that does not say so has no answer, in a worker too.
      const said = await provider.call(async (methods) => methods.present?.(visible), this.#shortLimitMs);
      if (said === undefined) return whole;
      const data = said.data === undefined ? undefined : JSON.stringify(said.data);
      return { ...whole, label: whole.label ?? said.label, credentialData: data };
    } catch {
      // The log has what the provider threw.
      return { ...whole, credentialData: undefined };
    }
  }
}

/** The type of a provider's credentials. @param builtin true for Keyhost's own */
export function typeNameOf(id: string, builtin: boolean): string {
  return builtin ? id.slice(OWN.length) : id;
}

function typeOf({ id, declaration, builtin, plugin }: CredentialsOfPlugin): CredentialType {
  const { describe, ...rest } = declaration;
  const type = typeNameOf(id, builtin);
  return {
    ...rest,
    ...{ type, builtin, displayName: describe.displayName, helpText: describe.helpText, messages: plugin.messages },
  };
}
