import { MASK } from '../model/mask.js';
import { isSecretName } from '../model/secret-names.js';
import { refuseMovedSecrets } from './moved-secrets.js';

/** Keycloak's `config`: texts by key, or lists of texts. */
type Config<V extends string | string[]> = Readonly<Record<string, V>>;
/** What is sent: nulls stand for nothing. */
type SentConfig<V extends string | string[]> = Readonly<
  Record<string, (V extends string ? string : readonly (string | null)[]) | null>
>;

/** A copy with the texts masked whose key is the name of a secret. */
export function maskTexts<V extends string | string[]>(config: Config<V> = {}): Record<string, V> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      isSecretName(key) && textsOf(value).length > 0 ? (typeof value === 'string' ? MASK : [MASK]) : value,
    ]),
  ) as Record<string, V>;
}

/**
 * A configuration after what was sent: what is absent stays, what is empty or null goes, and a secret that comes back
 * masked is the one that is there.
 * @throws AdminError 400 for a secret that would stay while its address changes
 */
export function mergedTexts<V extends string | string[]>(
  before: Config<V> = {},
  sent: SentConfig<V> = {},
): Record<string, V> {
  return safely(before, merged(before, sent), sent);
}

/**
 * What was sent, without what is empty or null; a secret that comes back masked is the one that is there.
 * @throws AdminError 400 for a secret that would stay while its address changes
 */
export function replacedTexts<V extends string | string[]>(
  before: Config<V> = {},
  sent: SentConfig<V> = {},
): Record<string, V> {
  const kept = Object.entries(before).filter(([key]) => Object.hasOwn(sent, key) && textsOf(sent[key])[0] === MASK);
  return safely(before, merged(Object.fromEntries(kept) as Config<V>, sent), sent);
}

function merged<V extends string | string[]>(before: Config<V>, sent: SentConfig<V>): Record<string, V> {
  const texts = new Map<string, V>(Object.entries(before));
  for (const [key, value] of Object.entries(sent)) {
    const own = textsOf(value);
    if (isSecretName(key) && own[0] === MASK) continue;
    if (own.length === 0) texts.delete(key);
    else texts.set(key, (typeof value === 'string' ? value : own) as V);
  }
  return Object.fromEntries(texts);
}

function safely<V extends string | string[]>(
  before: Config<V>,
  after: Record<string, V>,
  sent: SentConfig<V>,
): Record<string, V> {
  const isSent = (key: string) => Object.hasOwn(sent, key) && textsOf(sent[key])[0] !== MASK;
  const kept = Object.keys(after).filter((key) => isSecretName(key) && Object.hasOwn(before, key) && !isSent(key));
  refuseMovedSecrets(before, after, kept);
  return after;
}

function textsOf(value: string | readonly (string | null)[] | null | undefined): string[] {
  return [value].flat().filter((text): text is string => typeof text === 'string' && text !== '');
}
