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
import type { AttributeProblem, AttributeValues } from './profile-problems.js';
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

/** A validator of a plugin that the realm's user profile applies to an attribute. */
interface ValidatorUse {
  readonly attribute: string;
  readonly id: string;
  readonly config: object | null;
}

const VALIDATOR_USES = Symbol('validators of plugins');

/**
 * Calls the plugins' validators of a realm's user profile. Call it before a transaction, not inside, because the
 * transaction would wait for the plugins.
 */
export class PluginValidators {
  readonly #parts: { readonly providers: RealmProviders; readonly logger: Logger; readonly shortLimitMs: number };

  /** @param parts.shortLimitMs timeout in milliseconds for callers that can do without the answer */
  constructor(parts: { readonly providers: RealmProviders; readonly logger: Logger; readonly shortLimitMs: number }) {
    this.#parts = parts;
  }

  /** True if the realm's user profile uses a validator of a plugin. */
  isUsedIn(realm: Realm): boolean {
    return usesOf(realm).length > 0;
  }

  /**
   * The violations that plugins' validators find, in addition to the built-in ones. Resolves at once for a realm
   * without such validators.
   * @throws ProfileUnavailableError if a plugin fails
   */
  validate(realm: Realm, change: ValuesToValidate): Promise<AttributeProblem[]> {
    return this.#validate(realm, change);
  }

  /** Validates stored values at a login, which a plugin that fails or times out must not prevent. */
  async validateStored(realm: Realm, change: ValuesToValidate): Promise<AttributeProblem[]> {
    try {
      return await this.#validate(realm, change, this.#parts.shortLimitMs);
    } catch (error) {
      if (error instanceof ProfileUnavailableError) return [];
      throw error;
    }
  }

  async #validate(realm: Realm, change: ValuesToValidate, limitMs?: number): Promise<AttributeProblem[]> {
    const uses = usesOf(realm).filter(({ attribute }) => change.names.includes(attribute));
    if (uses.length === 0) return [];
    const attributes = Object.create(null) as Record<string, readonly string[]>;
    for (const { name } of profileOf(realm).attributes) attributes[name] = change.values(name);
    const problems: AttributeProblem[] = [];
    const deadline = limitMs === undefined ? undefined : performance.now() + limitMs;
    for (const use of uses) {
      const values = change.values(use.attribute);
      if (values.length === 0) continue;
      const { attribute } = use;
      // All validators share one deadline.
      const remainingMs = deadline === undefined ? undefined : Math.max(1, Math.ceil(deadline - performance.now()));
      problems.push(
        ...(await this.#callValidator(
          realm,
          use,
          { attribute, values, attributes, ...contextOf(change) },
          remainingMs,
        )),
      );
    }
    return problems;
  }

  /**
   * Like `validate`, for a page: the failure of a plugin becomes a violation of the attribute.
   * @param waits `briefly` if the answer only decides whether the page is shown
   */
  async validateForPage(realm: Realm, change: ValuesToValidate, waits?: 'briefly'): Promise<AttributeProblem[]> {
    try {
      return await this.#validate(realm, change, waits && this.#parts.shortLimitMs);
    } catch (error) {
      if (error instanceof ProfileUnavailableError) return [error.problem];
      throw error;
    }
  }

  async #callValidator(
    realm: Realm,
    { attribute, id, config }: ValidatorUse,
    request: Omit<ValuesToCheck, 'config'>,
    limitMs: number | undefined,
  ): Promise<AttributeProblem[]> {
    const provider = this.#parts.providers.find(realm, Validator, id);
    if (provider === undefined) {
      const fields = { realm: realm.name, attribute, validator: id };
      this.#parts.logger.error(
        'a user profile names a validator that no plugin provides: the attribute cannot be changed',
        fields,
      );
      throw new ProfileUnavailableError(attribute, `there is no validator/${id}`);
    }
    const input = { ...request, config: validatorConfig(provider.declaration.settings, config) };
    try {
      const violations = await provider.call((validator) => validator.check(input), limitMs);
      return violations.map(({ key, params = [], texts = provider.texts(key) }) => ({
        attribute,
        message: key,
        parameters: params,
        texts,
      }));
    } catch (cause) {
      // The provider's error is logged already.
      throw new ProfileUnavailableError(attribute, cause);
    }
  }
}

const contextOf = ({ context, user }: ValuesToValidate) => ({ context, ...defined({ user }) });

function usesOf(realm: Realm): readonly ValidatorUse[] {
  return realm.derive(VALIDATOR_USES, () =>
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

/** Thrown if a plugin fails to validate the values. Nothing is stored then. */
export class ProfileUnavailableError extends HostError {
  override readonly name = 'ProfileUnavailable';
  /** The violation that a page shows. */
  readonly problem: AttributeProblem;

  constructor(attribute: string, cause: unknown) {
    const options = retryOptions(5, cause);
    super(
      'temporarily_unavailable',
      `The attribute ${attribute} cannot be checked at the moment. Try again later.`,
      options,
    );
    this.problem = { attribute, message: 'profileUnavailableMessage', parameters: [] };
  }
}
