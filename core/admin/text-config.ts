import { MASK } from '../model/mask.js';
import { isSecretName } from '../model/secret-names.js';
import { requireSecretsForNewAddress } from './secrets-for-new-address.js';

/** Keycloak's `config`: strings by key, or lists of strings. */
type Config<V extends string | string[]> = Readonly<Record<string, V>>;
/** A configuration in a request. Null means an empty value. */
type SentConfig<V extends string | string[]> = Readonly<
  Record<string, (V extends string ? string : readonly (string | null)[]) | null>
>;

/** Returns a copy in which the values of keys that name secrets are masked. */
export function maskSecrets<V extends string | string[]>(config: Config<V> = {}): Record<string, V> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isSecretName(key) && textsOf(value).length > 0 ? (typeof value === 'string' ? MASK : [MASK]) : value,
    ]),
  ) as Record<string, V>;
}

/**
 * Merges the configuration of a request: absent members stay, empty or null ones are removed, and a masked secret means
 * the stored one.
 * @throws AdminError 400 if a stored secret would apply to a changed address
 */
export function mergeConfig<V extends string | string[]>(
  before: Config<V> = {},
  input: SentConfig<V> = {},
): Record<string, V> {
  return withAddressCheck(before, applyChanges(before, input), input);
}

/**
 * Returns the configuration of a request without empty and null members. A masked secret means the stored one.
 * @throws AdminError 400 if a stored secret would apply to a changed address
 */
export function replaceConfig<V extends string | string[]>(
  before: Config<V> = {},
  input: SentConfig<V> = {},
): Record<string, V> {
  const keptSecrets = Object.entries(before).filter(
    ([key]) => Object.hasOwn(input, key) && textsOf(input[key])[0] === MASK,
  );
  return withAddressCheck(before, applyChanges(Object.fromEntries(keptSecrets) as Config<V>, input), input);
}

function applyChanges<V extends string | string[]>(before: Config<V>, input: SentConfig<V>): Record<string, V> {
  const texts = new Map<string, V>(Object.entries(before));
  for (const [key, value] of Object.entries(input)) {
    const values = textsOf(value);
    if (isSecretName(key) && values[0] === MASK) continue;
    if (values.length === 0) texts.delete(key);
    else texts.set(key, (typeof value === 'string' ? value : values) as V);
  }
  return Object.fromEntries(texts);
}

function withAddressCheck<V extends string | string[]>(
  before: Config<V>,
  after: Record<string, V>,
  input: SentConfig<V>,
): Record<string, V> {
  const isSent = (key: string) => Object.hasOwn(input, key) && textsOf(input[key])[0] !== MASK;
  const keptSecrets = Object.keys(after).filter(
    (key) => isSecretName(key) && Object.hasOwn(before, key) && !isSent(key),
  );
  requireSecretsForNewAddress(before, after, keptSecrets);
  return after;
}

function textsOf(value: string | readonly (string | null)[] | null | undefined): string[] {
  return [value].flat().filter((text): text is string => typeof text === 'string' && text !== '');
}
