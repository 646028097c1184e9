import {
  HostError,
  type Logger,
  type UserProfileContext,
  type UserView,
  Validator,
  type ValuesToCheck,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { RealmProviders } from '../../model/realm-providers.js';
import { retryOptions } from '../../model/retry-later.js';
import type { AttributeMistake, AttributeValues } from './check-profile.js';
import { OTHER_VALIDATORS, VALUE_VALIDATORS } from './profile-validators.js';
import { validatorConfig } from './validator-config.js';

/** New values of a user's attributes. */
export interface ValuesToValidate {
  readonly context: UserProfileContext;
  /** Names of the attributes that may be changed; only these are validated. */
  readonly names: readonly string[];
  /** The values after the change. */
  readonly values: AttributeValues;
  /** The stored user; undefined for a new one. */
  readonly user?: UserView | undefined;
}

/** A use of a plugin's validator in a realm's user profile. */
interface Use {
  readonly attribute: string;
  readonly id: string;
  readonly config: object | null;
}

const USES = Symbol('validators of plugins');

/**
 * Calls the plugins' validators of a realm's user profile. Call it before a transaction, never inside, because the
 * transaction would wait for the plugins.
 */
export class PluginValidators {
  readonly #providers: RealmProviders;
  readonly #logger: Logger;
  readonly #shortLimitMs: number;

  /** @param parts.shortLimitMs timeout for callers that can do without the answer, in milliseconds */
  constructor(parts: { readonly providers: RealmProviders; readonly logger: Logger; readonly shortLimitMs: number }) {
    this.#providers = parts.providers;
    this.#logger = parts.logger;
    this.#shortLimitMs = parts.shortLimitMs;
  }

  /** True if the realm's user profile uses a plugin's validator. */
  areIn(realm: Realm): boolean {
    return usesOf(realm).length > 0;
  }

  /**
   * The violations that plugins' validators find, in addition to the host's own. Resolves at once for a realm without
   * such validators.
   * @throws ProfileUnavailable if a plugin fails
   */
  mistakes(realm: Realm, given: ValuesToValidate): Promise<AttributeMistake[]> {
    return this.#mistakes(realm, given);
  }

  /** Validates stored values. A plugin that fails or times out must not prevent a login. */
  async mistakesOfStored(realm: Realm, given: ValuesToValidate): Promise<AttributeMistake[]> {
    try {
      return await this.#mistakes(realm, given, this.#shortLimitMs);
    } catch (error) {
      if (error instanceof ProfileUnavailable) return [];
      throw error;
    }
  }

  async #mistakes(realm: Realm, given: ValuesToValidate, limitMs?: number): Promise<AttributeMistake[]> {
    const uses = usesOf(realm).filter(({ attribute }) => given.names.includes(attribute));
    if (uses.length === 0) return [];
    const attributes = Object.create(null) as Record<string, readonly string[]>;
    for (const { name } of profileOf(realm).attributes) attributes[name] = given.values(name);
    const found: AttributeMistake[] = [];
    const deadline = limitMs === undefined ? undefined : performance.now() + limitMs;
    for (const use of uses) {
      const values = given.values(use.attribute);
      if (values.length === 0) continue;
      const { attribute } = use;
      // One deadline for all validators together.
      const leftMs = deadline === undefined ? undefined : Math.max(1, Math.ceil(deadline - performance.now()));
      found.push(...(await this.#ask(realm, use, { attribute, values, attributes, ...asked(given) }, leftMs)));
    }
    return found;
  }

  /**
   * Like `mistakes`, for a page: a plugin's failure becomes a violation of the attribute.
   * @param waits `briefly`: the answer only decides whether the page is shown
   */
  async mistakesForPage(realm: Realm, given: ValuesToValidate, waits?: 'briefly'): Promise<AttributeMistake[]> {
    try {
      return await this.#mistakes(realm, given, waits && this.#shortLimitMs);
    } catch (error) {
      if (error instanceof ProfileUnavailable) return [error.mistake];
      throw error;
    }
  }

  async #ask(
    realm: Realm,
    { attribute, id, config }: Use,
    request: Omit<ValuesToCheck, 'config'>,
    limitMs: number | undefined,
  ): Promise<AttributeMistake[]> {
    const provider = this.#providers.find(realm, Validator, id);
    if (provider === undefined) {
      const fields = { realm: realm.name, attribute, validator: id };
      this.#logger.error(
        'a user profile names a validator that no plugin provides: the attribute cannot be changed',
        fields,
      );
      throw new ProfileUnavailable(attribute, `there is no validator/${id}`);
    }
    const checked = { ...request, config: validatorConfig(provider.declaration.settings, config) };
    try {
      const found = await provider.call((validator) => validator.check(checked), limitMs);
      return found.map(({ key, params = [], texts = provider.texts(key) }) => ({
        attribute,
        message: key,
        parameters: params,
        texts,
      }));
    } catch (cause) {
      // The provider's error is logged already.
      throw new ProfileUnavailable(attribute, cause);
    }
  }
}

const asked = ({ context, user }: ValuesToValidate) => ({ context, ...defined({ user }) });

function usesOf(realm: Realm): readonly Use[] {
  return realm.derive(USES, () =>
    profileOf(realm).attributes.flatMap(({ name, validations }) =>
      Object.entries(validations ?? {})
        .filter(([id]) => !isBuiltInValidator(id))
        .map(([id, config]) => ({ attribute: name, id, config })),
    ),
  );
}

export function isBuiltInValidator(id: string): boolean {
  return Object.hasOwn(VALUE_VALIDATORS, id) || OTHER_VALIDATORS.includes(id);
}

/** A plugin cannot validate the values: nothing is stored. */
export class ProfileUnavailable extends HostError {
  override readonly name = 'ProfileUnavailable';
  /** The violation that a page shows. */
  readonly mistake: AttributeMistake;

  constructor(attribute: string, cause: unknown) {
    const options = retryOptions(5, cause);
    super(
      'temporarily_unavailable',
      `The attribute ${attribute} cannot be checked at the moment. Try again later.`,
      options,
    );
    this.mistake = { attribute, message: 'profileUnavailableMessage', parameters: [] };
  }
}
